/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/curves.h"
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

static hs_status make_room(hs__curves *c, int ranks, int points)
{
    c->function = hs__array_new((size_t)ranks, sizeof *c->function);
    c->point = hs__array_new((size_t)points, sizeof *c->point);
    if (c->function && c->point)
        return HS_OK;
    hs__curves_free(c);
    return HS_ERR_NOMEM;
}

static int ranks_on(const int *host, int ranks, int which)
{
    int n = 0;
    for (int r = 0; r < ranks; r++)
        n += host[r] == which;
    return n;
}

/* A host's function is of one core, by the slice of the whole host: what one of its n ranks gets, which share both. */
static void fill(const hs_platform *platform, const int *host, int ranks, hs__curves *c)
{
    hs_speed_point *room = c->point;
    for (int r = 0; r < ranks; r++) {
        int cores = hs_platform_host_cores(platform, host[r]), n = ranks_on(host, ranks, host[r]);
        c->function[r] = hs__speed_scaled(hs_platform_host_speed_function(platform, host[r]), 1.0 / n,
                                          n > cores ? (double)cores / n : 1, room);
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
    hs_status status = known ? make_room(c, ranks, points) : HS_OK;
    if (known && status == HS_OK)
        fill(platform, host, ranks, c);
    return status;
}

hs_status hs__curves_share(hs__peers *peers, int rank, int ranks, hs__curves *c)
{
    struct {
        int known, points;
    } extent = {c->function != NULL, 0};
    for (int r = 0; c->function && r < ranks; r++)
        extent.points += c->function[r].points;
    hs_status status = hs__peers_share(peers, 0, &extent, sizeof extent);
    if (status != HS_OK || !extent.known)
        return status;
    status = hs__peers_agree(peers, rank == 0 ? HS_OK : make_room(c, ranks, extent.points), NULL);
    if (status == HS_OK)
        status = hs__peers_share(peers, 0, c->function, (size_t)ranks * sizeof *c->function);
    hs_speed_point *point = c->point;
    for (int r = 0; status == HS_OK && r < ranks; r++) { /* pointers are each rank's own */
        c->function[r].point = point;
        point += c->function[r].points;
    }
    return status == HS_OK ? hs__peers_share(peers, 0, c->point, (size_t)extent.points * sizeof *c->point) : status;
}
