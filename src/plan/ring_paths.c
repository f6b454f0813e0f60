/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring_paths.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

struct hs__finder {
    hs__network *network;
    int i, j;
    const double *residual;
};

hs_status hs__finder_create(hs__network *network, hs_ring_routes routes, hs__finder **finder)
{
    if (routes != HS_RING_ROUTES_FIXED)
        return HS_ERR_UNSUPPORTED;
    hs__finder *made = hs__array_new(1, sizeof *made);
    if (!made)
        return HS_ERR_NOMEM;
    made->network = network;
    *finder = made;
    return HS_OK;
}

void hs__finder_free(hs__finder *finder)
{
    free(finder);
}

void hs__finder_gap(hs__finder *finder, int i, int j, const double *residual)
{
    finder->i = i;
    finder->j = j;
    finder->residual = residual;
}

static double width_of(const hs__path *path, const double *residual)
{
    double width = path->cap;
    for (int m = 0; m < path->count; m++)
        width = fmin(width, residual[path->links[m]]);
    return width;
}

hs_status hs__finder_paths(hs__finder *finder, int k, const hs__path *four[4], double width[4], int *found)
{
    const int from[4] = {finder->i, k, k, finder->j}, to[4] = {k, finder->i, finder->j, k};
    *found = 0;
    for (int f = 0; f < 4; f++) {
        hs_status status = hs__network_route(finder->network, from[f], to[f], &four[f]);
        if (status != HS_OK || !four[f])
            return status;
        width[f] = width_of(four[f], finder->residual);
    }
    *found = 1;
    return HS_OK;
}

hs_status hs__finder_keep(hs__finder *finder, const hs__path *four[4])
{
    return HS_OK;
}
