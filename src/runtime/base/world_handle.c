/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/world_handle.h"
#include "runtime/base/environment.h"
#include "runtime/base/hot.h"
#include "runtime/reorder/reorder.h"
#include "util/array.h"
#include <stdlib.h>

#define NO_COMM ((MPI_Comm)(intptr_t)-1)
HS__HOT MPI_Comm hs__world = MPI_COMM_WORLD, hs__world_replaced = NO_COMM;
MPI_Fint hs__world_given = -1, hs__world_taken = -1; /* no communicator's integer in any library known */

hs_status hs__world_ranks(MPI_Group group, int *world)
{
    int size;
    MPI_Group all;
    PMPI_Group_size(group, &size);
    int *rank = hs__array_new((size_t)size, sizeof *rank);
    if (!rank)
        return HS_ERR_NOMEM;
    for (int r = 0; r < size; r++)
        rank[r] = r;
    PMPI_Comm_group(hs__world, &all);
    PMPI_Group_translate_ranks(group, size, rank, all, world);
    PMPI_Group_free(&all);
    free(rank);
    return HS_OK;
}

/* Neighbours in rank, the last and the first too: what rows, rings and blocks of rows do. */
static hs_status make_ring(int ranks, int64_t **first, int **to)
{
    *first = hs__array_new((size_t)ranks + 1, sizeof **first);
    *to = hs__array_new(2 * (size_t)ranks, sizeof **to);
    if (!*first || !*to) {
        free(*first);
        free(*to);
        return HS_ERR_NOMEM;
    }
    for (int r = 0; r < ranks; r++) {
        (*to)[2 * r] = (r + ranks - 1) % ranks;
        (*to)[2 * r + 1] = (r + 1) % ranks;
        (*first)[r + 1] = 2 * (r + 1);
    }
    return HS_OK;
}

/* Rank 0: who talks to whom. */
static hs_status find_traffic(int ranks, int64_t **first, int **to, double **bytes)
{
    const char *path = hs__environment()->traffic;
    hs_error error = {0};
    if (path[0]) {
        hs_status status = hs__traffic_read(path, ranks, first, to, bytes, &error);
        if (status == HS_OK)
            return HS_OK;
        hs__environment_log(HS__LOG_WARN, "HS_TRAFFIC: %s; neighbours in rank are taken to talk", error.text);
    }
    return make_ring(ranks, first, to);
}

/* Duplicates of MPI_COMM_WORLD have its attributes, and so do those of what stands for it: a mark goes with them. */
static int mark = MPI_KEYVAL_INVALID;

int hs__world_is_source(MPI_Comm comm)
{
    void *value;
    int found = 0;
    if (mark != MPI_KEYVAL_INVALID)
        PMPI_Comm_get_attr(comm, mark, &value, &found);
    return found;
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF, the first one last, and then those of MPI_COMM_WORLD. */
static int leave(MPI_Comm self, int key, void *value, void *extra)
{
    MPI_Comm ordered = hs__world;
    PMPI_Comm_free(&ordered);
    hs__world = MPI_COMM_WORLD;
    hs__world_replaced = NO_COMM;
    hs__world_given = hs__world_taken = -1;
    return MPI_SUCCESS;
}

static void set_marks(MPI_Comm ordered)
{
    int last = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &mark, NULL);
    PMPI_Comm_set_attr(ordered, mark, &mark);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, leave, &last, NULL);
    PMPI_Comm_set_attr(MPI_COMM_SELF, last, NULL);
    PMPI_Comm_free_keyval(&last);
}

/* Collective: everybody takes the place of the vertex he plays. */
static void take_order(const int *player, int rank, int size)
{
    MPI_Comm ordered;
    if (PMPI_Comm_split(MPI_COMM_WORLD, 0, hs__reorder_place(player, size, rank), &ordered) != MPI_SUCCESS)
        return;
    PMPI_Comm_set_name(ordered, "MPI_COMM_WORLD");
    set_marks(ordered);
    hs__world_given = PMPI_Comm_c2f(MPI_COMM_WORLD);
    hs__world_taken = PMPI_Comm_c2f(ordered);
    hs__world = ordered;
    hs__world_replaced = MPI_COMM_WORLD;
}

void hs__world_reorder(void)
{
    int rank, size;
    int64_t *first = NULL;
    int *to = NULL;
    double *bytes = NULL;
    MPI_Comm parent;
    PMPI_Comm_get_parent(&parent);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (parent != MPI_COMM_NULL || size < 3)
        return;
    hs__reorder_request request = {.keep_first = 1};
    int *player = hs__array_new((size_t)size, sizeof *player);
    if (rank == 0 && find_traffic(size, &first, &to, &bytes) == HS_OK)
        request.graph = (hs_mapping_graph){size, first, to, bytes};
    if (hs__reorder_plan(MPI_COMM_WORLD, &request, player))
        take_order(player, rank, size);
    free(bytes);
    free(to);
    free(first);
    free(player);
}
