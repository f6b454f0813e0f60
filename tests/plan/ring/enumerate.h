/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PLAN_RING_ENUMERATE_H
#define HS_TESTS_PLAN_RING_ENUMERATE_H

/* Every ring of a few hosts over every choice of paths, with max-min bandwidths: an enumeration and an evaluation that
 * share no code with the planner. Choices that a bound proves to be no better than the best one so far are skipped. */

#include <assert.h>
#include <heteroslice/hs_ring.h>
#include <math.h>
#include <string.h>

enum { MAX_HOSTS = 6, MOST_PATHS = 12, MOST_ON_PATH = 16, MOST_LINKS = 64 };

typedef struct trip {
    int links[MOST_ON_PATH];
    size_t count;
} trip;

/* One platform, what is asked, and for every ordered pair the paths that a message may take. */
typedef struct enumeration {
    const hs_platform *platform; /* borrowed, as is what is asked; speeds are those of the platform */
    const hs_ring_params *params;
    int hosts;
    trip trips[MAX_HOSTS][MAX_HOSTS][MOST_PATHS];
    int count[MAX_HOSTS][MAX_HOSTS];
    double best;
    int64_t judged, most; /* choices of paths; more than `most` are not judged */
    /* of the ring at hand, for the bound */
    double fixed, total;             /* T >= (fixed + sum of weight / rate) / total */
    double weight[2 * MAX_HOSTS];   /* of each message */
    double rest[2 * MAX_HOSTS + 1]; /* what message f and all behind it add at least */
    double charged[MOST_LINKS];      /* sum of sqrt(weight) of the messages charged to a link */
} enumeration;

/* When a member is done with n units. */
static inline double units_done(const enumeration *e, double speed, double comm, int64_t n)
{
    double compute = (double)n * e->params->work / (double)e->params->units / speed;
    return e->params->model == HS_STEP_OVERLAP ? fmax(compute, comm) : compute + comm;
}

/* Whether all members together can do the units by a deadline, each at least the minimum. */
static inline int units_fit(const enumeration *e, const double *speed, const double *comm, int q, double deadline)
{
    int64_t done = 0;
    for (int k = 0; k < q; k++) {
        int64_t n = 0;
        while (n < e->params->units && units_done(e, speed[k], comm[k], n + 1) <= deadline * (1 + 1e-12))
            n++;
        if (n < e->params->minimum)
            return 0;
        done += n;
    }
    return done >= e->params->units;
}

/* T of whole units: the first moment at which some member is done with some number of them and all fit. */
static inline double units_time(const enumeration *e, const double *speed, const double *comm, int q)
{
    double best = INFINITY;
    for (int k = 0; k < q; k++)
        for (int64_t n = 1; n <= e->params->units; n++) {
            double deadline = units_done(e, speed[k], comm[k], n);
            if (deadline < best && units_fit(e, speed, comm, q, deadline))
                best = deadline;
        }
    return best;
}

/* T of a ring with max-min bandwidths, from the definition. */
static inline double ring_time(const enumeration *e, const int *order, int q, const trip *const *chosen)
{
    const int *links[2 * MAX_HOSTS] = {NULL};
    size_t counts[2 * MAX_HOSTS] = {0};
    double rate[2 * MAX_HOSTS], comm[MAX_HOSTS] = {0}, own[MAX_HOSTS], speed = 0, weighted = 0, largest = 0;
    for (int f = 0; f < (q > 1 ? 2 * q : 0); f++) {
        links[f] = chosen[f]->links;
        counts[f] = chosen[f]->count;
    }
    hs_status status = hs_platform_maxmin(e->platform, links, counts, q > 1 ? 2 * (size_t)q : 0, rate);
    assert(status == HS_OK);
    (void)status;
    for (int f = 0; f < (q > 1 ? 2 * q : 0); f++)
        comm[f % 2 ? (f / 2 + 1) % q : f / 2] += e->params->halo / rate[f];
    for (int k = 0; k < q; k++) {
        double s = hs_platform_host_speed(e->platform, order[k]) * hs_platform_host_cores(e->platform, order[k]);
        own[k] = s;
        speed += s;
        weighted += s * comm[k];
        largest = fmax(largest, comm[k]);
    }
    if (e->params->units > 0)
        return units_time(e, own, comm, q);
    double level = e->params->model == HS_STEP_OVERLAP ? e->params->work / speed : (e->params->work + weighted) / speed;
    return fmax(level, largest);
}

/* Messages charged to one link alone add at least (sum of sqrt(weight))^2 / b together, since their rates add up to at
 * most b (Cauchy and Schwarz). So every message is charged to one link of its path: the one where that adds most. */
static inline double charge(enumeration *e, int f, const trip *path, int *link)
{
    double most = -1, root = sqrt(e->weight[f]);
    for (size_t m = 0; m < path->count; m++) {
        int l = path->links[m];
        double before = hs_platform_link_sharing(e->platform, l) == HS_SHARED ? e->charged[l] : 0;
        double adds = root * (2 * before + root) / hs_platform_link_bandwidth(e->platform, l);
        if (adds > most) {
            most = adds;
            *link = l;
        }
    }
    return most < 0 ? 0 : most;
}

static inline void ends_of(const int *order, int q, int f, int *from, int *to)
{
    int near = order[f / 2], far = order[(f / 2 + 1) % q];
    *from = f % 2 ? far : near;
    *to = f % 2 ? near : far;
}

/* All choices of paths for the messages of a ring from message f on; those before it add `so_far`. */
static inline void try_paths(enumeration *e, const int *order, int q, int f, const trip **chosen, double so_far)
{
    if (q == 1 || f == 2 * q) {
        if (e->judged++ < e->most)
            e->best = fmin(e->best, ring_time(e, order, q, chosen));
        return;
    }
    int from, to, link = 0;
    ends_of(order, q, f, &from, &to);
    for (int i = 0; i < e->count[from][to] && e->judged <= e->most; i++) {
        chosen[f] = &e->trips[from][to][i];
        double adds = charge(e, f, chosen[f], &link), before = e->charged[link];
        if ((e->fixed + so_far + adds + e->rest[f + 1]) / e->total >= e->best * (1 - 1e-10))
            continue;
        e->charged[link] += sqrt(e->weight[f]);
        try_paths(e, order, q, f + 1, chosen, so_far + adds);
        e->charged[link] = before;
    }
}

/* Eq. 4 weighs messages by their senders' speeds; overlapped, the mean of the D_i counts. */
static inline void try_ring(enumeration *e, const int *order, int q)
{
    const trip *chosen[2 * MAX_HOSTS] = {NULL};
    int serial = e->params->model == HS_STEP_SERIAL;
    e->fixed = serial ? e->params->work : 0;
    e->total = serial ? 0 : q;
    for (int k = 0; k < q && serial; k++)
        e->total += hs_platform_host_speed(e->platform, order[k]) * hs_platform_host_cores(e->platform, order[k]);
    memset(e->charged, 0, sizeof e->charged);
    memset(e->rest, 0, sizeof e->rest);
    for (int f = q > 1 ? 2 * q - 1 : -1; f >= 0; f--) {
        int from, to, link = 0;
        ends_of(order, q, f, &from, &to);
        double speed = hs_platform_host_speed(e->platform, from) * hs_platform_host_cores(e->platform, from);
        double least = INFINITY;
        e->weight[f] = e->params->halo * (serial ? speed : 1);
        for (int i = 0; i < e->count[from][to]; i++)
            least = fmin(least, charge(e, f, &e->trips[from][to][i], &link));
        e->rest[f] = e->rest[f + 1] + least;
    }
    try_paths(e, order, q, 0, chosen, 0);
}

static inline void try_orders(enumeration *e, int *order, int q, unsigned used)
{
    if (q > 0 && (q < 3 || order[1] < order[q - 1]))
        try_ring(e, order, q);
    for (int host = q ? order[0] + 1 : 0; host < e->hosts; host++)
        if (!(used >> host & 1)) {
            order[q] = host;
            try_orders(e, order, q + 1, used | 1u << host);
        }
}

/* The platform's routes; 0 when one is too long to keep. */
static inline int use_routes(enumeration *e)
{
    hs_route route = {0};
    int fits = 1;
    for (int a = 0; a < e->hosts; a++)
        for (int b = 0; b < e->hosts; b++) {
            if (a == b || hs_platform_route(e->platform, a, b, &route) != HS_OK)
                continue;
            fits = fits && route.count <= MOST_ON_PATH;
            if (!fits)
                break;
            memcpy(e->trips[a][b][0].links, route.links, route.count * sizeof *route.links);
            e->trips[a][b][0].count = route.count;
            e->count[a][b] = 1;
        }
    hs_route_free(&route);
    return fits;
}

/* All simple paths of the graph between two nodes; 0 when they are too many or too long to keep. */
static inline int use_paths(enumeration *e, int from, int to, int at, unsigned seen, trip *so_far)
{
    const hs_arc *arc;
    size_t arcs;
    if (at == to) {
        if (e->count[from][to] == MOST_PATHS)
            return 0;
        e->trips[from][to][e->count[from][to]++] = *so_far;
        return 1;
    }
    if (so_far->count == MOST_ON_PATH || hs_platform_arcs(e->platform, &arc, &arcs) != HS_OK)
        return 0;
    for (size_t a = 0; a < arcs; a++)
        if (arc[a].from == at && !(seen >> arc[a].to & 1)) {
            so_far->links[so_far->count++] = arc[a].links[0];
            int fits = use_paths(e, from, to, arc[a].to, seen | 1u << arc[a].to, so_far);
            so_far->count--;
            if (!fits)
                return 0;
        }
    return 1;
}

/* All simple paths between all hosts of a graph of at most 32 nodes. */
static inline int use_all_paths(enumeration *e)
{
    int fits = 1;
    for (int a = 0; a < e->hosts; a++)
        for (int b = 0; b < e->hosts; b++) {
            trip so_far = {.count = 0};
            fits = fits && (a == b || use_paths(e, a, b, a, 1u << a, &so_far));
        }
    return fits;
}

/* The least T, or `known` when no ring is faster than that. */
static inline double optimum_below(enumeration *e, double known)
{
    int order[MAX_HOSTS];
    e->best = known;
    e->judged = 0;
    if (e->most == 0)
        e->most = INT64_MAX;
    assert(hs_platform_links(e->platform) <= MOST_LINKS);
    try_orders(e, order, 0, 0);
    return e->best;
}

static inline double optimum(enumeration *e)
{
    return optimum_below(e, INFINITY);
}

/* Whether all choices were judged or proved useless. */
static inline int is_complete(const enumeration *e)
{
    return e->judged <= e->most;
}

#endif
