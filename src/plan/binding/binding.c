/* SPDX-License-Identifier: BSD-3-Clause */
/* Cores to the ranks of a node: own cores where there are enough, else shared ones, and only if the model says that it
 * is faster than the present binding. */
#include "plan/binding/binding.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <string.h>

/* Less than this is rounding. */
static const double least_gain = 1e-9;

static int cores_of(const hs__binding_node *node, const char *set, int rank)
{
    int n = 0;
    while (!hs__binding_has(node, set, rank, n))
        n++;
    return n;
}

static int is_valid(const hs__binding_node *node, const char *now)
{
    if (node->ranks < 1 || node->cores < 1)
        return 0;
    for (int c = 0; c < node->cores; c++)
        if (!(node->speed[c] > 0) || !isfinite(node->speed[c]))
            return 0;
    for (int r = 0; r < node->ranks; r++)
        if (!(node->work[r] >= 0) || !isfinite(node->work[r]) || (node->width && node->width[r] < 1) ||
            cores_of(node, node->allowed, r) == 0 || cores_of(node, now, r) == 0)
            return 0;
    return 1;
}

/* One core each, the rest to ranks that can use more, always where the most work a core is. As in placement.c this is
 * optimal where cores are alike. */
static void count_cores(const hs__binding_node *node, int *count)
{
    int left = node->cores - node->ranks;
    for (int r = 0; r < node->ranks; r++)
        count[r] = 1;
    for (; left > 0; left--) {
        int most = -1;
        for (int r = 0; r < node->ranks; r++)
            if (node->width && count[r] < node->width[r] && count[r] < cores_of(node, node->allowed, r) &&
                (most < 0 || node->work[r] / count[r] > node->work[most] / count[most]))
                most = r;
        if (most < 0)
            return;
        count[most]++;
    }
}

/* Own cores, as many as are wanted, or one; else shared ones. */
static hs_status choose(const hs__binding_node *node, const char *now, int *count, char *set)
{
    hs_status status = HS_UNCHANGED;
    if (node->ranks <= node->cores) {
        count_cores(node, count);
        status = hs__binding_match(node, count, now, set);
        for (int r = 0; status == HS_UNCHANGED && r < node->ranks; r++)
            count[r] = 1;
        if (status == HS_UNCHANGED)
            status = hs__binding_match(node, count, now, set);
    }
    return status == HS_UNCHANGED ? hs__binding_share(node, now, set) : status;
}

hs_status hs__binding_plan(const hs__binding_node *node, const char *now, char *set, double *time_now, double *time_set)
{
    hs__pool pool = {0};
    double before, after;
    if (!is_valid(node, now))
        return HS_ERR_ARG;
    size_t size = (size_t)node->ranks * (size_t)node->cores;
    int *count = hs__pool_new(&pool, (size_t)node->ranks, sizeof *count);
    char *made = hs__pool_new(&pool, size, 1);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK)
        status = choose(node, now, count, made);
    if (status == HS_OK)
        status = hs__binding_time(node, now, &before);
    if (status == HS_OK)
        status = hs__binding_time(node, made, &after);
    if (status != HS_OK)
        goto out;
    HS_ASSERT(hs__binding_check(node, made, NULL) == HS_OK);
    if (after < before * (1 - least_gain)) {
        memcpy(set, made, size);
    } else {
        after = before;
        status = HS_UNCHANGED;
    }
    *time_now = before;
    *time_set = after;
out:
    hs__pool_free(&pool);
    return status;
}
