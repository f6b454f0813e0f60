/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a collective plan is a tree or a ring over all ranks. */
#include <heteroslice/hs_collective.h>

#include "util/array.h"
#include "util/status.h"
#include <stdlib.h>

/* Every rank has a place of its own. */
static hs_status check_places(const int *place, int ranks, hs_error *error)
{
    char *seen = hs__array_new((size_t)ranks, 1);
    hs_status status = seen ? HS_OK : HS_ERR_NOMEM;
    for (int r = 0; r < ranks && status == HS_OK; r++) {
        if (place[r] < 0 || place[r] >= ranks || seen[place[r]])
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d is at place %d, out of range or not alone", r,
                                  place[r]);
        else
            seen[place[r]] = 1;
    }
    free(seen);
    return status;
}

/* Parents join before their children, so there is no cycle. */
static hs_status check_tree(const hs_collective *plan, int ranks, hs_error *error)
{
    const int *parent = hs_collective_parent(plan), *place = hs_collective_place(plan);
    const int *window = hs_collective_window(plan);
    int root = hs_collective_root(plan);
    if (root < 0 || root >= ranks || parent[root] != -1 || place[root] != 0)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d is no root of the tree", root);
    for (int r = 0; r < ranks; r++) {
        if (r != root && (parent[r] < 0 || parent[r] >= ranks || place[parent[r]] >= place[r]))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d has parent %d, which is not in the tree before it",
                                r, parent[r]);
        if (window[r] < 1 || window[r] > 2)
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d has a window of %d pieces", r, window[r]);
    }
    return HS_OK;
}

static hs_status check_ring(const hs_collective *plan, int ranks, hs_error *error)
{
    const int *next = hs_collective_parent(plan), *place = hs_collective_place(plan);
    for (int r = 0; r < ranks; r++)
        if (next[r] < 0 || next[r] >= ranks || place[next[r]] != (place[r] + 1) % ranks)
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d sends to rank %d, which is not next in the ring", r,
                                next[r]);
    return HS_OK;
}

hs_status hs_collective_check(const hs_collective_params *params, const hs_collective *plan, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(params, error);
    HS__RETURN_ERROR_IF_NULL(plan, error);
    int ranks = params->ranks, is_ring = hs_collective_shape_of(plan) == HS_COLLECTIVE_RING;
    hs_status status = check_places(hs_collective_place(plan), ranks, error);
    if (status == HS_OK)
        status = is_ring ? check_ring(plan, ranks, error) : check_tree(plan, ranks, error);
    if (status != HS_OK)
        return status;
    if (is_ring ? hs_collective_root(plan) != -1 : params->root >= 0 && hs_collective_root(plan) != params->root)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the root is %d, %d was asked for", hs_collective_root(plan),
                            params->root);
    if (!(hs_collective_time(plan) >= hs_collective_lower_bound(plan) * (1 - 1e-9)))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "%g s are below the lower bound of %g s",
                            hs_collective_time(plan), hs_collective_lower_bound(plan));
    return HS_OK;
}
