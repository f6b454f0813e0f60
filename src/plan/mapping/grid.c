/* SPDX-License-Identifier: BSD-3-Clause */
/* A Cartesian grid as a graph. */
#include "plan/mapping/problem.h"
#include "util/pool.h"
#include "util/status.h"
#include <limits.h>
#include <math.h>

static hs_status count_cells(int dimensions, const int *extent, const int *periodic, const double *bytes, int *cells,
                             hs_error *error)
{
    int64_t product = 1;
    if (dimensions < 0 || dimensions > HS_MAPPING_DIMENSIONS_MAX)
        return hs_error_set(error, HS_ERR_ARG, 0, "%d dimensions are not between 0 and %d", dimensions,
                            HS_MAPPING_DIMENSIONS_MAX);
    if (dimensions > 0 && (!extent || !periodic))
        return hs_error_set(error, HS_ERR_ARG, 0, "no extent of the dimensions, or not which are periodic");
    for (int d = 0; d < dimensions; d++) {
        if (extent[d] < 1 || product > INT_MAX / extent[d])
            return hs_error_set(error, HS_ERR_ARG, 0, "%d cells along dimension %d are too few or too many", extent[d],
                                d);
        if (bytes && (!(bytes[d] >= 0) || !isfinite(bytes[d])))
            return hs_error_set(error, HS_ERR_ARG, 0, "%g bytes along dimension %d", bytes[d], d);
        product *= extent[d];
    }
    *cells = (int)product;
    return HS_OK;
}

/* The neighbour of a cell along a dimension, -1 where there is none. */
static int neighbour(int cell, int stride, int extent, int periodic, int step)
{
    int place = cell / stride % extent + step;
    if (place >= 0 && place < extent)
        return cell + step * stride;
    return periodic ? cell - step * (extent - 1) * stride : -1;
}

hs_status hs_mapping_grid_ranks(const hs_platform *platform, const hs_mapping_params *params, int dimensions,
                                const int *extent, const int *periodic, const double *bytes, int *rank,
                                hs_mapping_cost *cost, hs_mapping_cost *before, hs_error *error)
{
    hs__pool pool = {0};
    int cells = 0;
    int64_t edges = 0;
    hs_status status = count_cells(dimensions, extent, periodic, bytes, &cells, error);
    if (status != HS_OK)
        return status;
    size_t room = (size_t)cells * 2 * (size_t)dimensions;
    int64_t *first = hs__pool_new(&pool, (size_t)cells + 1, sizeof *first);
    int *to = hs__pool_new(&pool, room, sizeof *to);
    double *sent = hs__pool_new(&pool, room, sizeof *sent);
    if (hs__pool_status(&pool) != HS_OK) {
        status = hs__error_status(error, HS_ERR_NOMEM);
        goto out;
    }
    for (int v = 0; v < cells; v++) {
        for (int d = dimensions - 1, stride = 1; d >= 0; stride *= extent[d--])
            for (int step = -1; step <= 1; step += 2) {
                int other = neighbour(v, stride, extent[d], periodic[d], step);
                if (other < 0)
                    continue;
                to[edges] = other;
                sent[edges++] = bytes ? bytes[d] : 1;
            }
        first[v + 1] = edges;
    }
    hs_mapping_graph graph = {cells, first, to, sent};
    status = hs__mapping_solve(platform, params, &graph, dimensions, extent, rank, cost, before, error);
out:
    hs__pool_free(&pool);
    return status;
}
