/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts of a placement in the order of a ring. The ring planner weighs messages against computing; here every host
 * keeps its ranks, so the weight only has to be small enough to keep all hosts in and large enough to tell rings apart.
 */
#include "plan/placement/placement.h"
#include "util/array.h"
#include "util/status.h"
#include <heteroslice/hs_ring.h>
#include <math.h>
#include <stdlib.h>

/* Bandwidth of the narrowest route between two hosts with ranks; INFINITY when there are no two.
 * @return HS_OK; HS_ERR_NOMEM, when a rank that went on would order hosts otherwise than the others do */
static hs_status narrowest(const hs_platform *platform, const double *speed, double *least)
{
    hs_route route = {0};
    hs_status status = HS_OK;
    int hosts = hs_platform_hosts(platform);
    *least = INFINITY;
    for (int a = 0; a < hosts && status != HS_ERR_NOMEM; a++)
        for (int b = 0; b < hosts && status != HS_ERR_NOMEM; b++) {
            if (a == b || speed[a] <= 0 || speed[b] <= 0)
                continue;
            status = hs_platform_route(platform, a, b, &route);
            if (status == HS_OK)
                *least = fmin(*least, route.bandwidth);
        }
    hs_route_free(&route);
    return status == HS_ERR_NOMEM ? status : HS_OK;
}

/* Ring members in ring order, then the hosts it left out. */
static int collect(const hs_ring *ring, const int *node, const int64_t *count, int hosts, int *order)
{
    int n = 0;
    for (int k = 0; k < hs_ring_size(ring); k++)
        for (int i = 0; i < hosts; i++)
            if (count[i] > 0 && node[i] == hs_ring_host(ring, k))
                order[n++] = i;
    int members = n;
    for (int i = 0; i < hosts; i++) {
        int in = count[i] == 0;
        for (int k = 0; k < members && !in; k++)
            in = order[k] == i;
        if (!in)
            order[n++] = i;
    }
    return n;
}

hs_status hs__placement_order(const hs_platform *platform, const int *node, const hs__placement_host *host,
                              const int64_t *count, int hosts, double halo, int *order, int *n, hs_error *error)
{
    hs_ring *ring = NULL;
    hs_ring_params params;
    double bandwidth, *speed = hs__array_new((size_t)hs_platform_hosts(platform), sizeof *speed);
    if (!speed)
        return hs__error_status(error, HS_ERR_NOMEM);
    hs_ring_params_init(&params);
    for (int i = 0; i < hosts; i++)
        if (count[i] > 0) {
            speed[node[i]] = host[i].speed * fmin(host[i].cores, (double)count[i]);
            params.work += speed[node[i]];
        }
    hs_status status = narrowest(platform, speed, &bandwidth);
    if (status != HS_OK) {
        hs__error_status(error, status);
        goto out;
    }
    params.halo = isfinite(bandwidth) ? halo * bandwidth : 0;
    params.speed = speed;
    if ((status = hs_ring_create(platform, &params, &ring, error)) == HS_OK)
        *n = collect(ring, node, count, hosts, order);
out:
    hs_ring_free(ring);
    free(speed);
    return status;
}
