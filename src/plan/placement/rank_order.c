/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/placement/rank_order.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

hs_status hs__rank_order_create(int ranks, hs__rank_order *order)
{
    size_t p = (size_t)ranks;
    *order = (hs__rank_order){.ranks = ranks,
                              .position = hs__array_new(p, sizeof *order->position),
                              .host = hs__array_new(p, sizeof *order->host),
                              .speed = hs__array_new(p, sizeof *order->speed)};
    if (order->position && order->host && order->speed)
        return HS_OK;
    hs__rank_order_free(order);
    return HS_ERR_NOMEM;
}

static size_t times_of(const hs__rank_order *order)
{
    return HS__RING_ENDS * (size_t)order->memberships;
}

hs_status hs__rank_order_reserve(hs__rank_order *order, int memberships)
{
    order->memberships = memberships;
    order->byte_s = hs__array_new(times_of(order) * (size_t)order->ranks, sizeof *order->byte_s);
    order->traffic = hs__array_new(times_of(order), sizeof *order->traffic);
    return order->byte_s && order->traffic ? HS_OK : HS_ERR_NOMEM;
}

void hs__rank_order_free(hs__rank_order *order)
{
    free(order->position);
    free(order->host);
    free(order->speed);
    hs__curves_free(&order->curves);
    free(order->byte_s);
    free(order->traffic);
    free(order->ring);
    *order = (hs__rank_order){0};
}

double hs__rank_speed(const hs_platform *platform, const int *host, int ranks, int which)
{
    return hs_platform_host_speed(platform, which) * hs__core_share(platform, which, hs__ranks_on(host, ranks, which));
}

/* The ring again, with those who took part in each membership of an order, which is known by rank. */
static hs_status plan_again(const hs_platform *platform, const double *speed, int most, const hs__rank_order *old,
                            hs__subrings **rings, hs_error *error)
{
    size_t ranks = (size_t)old->ranks, hosts = (size_t)old->ring_hosts;
    const hs__subrings known = {.size = old->ring_hosts, .host = old->ring, .count = old->memberships};
    char *member = hs__array_new((size_t)old->memberships * ranks, 1); /* at most as many hosts as ranks */
    if (!member)
        return hs__error_status(error, HS_ERR_NOMEM);
    for (int k = 0; k < old->memberships; k++) /* those that take part in no membership stand last */
        for (size_t r = 0, h = 0; r < ranks && isfinite(old->byte_s[r]); r++) {
            h += r > 0 && old->host[r] != old->host[r - 1];
            member[(size_t)k * hosts + h] = (char)isfinite(old->byte_s[(size_t)k * ranks + r]);
        }
    hs_status status = hs__subrings_again(platform, speed, most, &known, member, rings, error);
    free(member);
    return status;
}

/* Hosts without ranks get speed 0, which leaves them out of the ring. */
static hs_status plan_rings(const hs_platform *platform, const int *host, int ranks, int most,
                            const hs__rank_order *old, hs__subrings **rings, hs_error *error)
{
    int hosts = hs_platform_hosts(platform);
    double *speed = hs__array_new((size_t)hosts, sizeof *speed);
    if (!speed)
        return hs__error_status(error, HS_ERR_NOMEM);
    for (int h = 0; h < hosts; h++) {
        int n = hs__ranks_on(host, ranks, h);
        speed[h] = n > 0 ? n * hs__rank_speed(platform, host, ranks, h) : 0;
    }
    hs_status status = old ? plan_again(platform, speed, most, old, rings, error)
                           : hs__subrings_create(platform, speed, most, rings, error);
    free(speed);
    return status;
}

static void set_times(hs__rank_order *order, const hs__subrings *rings, int k, int position, int first, int last)
{
    for (hs__ring_ends ends = HS__RING_OPEN; ends < HS__RING_ENDS; ends++)
        for (int i = 0; i < order->memberships; i++) {
            hs__byte_time time = {INFINITY, INFINITY};
            if (k < rings->size)
                time = hs__subrings_at(rings, ends, i)[k];
            int member = isfinite(time.prev);
            size_t at =
                ((size_t)ends * (size_t)order->memberships + (size_t)i) * (size_t)order->ranks + (size_t)position;
            order->byte_s[at] = member ? fmax(first ? time.prev : 0, last ? time.next : 0) : INFINITY;
        }
}

/* What is planned, and for whom. */
typedef struct task {
    const hs_platform *platform;
    const int *host; /* [ranks as they were] */
    const hs__subrings *rings;
} task;

/* Gives the ranks of a host, at place k of the ring, the next positions. @return the position behind them */
static int seat(hs__rank_order *order, const task *t, int host, int k, int position)
{
    int seated = 0, n = hs__ranks_on(t->host, order->ranks, host);
    for (int r = 0; r < order->ranks; r++) {
        if (t->host[r] != host)
            continue;
        order->position[r] = position;
        order->speed[position] = hs__rank_speed(t->platform, t->host, order->ranks, host);
        order->host[position] = host;
        set_times(order, t->rings, k, position, seated == 0, seated == n - 1);
        position++;
        seated++;
    }
    return position;
}

/* Hosts of the ring first, in ring order. */
static hs_status seat_all(hs__rank_order *order, const task *t)
{
    const hs__subrings *rings = t->rings;
    int hosts = hs_platform_hosts(t->platform), position = 0;
    char *member = hs__array_new((size_t)hosts, 1);
    order->ring = hs__array_new((size_t)rings->size, sizeof *order->ring);
    if (!member || !order->ring || hs__rank_order_reserve(order, rings->count) != HS_OK) {
        free(member);
        return HS_ERR_NOMEM;
    }
    memcpy(order->traffic, rings->traffic, times_of(order) * sizeof *rings->traffic);
    for (int k = 0; k < rings->size; k++) {
        order->ring[order->ring_hosts++] = rings->host[k];
        member[rings->host[k]] = 1;
        position = seat(order, t, rings->host[k], k, position);
    }
    for (int h = 0; h < hosts; h++)
        if (!member[h])
            position = seat(order, t, h, rings->size, position);
    free(member);
    return HS_OK;
}

hs_status hs__rank_order_plan(hs__rank_order *order, const hs_platform *platform, const int *host, int most,
                              const hs__rank_order *old, hs_error *error)
{
    hs__subrings *rings = NULL;
    hs_status status = plan_rings(platform, host, order->ranks, most, old, &rings, error);
    const task t = {platform, host, rings};
    if (status == HS_OK &&
        (seat_all(order, &t) != HS_OK || hs__curves_of(platform, order->host, order->ranks, &order->curves) != HS_OK))
        status = hs__error_status(error, HS_ERR_NOMEM);
    hs__subrings_free(rings);
    HS_ASSERT(status != HS_OK || hs__rank_order_check(order, NULL) == HS_OK);
    return status;
}

hs_status hs__rank_order_check(const hs__rank_order *order, hs_error *error)
{
    for (int r = 0; r < order->ranks; r++) {
        int taken = 0;
        for (int q = 0; q < order->ranks; q++)
            taken += order->position[q] == r;
        if (taken != 1 || !(order->speed[r] >= 0))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "position %d of speed %g is taken %d times", r,
                                order->speed[r], taken);
        for (size_t k = 0; k < times_of(order); k++)
            if (!(order->byte_s[k * (size_t)order->ranks + (size_t)r] >= 0))
                return hs_error_set(error, HS_ERR_INTERNAL, 0, "a byte to position %d takes less than no time", r);
    }
    return HS_OK;
}

void hs__rank_order_messages(const hs__rank_order *order, hs__ring_ends ends, double bytes, double *comm)
{
    size_t all = (size_t)order->memberships * (size_t)order->ranks;
    const double *byte_s = order->byte_s + (size_t)ends * all;
    for (size_t i = 0; i < all; i++)
        comm[i] = isfinite(byte_s[i]) ? bytes * byte_s[i] : INFINITY;
}

const double *hs__rank_order_traffic(const hs__rank_order *order, hs__ring_ends ends)
{
    return order->traffic + (size_t)ends * (size_t)order->memberships;
}

double hs__rank_order_slowest(const double *time, int ranks)
{
    double longest = 0;
    for (int r = 0; r < ranks; r++)
        if (isfinite(time[r]))
            longest = fmax(longest, time[r]);
    return longest;
}
