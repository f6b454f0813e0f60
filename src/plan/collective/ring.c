/* SPDX-License-Identifier: BSD-3-Clause */
/* All-reduce around a ring: the vector is cut into one part a host; in hosts - 1 steps the parts are combined on their
 * way around, in as many more the results go around. All hosts send at the same time, each to the next. */
#include "plan/collective/collective.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>

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

double hs__ring_time(const hs__routes *x, double bytes, int *order)
{
    char *taken = hs__array_new((size_t)x->hosts, 1);
    int *flows = hs__array_new((size_t)x->links, sizeof *flows);
    double slowest = 0.0, part = bytes / x->hosts;
    if (!taken || !flows)
        slowest = INFINITY;
    for (int k = 0; k < x->hosts && taken && flows; k++) {
        order[k] = k == 0 ? 0 : nearest(x, order[k - 1], taken);
        HS_ASSERT(order[k] >= 0);
        taken[order[k]] = 1;
    }
    for (int pass = 0; pass < 2 && taken && flows; pass++)
        for (int k = 0; k < x->hosts; k++) {
            int pair = order[k] * x->hosts + order[(k + 1) % x->hosts];
            double rate = x->bandwidth[pair];
            for (int i = x->first[pair]; i < x->first[pair + 1]; i++) {
                int l = x->link[i];
                flows[l] += pass == 0;
                rate = fmin(rate, x->capacity[l] / flows[l]);
            }
            if (pass == 1)
                slowest = fmax(slowest, x->overhead + x->latency[pair] + part / rate);
        }
    free(flows);
    free(taken);
    return (x->hosts - 1) * (2.0 * slowest + part * x->combine);
}
