/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept with a communicator: a duplicate for our messages, where its ranks run, and the plans made so far. */
#include "runtime/base/host_names.h"
#include "runtime/base/presence.h"
#include "runtime/base/world_handle.h"
#include "runtime/collectives/collectives.h"
#include "util/array.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS_LEAST = 3 };

static struct {
    int keyval;
    char path[256], name[HS__HOST_NAME_SIZE];
    hs_platform *platform; /* read by who plans, when first needed; owned */
    int tried;
} kept = {.keyval = MPI_KEYVAL_INVALID};

static void entry_free(hs__collective_entry *entry)
{
    while (entry) {
        hs__collective_entry *next = entry->next;
        free(entry->part.child);
        free(entry);
        entry = next;
    }
}

static void crew_free(hs__comm_state *crew)
{
    for (int kind = 0; kind < HS__COLLECTIVE_KINDS; kind++)
        for (int c = 0; c < HS__COLLECTIVE_CLASSES; c++)
            entry_free(crew->entry[kind][c]);
    if (crew->internal != MPI_COMM_NULL)
        PMPI_Comm_free(&crew->internal);
    free(crew->host);
    free(crew);
}

/* MPI calls this when the communicator is freed. */
static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    crew_free(value);
    return MPI_SUCCESS;
}

int hs__comm_states_start(const hs__options *options)
{
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &kept.keyval, NULL) != MPI_SUCCESS)
        return 0;
    memcpy(kept.path, options->platform, sizeof kept.path);
    hs__host_name(options->lab_host[0] ? options->lab_host : NULL, kept.name);
    return 1;
}

void hs__comm_states_stop(void)
{
    void *crew;
    int found = 0;
    PMPI_Comm_get_attr(hs__world, kept.keyval, &crew, &found);
    if (found)
        PMPI_Comm_delete_attr(hs__world, kept.keyval);
    PMPI_Comm_free_keyval(&kept.keyval);
    hs_platform_free(kept.platform);
    kept.platform = NULL;
    kept.tried = 0;
}

/* Threads may begin on several communicators at once. */
static const hs_platform *platform_once(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    hs_error ignored;
    pthread_mutex_lock(&mutex);
    if (!kept.tried && hs_platform_read(kept.path, &kept.platform, &ignored) != HS_OK)
        kept.platform = NULL;
    kept.tried = 1;
    pthread_mutex_unlock(&mutex);
    return kept.platform;
}

/* Rank 0: the platform's host of each rank. @return how many different ones, 0 when some rank is nowhere */
static int find_hosts(const char *names, int size, int *host)
{
    const hs_platform *platform = platform_once();
    int hosts = 0;
    hs_error ignored;
    if (!platform || hs__host_names_find(platform, names, size, "", host, &ignored) != HS_OK)
        return 0;
    char *seen = hs__array_new((size_t)hs_platform_hosts(platform), 1);
    if (!seen)
        return 0;
    for (int r = 0; r < size; r++) {
        hosts += !seen[host[r]];
        seen[host[r]] = 1;
    }
    free(seen);
    return hosts <= HS_COLLECTIVE_HOSTS_MAX ? hosts : 0;
}

/* Messages of packed bytes need that packing adds nothing. */
static int packs_plainly(MPI_Comm comm)
{
    int two = 0;
    return PMPI_Pack_size(2, MPI_DOUBLE, comm, &two) == MPI_SUCCESS && two == 2 * (int)sizeof(double);
}

/* Collective. @return 1 on all ranks when the communicator's calls can be ours */
static int settle(hs__comm_state *crew, MPI_Comm comm)
{
    char *names = NULL;
    int use = 0;
    if (crew->rank == 0) {
        names = hs__array_new((size_t)crew->size, sizeof kept.name);
        crew->host = hs__array_new((size_t)crew->size, sizeof(int));
    }
    int full = crew->rank == 0 && (!names || !crew->host), anywhere = 1;
    PMPI_Allreduce(&full, &anywhere, 1, MPI_INT, MPI_MAX, comm);
    if (!anywhere) {
        PMPI_Gather(kept.name, sizeof kept.name, MPI_CHAR, names, sizeof kept.name, MPI_CHAR, 0, comm);
        if (crew->rank == 0)
            use = find_hosts(names, crew->size, crew->host) >= HOSTS_LEAST && packs_plainly(comm);
        PMPI_Bcast(&use, 1, MPI_INT, 0, comm);
    }
    free(names);
    if (!use || PMPI_Comm_split(comm, 0, crew->rank, &crew->internal) != MPI_SUCCESS)
        return 0;
    PMPI_Comm_set_errhandler(crew->internal, MPI_ERRORS_RETURN);
    return 1;
}

static hs__comm_state *crew_make(MPI_Comm comm)
{
    int inter = 0;
    hs__comm_state *crew = calloc(1, sizeof *crew);
    if (!crew)
        return NULL;
    crew->internal = MPI_COMM_NULL;
    PMPI_Comm_test_inter(comm, &inter);
    PMPI_Comm_rank(comm, &crew->rank);
    PMPI_Comm_size(comm, &crew->size);
    if (!inter && crew->size >= HOSTS_LEAST && hs__presence_covers(comm))
        settle(crew, comm);
    PMPI_Comm_set_attr(comm, kept.keyval, crew);
    return crew;
}

hs__comm_state *hs__comm_state_of(MPI_Comm comm)
{
    void *value = NULL;
    int found = 0;
    if (comm == MPI_COMM_NULL || PMPI_Comm_get_attr(comm, kept.keyval, &value, &found) != MPI_SUCCESS)
        return NULL;
    hs__comm_state *crew = found ? value : crew_make(comm);
    return crew && crew->internal != MPI_COMM_NULL ? crew : NULL;
}

/* What rank 0 tells first; parents, places and windows follow. */
typedef struct header {
    int shape, ready;
    double piece, expected;
} header;

static hs_collective *plan_of(const hs__comm_state *crew, hs_collective_kind kind, double bytes, int root)
{
    hs_collective_params p;
    hs_collective *plan = NULL;
    hs_error ignored;
    hs_collective_params_init(&p);
    p.kind = kind;
    p.bytes = bytes;
    p.ranks = crew->size;
    p.host = crew->host;
    p.root = root;
    return hs_collective_create(kept.platform, &p, &plan, &ignored) == HS_OK ? plan : NULL;
}

/* This rank's part of parents, places and windows, which follow each other. */
static hs_status part_init(hs__part *part, const hs__comm_state *crew, const header *head, const int *parent)
{
    const int *place = parent + crew->size, *window = place + crew->size;
    *part = (hs__part){.shape = (hs_collective_shape)head->shape,
                       .parent = parent[crew->rank],
                       .place = place[crew->rank],
                       .piece = head->piece,
                       .expected = head->expected,
                       .window = window[crew->rank],
                       .child = hs__array_new(2 * (size_t)crew->size, sizeof(int))};
    if (!part->child)
        return HS_ERR_NOMEM;
    part->windows = part->child + crew->size;
    for (int r = 0; r < crew->size; r++) {
        if (parent[r] != crew->rank)
            continue;
        part->prev = r;
        int k = part->children++;
        for (; k > 0 && place[part->child[k - 1]] > place[r]; k--)
            part->child[k] = part->child[k - 1];
        part->child[k] = r;
    }
    for (int k = 0; k < part->children; k++)
        part->windows[k] = window[part->child[k]];
    return HS_OK;
}

/* Collective. @return 1 on all ranks when there is a plan */
static int share_plan(const hs__comm_state *crew, hs_collective_kind kind, double bytes, int root, hs__part *part)
{
    header head = {0};
    size_t n = (size_t)crew->size;
    int *all = hs__array_new(3 * n, sizeof *all);
    hs_collective *plan = crew->rank == 0 && all ? plan_of(crew, kind, bytes, root) : NULL;
    if (plan) {
        head = (header){(int)hs_collective_shape_of(plan), 1, hs_collective_piece(plan), hs_collective_time(plan)};
        memcpy(all, hs_collective_parent(plan), n * sizeof(int));
        memcpy(all + n, hs_collective_place(plan), n * sizeof(int));
        memcpy(all + 2 * n, hs_collective_window(plan), n * sizeof(int));
    }
    hs_collective_free(plan);
    PMPI_Bcast(&head, sizeof head, MPI_BYTE, 0, crew->internal);
    int ready = 0, mine = head.ready && all;
    PMPI_Allreduce(&mine, &ready, 1, MPI_INT, MPI_MIN, crew->internal);
    if (ready) {
        PMPI_Bcast(all, 3 * crew->size, MPI_INT, 0, crew->internal);
        mine = part_init(part, crew, &head, all) == HS_OK;
        PMPI_Allreduce(&mine, &ready, 1, MPI_INT, MPI_MIN, crew->internal);
    }
    free(all);
    return ready;
}

int hs__comm_state_plan(const hs__comm_state *crew, hs__collective_entry *entry)
{
    return share_plan(crew, entry->kind, (double)((int64_t)1 << entry->size_class), entry->root, &entry->part);
}

hs__collective_entry *hs__comm_state_entry(hs__comm_state *crew, hs_collective_kind kind, int size_class, int root,
                                           int most)
{
    hs__collective_entry **list = &crew->entry[kind][size_class], *entry;
    int roots = 0;
    for (entry = *list; entry; entry = entry->next, roots++)
        if (entry->root == root)
            return entry;
    if (roots >= most)
        return NULL;
    entry = calloc(1, sizeof *entry);
    int mine = entry != NULL, all = 0;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, crew->internal);
    if (!all) {
        free(entry);
        return NULL;
    }
    entry->kind = kind;
    entry->size_class = size_class;
    entry->root = root;
    entry->next = *list;
    *list = entry;
    return entry;
}
