/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "launch/pmix.h"
#include "launch/rank.h"
#include "runtime/base/environment.h"
#include "runtime/base/presence.h"
#include "runtime/base/world_handle.h"
#include "util/hash.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* What the name of a socket says of a rank. */
enum { PRESENT, PRELOADED, ALIKE, KINDS };

static struct {
    int socket[KINDS]; /* -1: none */
    char job[128];     /* "": not known */
    uint64_t told; /* of the settings, but for the lowest bit, which says preloaded; the same on ranks that are alike */
    hs__presence known;
} self = {.socket = {-1, -1, -1}};

/* ---- Names ---- */

/* A hash of the variables that must be the same on all ranks, and how the library came here. */
static uint64_t number_to_tell(int preloaded)
{
    static hs__options own; /* see environment.c */
    own = *hs__environment();
    hs__environment_blank(&own);
    return (hs__hash_bytes(HS__HASH_START, &own, sizeof own) & ~UINT64_C(1)) | (preloaded != 0);
}

/* A name that needs no file: it begins with a zero byte. @return the length of the address */
static socklen_t name_of(int kind, int rank, struct sockaddr_un *address)
{
    char *text = address->sun_path + 1;
    size_t room = sizeof address->sun_path - 1;
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int used = snprintf(text, room, "heteroslice.%.60s.%d.%c", self.job, rank, "plh"[kind]);
    if (kind == ALIKE)
        used += snprintf(text + used, room - (size_t)used, "%016llx", (unsigned long long)self.told);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)used);
}

void hs__presence_announce(int preloaded)
{
    int rank = hs__launch_this_rank().rank;
    if (self.socket[PRESENT] >= 0)
        return;
    self.told = number_to_tell(preloaded);
    hs__pmix_tell(self.told);
    hs__launch_this_job(self.job, sizeof self.job);
    for (int kind = 0; kind < KINDS && rank >= 0 && self.job[0]; kind++) {
        struct sockaddr_un address;
        socklen_t length = name_of(kind, rank, &address);
        if (kind == PRELOADED && !preloaded)
            continue;
        self.socket[kind] = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (self.socket[kind] >= 0)
            bind(self.socket[kind], (struct sockaddr *)&address, length);
    }
}

/* ---- Finding ---- */

static int is_bound(int caller, int kind, int rank)
{
    struct sockaddr_un address;
    socklen_t length = name_of(kind, rank, &address);
    return connect(caller, (struct sockaddr *)&address, length) == 0;
}

/* Finds out what is true of a rank: of one on this host by its sockets, else by what it has told. */
static void look_for(int caller, int rank, int is[KINDS])
{
    uint64_t number;
    for (int kind = 0; kind < KINDS; kind++)
        is[kind] = caller >= 0 && (kind == PRESENT || is[PRESENT]) && is_bound(caller, kind, rank);
    if (is[PRESENT] || !hs__pmix_told(rank, &number))
        return;
    is[PRESENT] = 1;
    is[PRELOADED] = (int)(number & 1);
    is[ALIKE] = number == self.told;
}

/* Looks for all ranks. */
static hs__presence look(int rank, int size, int preloaded)
{
    hs__presence known;
    int found[KINDS] = {0}, first = size, caller = self.job[0] ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;
    for (int r = 0; r < size; r++) {
        int is[KINDS];
        look_for(caller, r, is);
        for (int kind = 0; kind < KINDS; kind++)
            found[kind] += is[kind];
        if (is[PRELOADED] && r < first)
            first = r;
    }
    if (caller >= 0)
        close(caller);
    known.everywhere = found[PRESENT] == size || size == 1;
    known.preloaded = known.everywhere && (found[PRELOADED] == size || (size == 1 && preloaded));
    known.alike = known.everywhere && (found[ALIKE] == size || size == 1);
    known.ranks = found[PRESENT] > 0 ? found[PRESENT] : 1;
    known.first = first >= rank;
    return known;
}

static int are_all_here(int size)
{
    return self.job[0] && hs__launch_this_rank().local_ranks == size;
}

/* What `hs run` says of all that it starts. It counts for ranks on other hosts: where all are on this one, looking finds out
 * whether a script has started some of them without the library. */
static int is_said_of(int size)
{
    const char *said = hs__environment()->ranks;
    return said[0] && atoi(said) == size && !are_all_here(size);
}

void hs__presence_find(int preloaded)
{
    int rank, size;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (preloaded && is_said_of(size))
        self.known = (hs__presence){1, 1, 0, size, rank == 0};
    else
        self.known = look(rank, size, preloaded);
    if (!self.known.everywhere && !are_all_here(size)) {
        hs__pmix_ask(size);
        self.known = look(rank, size, preloaded);
    }
}

int hs__presence_in_job_of(int ranks)
{
    hs__launch_rank told = hs__launch_this_rank();
    return is_said_of(ranks) || (told.ranks == ranks && look(told.rank, ranks, 1).preloaded);
}

const hs__presence *hs__presence_known(void)
{
    return &self.known;
}

void hs__presence_end(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        if (self.socket[kind] >= 0)
            close(self.socket[kind]);
        self.socket[kind] = -1;
    }
}

int hs__presence_covers(MPI_Comm comm)
{
    int inter = 0, covered;
    MPI_Group group;
    if (!self.known.everywhere || comm == MPI_COMM_NULL)
        return 0;
    if (comm == MPI_COMM_WORLD || comm == hs__world.comm)
        return 1;
    PMPI_Comm_group(comm, &group);
    covered = hs__world_has(group);
    PMPI_Group_free(&group);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter) {
        PMPI_Comm_remote_group(comm, &group);
        covered &= hs__world_has(group);
        PMPI_Group_free(&group);
    }
    return covered;
}
