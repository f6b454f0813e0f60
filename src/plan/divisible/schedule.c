/* SPDX-License-Identifier: BSD-3-Clause */
/* The star and schedules on it. */
#include "plan/divisible/divisible.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/sort.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static hs_status rank_hosts(hs__star *star)
{
    hs__ranked *rank = hs__array_new((size_t)star->hosts, sizeof *rank);
    if (!rank)
        return HS_ERR_NOMEM;
    for (int i = 0; i < star->hosts; i++)
        rank[i] = (hs__ranked){star->c[i], i};
    hs__rank_least_first(rank, (size_t)star->hosts);
    for (int i = 0; i < star->hosts; i++)
        star->by_c[i] = rank[i].index;
    for (int i = 1; i < star->hosts; i++)
        HS_ASSERT(star->c[star->by_c[i - 1]] <= star->c[star->by_c[i]]);
    free(rank);
    return HS_OK;
}

hs_status hs__star_init(hs__star *star, const hs_divisible_params *params)
{
    size_t p = (size_t)params->hosts;
    *star = (hs__star){.hosts = params->hosts,
                       .w = params->cycle_time,
                       .c = params->comm_time,
                       .load = params->load,
                       .results = params->results,
                       .port = params->port,
                       .items = params->items};
    star->l = hs__pool_new(&star->pool, p, sizeof *star->l);
    star->s = hs__pool_new(&star->pool, p, sizeof *star->s);
    star->by_c = hs__pool_new(&star->pool, p, sizeof *star->by_c);
    if (hs__pool_status(&star->pool) != HS_OK || rank_hosts(star) != HS_OK) {
        hs__star_free(star);
        return HS_ERR_NOMEM;
    }
    for (int i = 0; i < star->hosts; i++) {
        if (params->latency && star->c[i] > 0.0)
            star->l[i] = params->latency[i];
        if (params->startup)
            star->s[i] = params->startup[i];
        star->affine |= star->l[i] > 0.0 || star->s[i] > 0.0;
        star->workers += !hs__star_is_master(star, i);
    }
    return HS_OK;
}

void hs__star_free(hs__star *star)
{
    hs__pool_free(&star->pool);
}

hs_status hs__schedule_init(hs__schedule *schedule, int hosts)
{
    size_t p = (size_t)hosts;
    *schedule = (hs__schedule){.makespan = INFINITY};
    schedule->send = hs__pool_new(&schedule->pool, p, sizeof *schedule->send);
    schedule->collect = hs__pool_new(&schedule->pool, p, sizeof *schedule->collect);
    schedule->load = hs__pool_new(&schedule->pool, p, sizeof *schedule->load);
    return hs__pool_complete(&schedule->pool);
}

void hs__schedule_free(hs__schedule *schedule)
{
    hs__pool_free(&schedule->pool);
}

void hs__schedule_copy(hs__schedule *to, const hs__schedule *from, int hosts)
{
    to->n = from->n;
    to->makespan = from->makespan;
    memcpy(to->send, from->send, (size_t)from->n * sizeof *to->send);
    memcpy(to->collect, from->collect, (size_t)from->n * sizeof *to->collect);
    memcpy(to->load, from->load, (size_t)hosts * sizeof *to->load);
}

static void masters_first(const hs__star *star, int *hosts, int n)
{
    for (int k = 0, place = 0; k < n; k++) {
        int host = hosts[k];
        if (!hs__star_is_master(star, host))
            continue;
        memmove(hosts + place + 1, hosts + place, (size_t)(k - place) * sizeof *hosts);
        hosts[place++] = host;
    }
}

static void masters_last(const hs__star *star, int *hosts, int n)
{
    for (int k = n - 1, place = n - 1; k >= 0; k--) {
        int host = hosts[k];
        if (!hs__star_is_master(star, host))
            continue;
        memmove(hosts + k, hosts + k + 1, (size_t)(place - k) * sizeof *hosts);
        hosts[place--] = host;
    }
}

/* Whether the masters are first in send and last in collect. */
static int is_settled(const hs__schedule *schedule, const hs__star *star)
{
    for (int k = 1; k < schedule->n; k++)
        if (hs__star_is_master(star, schedule->send[k]) > hs__star_is_master(star, schedule->send[k - 1]) ||
            hs__star_is_master(star, schedule->collect[k]) < hs__star_is_master(star, schedule->collect[k - 1]))
            return 0;
    return 1;
}

void hs__schedule_settle_masters(hs__schedule *schedule, const hs__star *star)
{
    if (star->workers == star->hosts)
        return;
    masters_first(star, schedule->send, schedule->n);
    masters_last(star, schedule->collect, schedule->n);
    HS_ASSERT(is_settled(schedule, star));
}

static int keep_loaded(const hs__schedule *schedule, int *hosts)
{
    int kept = 0;
    for (int k = 0; k < schedule->n; k++)
        if (schedule->load[hosts[k]] > 0.0)
            hosts[kept++] = hosts[k];
    return kept;
}

int hs__schedule_drop_idle(hs__schedule *schedule)
{
    int before = schedule->n, collected = keep_loaded(schedule, schedule->collect);
    schedule->n = keep_loaded(schedule, schedule->send);
    HS_ASSERT(collected == schedule->n);
    return before - schedule->n;
}

/* The master's sends, and when each host has computed: ready[i]. @return when the last send ends */
static double send_and_compute(const hs__star *star, const hs__schedule *schedule, double *ready)
{
    double clock = 0.0;
    for (int k = 0; k < schedule->n; k++) {
        int i = schedule->send[k];
        double n = schedule->load[i];
        if (!(n > 0.0))
            continue;
        clock += star->l[i] + star->c[i] * n;
        ready[i] = (hs__star_is_master(star, i) ? 0.0 : clock) + star->s[i] + star->w[i] * n;
    }
    return clock;
}

double hs__divisible_makespan(const hs__star *star, const hs__schedule *schedule, double *ready)
{
    double sent = send_and_compute(star, schedule, ready);
    double clock = star->port == HS_DIVISIBLE_ONE_PORT ? sent : 0.0, makespan = 0.0;
    for (int k = 0; k < schedule->n; k++) {
        int i = schedule->collect[k];
        double n = schedule->load[i], end = ready[i];
        if (!(n > 0.0))
            continue;
        if (star->results > 0.0 && !hs__star_is_master(star, i))
            clock = end = fmax(clock, end) + star->l[i] + star->results * star->c[i] * n;
        makespan = fmax(makespan, end);
    }
    return makespan;
}

double hs__schedule_total(const hs__schedule *schedule)
{
    double sum = 0.0;
    for (int k = 0; k < schedule->n; k++)
        sum += schedule->load[schedule->send[k]];
    return sum;
}

void hs__divisible_scale(const hs__star *star, hs__schedule *schedule, double *ready)
{
    double sum = hs__schedule_total(schedule);
    for (int k = 0; k < schedule->n; k++)
        schedule->load[schedule->send[k]] *= star->load / sum;
    HS_ASSERT(fabs(hs__schedule_total(schedule) - star->load) <= 1e-9 * star->load);
    schedule->makespan = hs__divisible_makespan(star, schedule, ready);
    HS_ASSERT(schedule->makespan >= star->load / hs__divisible_star_rate(star, star->results) * (1 - 1e-9));
}
