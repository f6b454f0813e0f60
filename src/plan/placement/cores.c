/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/placement/cores.h"
#include "util/pool.h"
#include <math.h>

/* Of the host that a rank is on. */
typedef struct host_sums {
    double speed, weight;
    int is_unknown; /* the capacity of some rank */
} host_sums;

/* The part of a core that a rank's quota leaves it. */
static double part_of_core(int ranks, const int *host, const hs__rank_cores *cores, int rank)
{
    int sharing = 0;
    if (!isfinite(cores[rank].quota))
        return 1;
    for (int r = 0; r < ranks; r++)
        sharing += host[r] == host[rank] && cores[r].group == cores[rank].group;
    return fmin(1, cores[rank].quota / sharing);
}

hs_status hs__rank_speeds_divide(int ranks, const int *host, const hs__rank_cores *cores, double *speed)
{
    hs__pool pool = {0};
    int hosts = 0;
    for (int r = 0; r < ranks; r++)
        hosts = host[r] < hosts ? hosts : host[r] + 1;
    double *weight = hs__pool_new(&pool, (size_t)ranks, sizeof *weight);
    host_sums *sums = hs__pool_new(&pool, (size_t)hosts, sizeof *sums);
    hs_status status = hs__pool_status(&pool);
    for (int r = 0; status == HS_OK && r < ranks; r++)
        sums[host[r]].is_unknown |= !(cores[r].capacity > 0);
    for (int r = 0; status == HS_OK && r < ranks; r++) {
        weight[r] = part_of_core(ranks, host, cores, r) * (sums[host[r]].is_unknown ? 1 : cores[r].capacity);
        sums[host[r]].weight += weight[r];
        sums[host[r]].speed += speed[r];
    }
    for (int r = 0; status == HS_OK && r < ranks; r++)
        if (sums[host[r]].weight > 0)
            speed[r] = sums[host[r]].speed * weight[r] / sums[host[r]].weight;
    hs__pool_free(&pool);
    return status;
}
