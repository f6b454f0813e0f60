/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the ranks of a communicator run, and the plan that follows. */
#include "runtime/reorder/reorder.h"
#include "runtime/base/backoff.h"
#include "runtime/base/environment.h"
#include "runtime/base/host_names.h"
#include "runtime/base/named_platform.h"
#include "runtime/session/context.h"
#include "runtime/session/place.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/message.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The process's. */
static struct {
    hs_platform *_Atomic measured; /* by rank 0 of the first communicator that was planned for, where none is named */
    _Atomic int tried;             /* to measure it; while a thread does, the order of others' ranks stays */
    _Atomic int advised;           /* an order was looked for once */
    double carried;                /* then, of what the busiest link carries now; 0: no other order is better */
} kept;

void hs__reorder_stop(void)
{
    hs_platform_free(kept.measured);
    kept.measured = NULL;
    kept.tried = 0;
}

static int is_off(void)
{
    return hs__environment()->reorder == HS__REORDER_OFF;
}

static const hs_platform *platform_known(void)
{
    return kept.measured ? kept.measured : hs__named_platform();
}

int hs__reorder_advises(void)
{
    return hs__environment()->platform[0] && !kept.advised;
}

void hs__reorder_tell(void)
{
    if (kept.carried > 0)
        hs__message("with HS_REORDER=topology the busiest link would carry %.0f %% less between neighbours",
                    100 * (1 - kept.carried));
}

static void complain(const char *text)
{
    if (!is_off())
        hs__environment_log(HS__LOG_WARN, "HS_REORDER: %s; the order of ranks stays", text);
}

static int are_alike(const char *names, int size)
{
    for (int r = 1; r < size; r++)
        if (strcmp(names, names + (size_t)r * HS__HOST_NAME_SIZE) != 0)
            return 0;
    return 1;
}

/* What rank 0 wants of the others. */
typedef enum step { STEP_NOTHING, STEP_MEASURE, STEP_PLAN } step;

/* Rank 0 */
static step next_step(const char *names, int size)
{
    if (are_alike(names, size))
        return STEP_NOTHING;
    if (platform_known())
        return STEP_PLAN;
    return hs__environment_platform() || atomic_exchange(&kept.tried, 1) ? STEP_NOTHING : STEP_MEASURE;
}

/* Collective. @return whether rank 0 has a platform now; others do not know */
static int measure(MPI_Comm comm, int rank, int size)
{
    hs_error error = {0};
    hs_platform *platform = NULL;
    int *host = hs__array_new((size_t)size, sizeof *host);
    double *speed = hs__array_new((size_t)size, sizeof *speed);
    hs_params params = hs__complete_params(NULL, hs__environment());
    hs_status status = HS_ERR_NOMEM;
    params.platform = NULL; /* rank 0 has none */
    if (hs__all_ok(comm, host && speed))
        status = hs__place_measure(comm, &params, &platform, host, speed, &error);
    free(speed);
    free(host);
    if (rank == 0 && status == HS_OK) {
        kept.measured = platform;
        return 1;
    }
    if (rank == 0)
        complain(error.text[0] ? error.text : hs_status_text(status));
    hs_platform_free(platform);
    return 0;
}

/* Rank 0, where a line at level info is read: of the routes between all ranks, which the order was made for. */
static void tell_bounds(const hs_platform *platform, const int *host, int size)
{
    hs__bounds bounds;
    hs_route route = {0};
    if (hs__environment()->log < HS__LOG_INFO || hs__bounds_begin(platform, &bounds) != HS_OK)
        return;
    for (int r = 0; r < size; r++)
        for (int q = 0; q < size; q++)
            if (host[q] != host[r] && hs_platform_route(platform, host[r], host[q], &route) == HS_OK)
                hs__bounds_add(&bounds, route.links, route.count);
    hs__place_tell_bounds(&bounds, "HS_REORDER");
    hs_route_free(&route);
    hs__bounds_end(&bounds);
}

/* Rank 0. @return 1 when rank_of_vertex is another order than before */
static int plan(const char *names, int size, const hs__reorder_request *request, int *rank_of_vertex)
{
    hs_error error = {0};
    const hs_platform *platform = platform_known();
    hs_mapping_cost cost = {0, 0}, before = {0, 0};
    int *host = hs__array_new((size_t)size, sizeof *host);
    hs_mapping_params params = {.ranks = size, .host = host, .keep_first = request->keep_first};
    hs_status status = host ? hs__host_names_find(platform, names, size, host, &error) : HS_ERR_NOMEM;
    if (status == HS_OK && request->dimensions > 0)
        status = hs_mapping_grid_ranks(platform, &params, request->dimensions, request->extent, request->periodic, NULL,
                                       rank_of_vertex, &cost, &before, &error);
    else if (status == HS_OK)
        status = hs_mapping_graph_ranks(platform, &params, &request->graph, rank_of_vertex, &cost, &before, &error);
    if (status == HS_OK && !is_off())
        tell_bounds(platform, host, size);
    free(host);
    if (status < HS_OK)
        complain(error.text[0] ? error.text : hs_status_text(status));
    if (is_off()) {
        kept.carried = status == HS_OK && before.busiest > 0 ? cost.busiest / before.busiest : 0;
        return 0;
    }
    if (status >= HS_OK && before.busiest > 0)
        hs__environment_log(HS__LOG_INFO, "%d ranks %s: the busiest link carries %.3g of what it did", size,
                            status == HS_OK ? "in another order" : "stay in their order",
                            cost.busiest / before.busiest);
    return status == HS_OK;
}

int hs__reorder_plan(MPI_Comm comm, const hs__reorder_request *request, int *rank_of_vertex)
{
    int rank, size, wanted = STEP_NOTHING, changed = 0;
    char mine[HS__HOST_NAME_SIZE], *names = NULL;
    kept.advised = 1;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (!hs__all_ok(comm, rank_of_vertex != NULL) || size < 2)
        return 0;
    hs__host_name(hs__environment()->lab_host, mine);
    if (rank == 0)
        names = hs__array_new((size_t)size, HS__HOST_NAME_SIZE);
    if (!hs__all_ok(comm, rank != 0 || names)) {
        free(names);
        return 0;
    }
    PMPI_Gather(mine, HS__HOST_NAME_SIZE, MPI_CHAR, names, HS__HOST_NAME_SIZE, MPI_CHAR, 0, comm);
    if (rank == 0)
        wanted = next_step(names, size);
    PMPI_Bcast(&wanted, 1, MPI_INT, 0, comm);
    if (wanted == STEP_MEASURE)
        wanted = measure(comm, rank, size) ? STEP_PLAN : STEP_NOTHING;
    if (rank == 0 && wanted == STEP_PLAN)
        changed = plan(names, size, request, rank_of_vertex);
    free(names);
    PMPI_Bcast(&changed, 1, MPI_INT, 0, comm);
    if (changed)
        PMPI_Bcast(rank_of_vertex, size, MPI_INT, 0, comm);
    HS_ASSERT(!changed || hs__reorder_check(rank_of_vertex, size, NULL) == HS_OK);
    return changed;
}

hs_status hs__reorder_check(const int *rank_of_vertex, int size, hs_error *error)
{
    for (int r = 0; r < size; r++) {
        int vertices = 0;
        for (int v = 0; v < size; v++)
            vertices += rank_of_vertex[v] == r;
        if (vertices != 1)
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d has %d vertices", r, vertices);
    }
    return HS_OK;
}

int hs__reorder_place(const int *rank_of_vertex, int size, int rank)
{
    for (int v = 0; v < size; v++)
        if (rank_of_vertex[v] == rank)
            return v;
    return rank;
}
