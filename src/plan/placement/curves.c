/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/placement/curves.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/speed.h"
#include <math.h>
#include <stdlib.h>

void hs__curves_free(hs__curves *c)
{
    free(c->function);
    free(c->point);
    *c = (hs__curves){0};
}

hs_status hs__curves_create(int ranks, int points, hs__curves *c)
{
    c->function = hs__array_new((size_t)ranks, sizeof *c->function);
    c->point = hs__array_new((size_t)points, sizeof *c->point);
    if (c->function && c->point)
        return HS_OK;
    hs__curves_free(c);
    return HS_ERR_NOMEM;
}

int hs__ranks_on(const int *host, int ranks, int which)
{
    int n = 0;
    for (int r = 0; r < ranks; r++)
        n += host[r] == which;
    return n;
}

double hs__core_share(const hs_platform *platform, int host, int n)
{
    int cores = hs_platform_host_cores(platform, host);
    return n > cores ? (double)cores / n : 1;
}

/* A host's function is of one core, by the slice of the whole host: what one of its n ranks gets, which share both. */
static void fill(const hs_platform *platform, const int *host, int ranks, hs__curves *c)
{
    hs_speed_point *room = c->point;
    for (int r = 0; r < ranks; r++) {
        int n = hs__ranks_on(host, ranks, host[r]);
        c->function[r] = hs__speed_scaled(hs_platform_host_speed_function(platform, host[r]), 1.0 / n,
                                          hs__core_share(platform, host[r], n), room);
        room += c->function[r].points;
        HS_ASSERT(hs_speed_check(&c->function[r], NULL) == HS_OK);
    }
}

hs_status hs__curves_of(const hs_platform *platform, const int *host, int ranks, hs__curves *c)
{
    int points = 0, known = 0;
    for (int r = 0; r < ranks; r++) {
        const hs_speed_function *function = hs_platform_host_speed_function(platform, host[r]);
        points += function->points;
        known = known || function->points > 0 || isfinite(function->max_size);
    }
    hs_status status = known ? hs__curves_create(ranks, points, c) : HS_OK;
    if (known && status == HS_OK)
        fill(platform, host, ranks, c);
    return status;
}
