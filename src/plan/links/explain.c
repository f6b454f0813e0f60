/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/links/links.h"
#include "platform/maxmin.h"
#include "util/assert.h"
#include "util/median.h"
#include "util/pool.h"
#include "util/sort.h"
#include <math.h>
#include <string.h>

/* The logarithm of a rate is at most so far off: a flow that was disturbed counts no more. */
#define MOST_OFF 1.5

/* All rates are off by a factor within these. */
#define LEAST_COMMON 0.8
#define MOST_COMMON 1.1

/* A link is named when it explains so much of the misfit, and so large a part of it, and has changed by so much: two flows
 * that are a quarter slower, in readings that are off by 8 % each. */
#define LEAST_GAIN 0.1
#define LEAST_PART 0.5
#define LEAST_CHANGE 1.15

/* Bandwidths tried: of the present one, in steps, and between the best of them and its neighbours. */
#define LEAST_FACTOR (1 / 64.0)
#define MOST_FACTOR 16.0
#define STEP 1.25
enum { REFINEMENTS = 6 };

/* Trying a link costs so many looks at all flows and what they cross. The others wait meanwhile: of a large platform only as many
 * links are tried as this allows, some half a second each time, those first whose own flows are off most. */
#define LOOKS 45.0
#define MOST_WORK 2e7

/* Misfits closer than that are the same: of links that the same flows cross none explains more. */
#define TIE 1e-6

/* The task while it is under way. Links are numbered as flows meet them. */
typedef struct task {
    const hs_platform *platform;
    int rounds, flows, links, crossings;
    const int *first;
    const hs__link_flow *flow;
    int *number, *link_of;   /* of links of the platform, plus 1, 0: not met; and back */
    int *first_of, *of_flow; /* [flows + 1], crossings of all flows */
    double *bandwidth;       /* [links] as tried; the platform's */
    double *capacity, *rate; /* of one round: of links, and a link of its own for each flow, for FATPIPE */
    int *round_first, *round_of, *first_on, *on_link;
    double *off, *sorted;    /* [flows] logarithms of measured over expected */
    double *own, *ranked;    /* [links] misfit of the flows that cross each */
    int limited;             /* hosts send and receive no more than they did at most: */
    double *sent, *received; /* [hosts] bytes/s */
    hs__filling filling;
    hs__pool pool;
} task;

/* Appends what a flow crosses. @return HS_OK; HS_ERR_NOMEM, HS_ERR_UNREACHABLE */
static hs_status add_route(task *t, int f, hs_route *route, size_t *room)
{
    hs_status status = hs_platform_route(t->platform, t->flow[f].from, t->flow[f].to, route);
    if (status != HS_OK)
        return status;
    HS_ASSERT((size_t)t->crossings + route->count <= *room);
    for (size_t j = 0; j < route->count; j++) {
        int link = route->links[j];
        if (t->number[link] == 0) {
            t->link_of[t->links++] = link;
            t->number[link] = t->links;
        }
        t->of_flow[t->crossings++] = t->number[link] - 1;
    }
    t->first_of[f + 1] = t->crossings;
    return HS_OK;
}

/* @return crossings of all flows; < 0: an hs_status */
static hs_status count_crossings(const task *t, size_t *crossings)
{
    hs_route route = {0};
    hs_status status = HS_OK;
    *crossings = 0;
    for (int f = 0; f < t->flows && status == HS_OK; f++) {
        status = hs_platform_route(t->platform, t->flow[f].from, t->flow[f].to, &route);
        *crossings += route.count;
    }
    hs_route_free(&route);
    return status;
}

static hs_status start(task *t)
{
    size_t crossings, links = (size_t)hs_platform_links(t->platform), flows = (size_t)t->flows;
    hs_route route = {0};
    hs_status status = count_crossings(t, &crossings);
    if (status != HS_OK)
        return status;
    t->number = hs__pool_new(&t->pool, links, sizeof *t->number);
    t->link_of = hs__pool_new(&t->pool, links, sizeof *t->link_of);
    t->first_of = hs__pool_new(&t->pool, flows + 1, sizeof *t->first_of);
    t->of_flow = hs__pool_new(&t->pool, crossings, sizeof *t->of_flow);
    t->bandwidth = hs__pool_new(&t->pool, links, sizeof *t->bandwidth);
    t->capacity = hs__pool_new(&t->pool, links + flows, sizeof *t->capacity);
    t->rate = hs__pool_new(&t->pool, flows, sizeof *t->rate);
    t->round_first = hs__pool_new(&t->pool, flows + 1, sizeof *t->round_first);
    t->round_of = hs__pool_new(&t->pool, crossings + flows, sizeof *t->round_of);
    t->first_on = hs__pool_new(&t->pool, links + flows + 2, sizeof *t->first_on);
    t->on_link = hs__pool_new(&t->pool, crossings + flows, sizeof *t->on_link);
    t->off = hs__pool_new(&t->pool, flows, sizeof *t->off);
    t->sorted = hs__pool_new(&t->pool, flows, sizeof *t->sorted);
    t->own = hs__pool_new(&t->pool, links, sizeof *t->own);
    t->ranked = hs__pool_new(&t->pool, links, sizeof *t->ranked);
    t->sent = hs__pool_new(&t->pool, (size_t)hs_platform_hosts(t->platform), sizeof *t->sent);
    t->received = hs__pool_new(&t->pool, (size_t)hs_platform_hosts(t->platform), sizeof *t->received);
    status = hs__pool_status(&t->pool);
    for (int f = 0; f < t->flows && status == HS_OK; f++)
        status = add_route(t, f, &route, &crossings);
    for (int e = 0; e < t->links && status == HS_OK; e++)
        t->bandwidth[e] = hs_platform_link_bandwidth(t->platform, t->link_of[e]);
    hs_route_free(&route);
    return status;
}

/* What the hosts of a flow leave it, whatever its links carry. */
static double limit_of(const task *t, int f)
{
    double most = fmin(t->sent[t->flow[f].from], t->received[t->flow[f].to]);
    return t->limited && most > 0 ? most : INFINITY;
}

/* The links that flow i of a round crosses, from round_of[n] on: a FATPIPE gives each flow a link of its own, and so do hosts
 * that are limited. @return the next n */
static int cross(task *t, int f, int i, int n)
{
    double own = limit_of(t, f);
    for (int j = t->first_of[f]; j < t->first_of[f + 1]; j++) {
        int e = t->of_flow[j];
        if (hs_platform_link_sharing(t->platform, t->link_of[e]) == HS_FATPIPE)
            own = fmin(own, t->bandwidth[e]);
        else
            t->round_of[n++] = e;
    }
    t->capacity[t->links + i] = own;
    if (isfinite(own))
        t->round_of[n++] = t->links + i;
    return n;
}

static hs_status expect_round(task *t, int round)
{
    int begin = t->first[round], flows = t->first[round + 1] - begin, n = 0;
    memcpy(t->capacity, t->bandwidth, (size_t)t->links * sizeof *t->capacity);
    for (int i = 0; i < flows; i++) {
        t->round_first[i] = n;
        n = cross(t, begin + i, i, n);
    }
    t->round_first[flows] = n;
    hs__list_by_link(t->links + flows, flows, t->round_first, t->round_of, t->first_on, t->on_link);
    const hs__sharing_graph graph = {t->links + flows, flows,       t->capacity, t->round_first,
                                     t->round_of,      t->first_on, t->on_link};
    hs_status status = hs__maxmin_rates(&graph, &t->filling, t->rate);
    for (int i = 0; i < flows && status == HS_OK; i++) {
        double measured = t->flow[begin + i].rate;
        t->off[begin + i] = measured > 0 && isfinite(t->rate[i]) ? log(measured / t->rate[i]) : NAN;
    }
    return status;
}

static double misfit_of_flow(double off, double common)
{
    double cut = fmin(fabs(off - common), MOST_OFF);
    return cut * cut;
}

/* How badly these bandwidths explain the rates. @param[out] common  the factor by which all are off, as a logarithm */
static hs_status misfit_of(task *t, double *misfit, double *common)
{
    hs_status status = HS_OK;
    int n = 0;
    for (int r = 0; r < t->rounds && status == HS_OK; r++)
        status = expect_round(t, r);
    for (int f = 0; f < t->flows && status == HS_OK; f++)
        if (!isnan(t->off[f]))
            t->sorted[n++] = t->off[f];
    *common = fmin(fmax(hs__median(t->sorted, n), log(LEAST_COMMON)), log(MOST_COMMON));
    *misfit = 0;
    for (int i = 0; i < n; i++)
        *misfit += misfit_of_flow(t->sorted[i], *common);
    return status;
}

/* After a look at the bandwidths that are known: what the own flows of a link that is tried are off by, at least. */
static double least_own(task *t, double common)
{
    double many = MOST_WORK / (LOOKS * (double)(t->flows + t->crossings + 1));
    memset(t->own, 0, (size_t)t->links * sizeof *t->own);
    for (int f = 0; f < t->flows; f++)
        for (int j = t->first_of[f]; j < t->first_of[f + 1] && !isnan(t->off[f]); j++)
            t->own[t->of_flow[j]] += misfit_of_flow(t->off[f], common);
    if (t->links <= many)
        return 0;
    memcpy(t->ranked, t->own, (size_t)t->links * sizeof *t->ranked);
    hs__sort_doubles(t->ranked, (size_t)t->links);
    return fmax(t->ranked[t->links - (int)fmax(many, 1)], TIE);
}

/* One or two links with so many times their bandwidth. */
static hs_status try_factor(task *t, int link, int twin, double factor, double *misfit)
{
    double before = t->bandwidth[link], twin_before = twin >= 0 ? t->bandwidth[twin] : 0;
    t->bandwidth[link] *= factor;
    if (twin >= 0)
        t->bandwidth[twin] *= factor;
    double common;
    hs_status status = misfit_of(t, misfit, &common);
    t->bandwidth[link] = before;
    if (twin >= 0)
        t->bandwidth[twin] = twin_before;
    return status;
}

typedef struct explanation {
    int link, twin;
    double factor, misfit;
} explanation;

/* The factor by which these links explain most, if it is more than the best so far. */
static hs_status try_links(task *t, int link, int twin, explanation *best)
{
    explanation own = {link, twin, 1, INFINITY};
    hs_status status = HS_OK;
    double step = STEP;
    for (double factor = LEAST_FACTOR; factor <= MOST_FACTOR && status == HS_OK; factor *= step) {
        double misfit;
        status = try_factor(t, link, twin, factor, &misfit);
        if (status == HS_OK && misfit < own.misfit) {
            own.misfit = misfit;
            own.factor = factor;
        }
    }
    for (int k = 0; k < REFINEMENTS && status == HS_OK; k++) {
        step = sqrt(step);
        double centre = own.factor;
        for (int side = -1; side <= 1 && status == HS_OK; side += 2) {
            double misfit, factor = centre * pow(step, side);
            status = try_factor(t, link, twin, factor, &misfit);
            if (status == HS_OK && misfit < own.misfit) {
                own.misfit = misfit;
                own.factor = factor;
            }
        }
    }
    if (status == HS_OK && own.misfit < best->misfit - TIE)
        *best = own;
    return status;
}

/* The number of the other half of a SPLITDUPLEX link; -1: there is none, or no flow crosses it. */
static int twin_of(const task *t, int link)
{
    int twin = hs_platform_link_twin(t->platform, t->link_of[link]);
    return twin >= 0 ? t->number[twin] - 1 : -1;
}

/* The host at one end of all flows that cross a link; -1: they have no host in common. */
static int only_host(const task *t, int link)
{
    int host[2] = {-2, -2};
    for (int f = 0; f < t->flows; f++)
        for (int j = t->first_of[f]; j < t->first_of[f + 1]; j++) {
            const hs__link_flow *flow = &t->flow[f];
            if (t->of_flow[j] != link)
                continue;
            if (host[0] == -2) {
                host[0] = flow->from;
                host[1] = flow->to;
            }
            for (int i = 0; i < 2; i++)
                if (host[i] != flow->from && host[i] != flow->to)
                    host[i] = -1;
        }
    return host[0] >= 0 && host[1] >= 0 ? -1 : host[0] >= 0 ? host[0] : host[1];
}

/* @param[out] none  the misfit of what is known, with which nothing is explained */
static hs_status find_best(task *t, double *none, explanation *best)
{
    double common;
    hs_status status = misfit_of(t, none, &common);
    *best = (explanation){.misfit = *none};
    if (status != HS_OK || *none < LEAST_GAIN)
        return status;
    double least = least_own(t, common);
    for (int e = 0; e < t->links && status == HS_OK; e++) {
        int twin = twin_of(t, e), off = t->own[e] >= least, both_off = twin > e && (off || t->own[twin] >= least);
        /* The flows of a host's own link are what its limits were taken from. */
        if ((!off && !both_off) || (t->limited && only_host(t, e) >= 0))
            continue;
        if (off)
            status = try_links(t, e, -1, best);
        if (status == HS_OK && both_off)
            status = try_links(t, e, twin, best);
    }
    return status;
}

static int is_clear(const explanation *best, double none)
{
    double gain = none - best->misfit;
    return gain >= LEAST_GAIN && gain >= LEAST_PART * none && fabs(log(best->factor)) >= log(LEAST_CHANGE);
}

static void limit_hosts(task *t)
{
    for (int f = 0; f < t->flows; f++) {
        const hs__link_flow *flow = &t->flow[f];
        t->sent[flow->from] = fmax(t->sent[flow->from], flow->rate);
        t->received[flow->to] = fmax(t->received[flow->to], flow->rate);
    }
    t->limited = 1;
}

static hs_status explain(task *t, hs__link_change *change)
{
    double none;
    explanation best;
    limit_hosts(t);
    hs_status status = find_best(t, &none, &best);
    if (status == HS_OK && !is_clear(&best, none)) {
        t->limited = 0;
        status = find_best(t, &none, &best);
    }
    if (status != HS_OK)
        return status;
    *change = (hs__link_change){.link = -1, .twin = -1, .host = -1};
    if (!is_clear(&best, none))
        return HS_OK;
    int swapped = best.twin >= 0 && t->link_of[best.twin] < t->link_of[best.link]; /* whichever flows met first */
    int up = swapped ? best.twin : best.link, down = swapped ? best.link : best.twin;
    change->link = t->link_of[up];
    change->host = only_host(t, up);
    change->before = t->bandwidth[up];
    change->after = best.factor * change->before;
    if (down < 0)
        return HS_OK;
    change->twin = t->link_of[down];
    change->twin_before = t->bandwidth[down];
    change->twin_after = best.factor * change->twin_before;
    return HS_OK;
}

hs_status hs__link_explain(const hs_platform *platform, int rounds, const int *first, const hs__link_flow *flow,
                           hs__link_change *change)
{
    task t = {.platform = platform, .rounds = rounds, .flows = first[rounds], .first = first, .flow = flow};
    hs_status status = start(&t);
    if (status == HS_OK)
        status = explain(&t, change);
    hs__filling_free(&t.filling);
    hs__pool_free(&t.pool);
    return status;
}
