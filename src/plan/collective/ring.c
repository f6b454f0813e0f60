/* SPDX-License-Identifier: BSD-3-Clause */
/* All-reduce around a ring: the vector is cut into one part a host; in hosts - 1 steps the parts are combined on their
 * way around, in as many more the results go around. All hosts send at the same time, each to the next. */
#include "plan/collective/collective.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>

/* From the present host to the one not yet in the ring with the largest bandwidth, then the least latency, then the
 * lowest number: hosts behind one switch follow each other. */
static int nearest(const hs__routes *x, int from, const char *taken)
{
    int best = -1;
    for (int j = 0; j < x->hosts; j++) {
        int pair = from * x->hosts + j, before = from * x->hosts + best;
        if (!taken[j] && (best < 0 || x->bandwidth[pair] > x->bandwidth[before] ||
                          (x->bandwidth[pair] == x->bandwidth[before] && x->latency[pair] < x->latency[before])))
            best = j;
    }
    return best;
}

/* Seconds of the slowest message when all hosts of the ring send at once; flows is scratch by link. */
static double slowest_message(const hs__routes *x, const int *order, double bytes, int *flows)
{
    double slowest = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < x->hosts; k++) {
            int pair = order[k] * x->hosts + order[(k + 1) % x->hosts];
            double rate = x->bandwidth[pair];
            for (int i = x->first[pair]; i < x->first[pair + 1]; i++) {
                int l = x->link[i];
                flows[l] += pass == 0;
                rate = fmin(rate, x->capacity[l] / flows[l]);
            }
            if (pass == 1)
                slowest = fmax(slowest, x->overhead + x->latency[pair] + bytes / rate);
        }
    return slowest;
}

hs_status hs__ring_time(const hs__routes *x, double bytes, int *order, double *time)
{
    hs__pool pool = {0};
    char *taken = hs__pool_new(&pool, (size_t)x->hosts, sizeof *taken);
    int *flows = hs__pool_new(&pool, (size_t)x->links, sizeof *flows);
    hs_status status = hs__pool_status(&pool);
    double part = bytes / x->hosts;
    for (int k = 0; k < x->hosts && status == HS_OK; k++) {
        order[k] = k == 0 ? 0 : nearest(x, order[k - 1], taken);
        HS_ASSERT(order[k] >= 0 && !taken[order[k]]);
        taken[order[k]] = 1;
    }
    if (status == HS_OK)
        *time = (x->hosts - 1) * (2.0 * slowest_message(x, order, part, flows) + part * x->combine);
    hs__pool_free(&pool);
    return status;
}
