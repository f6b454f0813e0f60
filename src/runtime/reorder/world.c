/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_COMM_WORLD with its ranks in another order. */
#include "runtime/base/environment.h"
#include "runtime/base/world_handle.h"
#include "runtime/reorder/recorded_traffic.h"
#include "runtime/reorder/reorder.h"
#include "util/array.h"
#include <stdlib.h>

/* Neighbours in rank, the last and the first too: what rows, rings and blocks of rows do. */
static hs_status make_ring(int ranks, int64_t **first, int **to)
{
    *first = hs__array_new((size_t)ranks + 1, sizeof **first);
    *to = hs__array_new(2 * (size_t)ranks, sizeof **to);
    if (!*first || !*to)
        return HS_ERR_NOMEM; /* the caller frees both */
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

/* Collective: every rank takes the place of its vertex. */
static void take_order(const int *rank_of_vertex, int rank, int size)
{
    MPI_Comm ordered;
    if (PMPI_Comm_split(MPI_COMM_WORLD, 0, hs__reorder_place(rank_of_vertex, size, rank), &ordered) != MPI_SUCCESS)
        return;
    PMPI_Comm_set_name(ordered, "MPI_COMM_WORLD");
    hs__world_replace(ordered);
}

void hs__reorder_world(void)
{
    int rank, size;
    int64_t *first = NULL;
    int *to = NULL;
    double *bytes = NULL;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (hs__world_is_spawned() || size < 3)
        return;
    hs__reorder_request request = {.keep_first = 1};
    int *rank_of_vertex = hs__array_new((size_t)size, sizeof *rank_of_vertex);
    if (rank == 0 && find_traffic(size, &first, &to, &bytes) == HS_OK)
        request.graph = (hs_mapping_graph){size, first, to, bytes};
    if (hs__reorder_plan(MPI_COMM_WORLD, &request, rank_of_vertex))
        take_order(rank_of_vertex, rank, size);
    free(bytes);
    free(to);
    free(first);
    free(rank_of_vertex);
}
