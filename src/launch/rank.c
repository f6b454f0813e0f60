/* SPDX-License-Identifier: BSD-3-Clause */
/* What launchers tell the processes that they start: by variables, and by a socket. */
#include "config.h"

#include "launch/rank.h"
#include "util/assert.h"
#include "util/options.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The number in the first of these variables that has one. */
static int number_in(const char *const *names)
{
    for (; *names; names++) {
        const char *text = hs__options_environment(*names);
        char *end;
        long value = text ? strtol(text, &end, 10) : -1;
        if (text && end != text && !*end && value >= 0 && value <= 1 << 24)
            return (int)value;
    }
    return -1;
}

hs__launch_rank hs__launch_this_rank(void)
{
    /* Open MPI, any PMIx, MPICH, Slurm; MVAPICH2 */
    static const char *const rank[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", NULL};
    static const char *const ranks[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", NULL};
    static const char *const local_rank[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", NULL};
    static const char *const local_ranks[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                              "MV2_COMM_WORLD_LOCAL_SIZE", NULL};
    return (hs__launch_rank){number_in(rank), number_in(ranks), number_in(local_rank), number_in(local_ranks)};
}

hs__mpi_flavour hs__launch_flavour(void)
{
    static const char *const open_mpi[] = {"OMPI_COMM_WORLD_SIZE", NULL}, *const hydra[] = {"MPI_LOCALRANKID", NULL};
    int by_open_mpi = number_in(open_mpi) >= 0, by_hydra = number_in(hydra) >= 0;
    if (by_open_mpi == by_hydra)
        return HS__MPI_NONE;
    return by_open_mpi ? HS__MPI_OPENMPI : HS__MPI_MPICH;
}

/* The launcher at the other end of MPICH's socket: two jobs on one host have different ones. 0 when there is none. */
static int launcher_of(const char *descriptor)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(atoi(descriptor), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? (int)peer.pid : 0;
}

void hs__launch_this_job(char *job, size_t room)
{
    const char *pmix = hs__options_environment("PMIX_NAMESPACE"), *pmi = hs__options_environment("PMI_FD");
    int pid = !pmix && pmi ? launcher_of(pmi) : 0;
    job[0] = '\0';
    if (pmix)
        snprintf(job, room, "%d.%.90s", (int)getuid(), pmix);
    else if (pid > 0)
        snprintf(job, room, "%d.pmi.%d", (int)getuid(), pid);
    HS_ASSERT(strlen(job) + 1 < room);
}
