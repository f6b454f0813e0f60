/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring/share.h"
#include <math.h>
#include <stdlib.h>

hs_status hs__sharing_init(hs__sharing *sharing, const hs__network *network)
{
    *sharing = (hs__sharing){0};
    return hs__crossings_init(&sharing->crossings, network);
}

void hs__sharing_free(hs__sharing *sharing)
{
    free(sharing->multiplier);
    hs__filling_free(&sharing->filling);
    hs__crossings_free(&sharing->crossings);
}

hs_status hs__share_maxmin(hs__sharing *sharing, const hs__path *const *path, int n, double *rate)
{
    hs_status status = hs__crossings_build(&sharing->crossings, path, n);
    hs__sharing_graph graph = hs__crossings_graph(&sharing->crossings);
    return status == HS_OK ? hs__maxmin_rates(&graph, &sharing->filling, rate) : status;
}

double hs__share_value(const hs__share_task *task, const double *rate)
{
    double eq4 = task->fixed, largest = 0.0;
    for (int f = 0; f < task->messages; f++)
        eq4 += task->weight[f] > 0 ? task->weight[f] / rate[f] : 0.0;
    for (int k = 0; k < task->pairs; k++)
        largest = fmax(largest, task->pair_fixed[k] + task->pair_weight / rate[task->pair[2 * k]] +
                                    task->pair_weight / rate[task->pair[2 * k + 1]]);
    return fmax(eq4, largest);
}
