/* SPDX-License-Identifier: BSD-3-Clause */
/* SPORT (sport, Algorithm 1). Workers are taken by increasing C; the workers so far behave as one processor with
 *     C' seconds to send, E' seconds between the end of its sends and the start of its returns, per unit load,
 * and worker k joins behind it in the collect order (FIFO, step 2(c)) or before it (LIFO, step 2(d)), whichever is
 * faster for the two. So collect = the LIFO workers, last first, then worker 1, then the FIFO workers, first first.
 *
 * Steps 3 and 4 solve m linear equations for the loads. They say that all hosts of Eq. 1 finish without idle time, and
 * so do the two-processor equations of each step: of a load of 1 on the first k workers, worker k takes
 *     FIFO: f_k = (E' + D C') / (E' + D C' + C_k + E_k)       LIFO: f_k = E' / (E' + C_k + E_k + D C_k).
 * Undoing the steps from m to 2 gives the same loads in O(m): alpha_k = f_k (1 - f_{k+1}) ... (1 - f_m), whatever
 * their signs. E' < 0 (the group starts to return before its sends end) can make a load negative; then this is no
 * schedule.
 *
 * Valid schedules of many workers: a newcomer that would get nothing, or make things slower, stays out. A one-port
 * master cannot carry out E' < 0; the FIFO worker that brings it about waits before it returns, with so much, E' / C_k
 * times the load of the group, that the port is always busy, which is E' = 0. */
#include "plan/divisible/divisible.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

typedef struct group {
    double c, e;
} group;

typedef enum side { SIDE_FIFO, SIDE_LIFO, SIDE_OUT } side;

/* What joining does: the group after it, and the newcomer's part f and the group's part 1 - f. */
typedef struct joined {
    group group;
    double newcomer, rest;
} joined;

/* Test (4). */
static side choose_side(group g, double c, double e, double d)
{
    double left = g.c * c * (g.e + c + e + d * c) / ((g.c + g.e + d * g.c) * (c + e + d * c));
    return left >= c - g.c ? SIDE_FIFO : SIDE_LIFO;
}

/* Steps 2(c)ii and 2(d)ii. */
static joined join(group g, double c, double e, double d, side where)
{
    double overlap = where == SIDE_FIFO ? d * g.c : 0.0, own = where == SIDE_FIFO ? c + e : c + e + d * c;
    double sum = g.e + overlap + own;
    return (joined){.group = {.c = (g.c * c + g.c * e + c * g.e + d * g.c * c) / sum,
                              .e = (g.e * e - (where == SIDE_FIFO ? d * g.c * c : 0.0)) / sum},
                    .newcomer = (g.e + overlap) / sum,
                    .rest = own / sum};
}

static double unit_time(group g, double d)
{
    return g.c + g.e + d * g.c;
}

typedef struct walk {
    side *where;  /* [workers], where worker k stands in the collect order */
    joined *step; /* [workers], 0 unused */
    group all;
} walk;

static hs_status walk_init(walk *w, int workers)
{
    w->where = hs__array_new((size_t)workers, sizeof *w->where);
    w->step = hs__array_new((size_t)workers, sizeof *w->step);
    return w->where && w->step ? HS_OK : HS_ERR_NOMEM;
}

static void walk_free(walk *w)
{
    free(w->step);
    free(w->where);
}

/* Joining with the port always busy. */
static joined join_waiting(group g, double c)
{
    double sum = g.e / c + 1.0;
    return (joined){.group = {(g.c + g.e) / sum, 0.0}, .newcomer = g.e / c / sum, .rest = 1.0 / sum};
}

/* Step 2 over worker[0 .. m-1]. */
static void walk_workers(walk *w, const hs__star *star, const int *worker, int m)
{
    w->all = (group){star->c[worker[0]], star->w[worker[0]]};
    for (int k = 1; k < m; k++) {
        double c = star->c[worker[k]], e = star->w[worker[k]];
        w->where[k] = choose_side(w->all, c, e, star->results);
        w->step[k] = join(w->all, c, e, star->results, w->where[k]);
        w->all = w->step[k].group;
    }
}

/* The same, letting in only who helps. */
static void walk_choosing(walk *w, const hs__star *star, const int *worker, int m)
{
    double d = star->results;
    w->all = (group){star->c[worker[0]], star->w[worker[0]]};
    for (int k = 1; k < m; k++) {
        double c = star->c[worker[k]], e = star->w[worker[k]];
        w->where[k] = choose_side(w->all, c, e, d);
        w->step[k] = join(w->all, c, e, d, w->where[k]);
        if (star->port == HS_DIVISIBLE_ONE_PORT && w->step[k].group.e < 0.0)
            w->step[k] = join_waiting(w->all, c);
        if (!(w->step[k].newcomer > 0.0 && unit_time(w->step[k].group, d) < unit_time(w->all, d))) {
            w->where[k] = SIDE_OUT;
            w->step[k] = (joined){w->all, 0.0, 1.0};
        }
        w->all = w->step[k].group;
    }
}

/* collect[0 .. m-1]; workers that stay out are last. */
static void fill_collect(const walk *w, const int *worker, int m, int *collect)
{
    int n = 0;
    for (int k = m - 1; k > 0; k--)
        if (w->where[k] == SIDE_LIFO)
            collect[n++] = worker[k];
    collect[n++] = worker[0];
    for (int k = 1; k < m; k++)
        if (w->where[k] == SIDE_FIFO)
            collect[n++] = worker[k];
    for (int k = 1; k < m; k++)
        if (w->where[k] == SIDE_OUT)
            collect[n++] = worker[k];
}

/* share[host] of each worker, adding up to `total`. */
static void fill_shares(const walk *w, const int *worker, int m, double total, double *share)
{
    for (int k = m - 1; k > 0; k--) {
        share[worker[k]] = total * w->step[k].newcomer;
        total *= w->step[k].rest;
    }
    share[worker[0]] = total;
}

hs_status hs__divisible_sport_orders(const hs__star *star, hs__schedule *schedule)
{
    const int *worker = star->by_c + (star->hosts - star->workers);
    walk w;
    hs_status status = walk_init(&w, star->workers);
    if (status == HS_OK) {
        hs__divisible_fifo_orders(star, schedule);
        if (star->workers > 0) {
            walk_workers(&w, star, worker, star->workers);
            fill_collect(&w, worker, star->workers, schedule->collect);
        }
    }
    walk_free(&w);
    return status;
}

hs_status hs__divisible_sport_loads(const hs__star *star, hs__schedule *schedule, double *ready)
{
    int masters = star->hosts - star->workers;
    const int *worker = star->by_c + masters;
    walk w;
    hs_status status = walk_init(&w, star->workers);
    if (status != HS_OK)
        goto out;
    hs__divisible_fifo_orders(star, schedule);
    for (int k = 0; k < masters; k++)
        schedule->load[star->by_c[k]] = 1.0 / star->w[star->by_c[k]];
    if (star->workers > 0) {
        walk_choosing(&w, star, worker, star->workers);
        fill_collect(&w, worker, star->workers, schedule->collect);
        fill_shares(&w, worker, star->workers, 1.0 / unit_time(w.all, star->results), schedule->load);
    }
    hs__schedule_drop_idle(schedule);
    hs__divisible_scale(star, schedule, ready);
out:
    walk_free(&w);
    return status;
}

static int all_positive(const double *value, int n)
{
    for (int i = 0; i < n; i++)
        if (!(value[i] > 0.0) || isinf(value[i]))
            return 0;
    return 1;
}

hs_status hs_divisible_sport(const double *cycle_time, const double *comm_time, int m, double results, int *send_order,
                             int *collect_order, double *share, double *makespan)
{
    if (!cycle_time || !comm_time || !send_order || !collect_order || !share || m < 1 || !(results >= 0.0) ||
        isinf(results) || !all_positive(cycle_time, m) || !all_positive(comm_time, m))
        return HS_ERR_ARG;
    hs_divisible_params params;
    hs_divisible_params_init(&params);
    params.hosts = m;
    params.cycle_time = cycle_time;
    params.comm_time = comm_time;
    params.results = results;
    hs__star star = {0};
    walk w = {0};
    hs_status status = hs__star_init(&star, &params);
    if (status == HS_OK)
        status = walk_init(&w, m);
    if (status != HS_OK)
        goto out;
    walk_workers(&w, &star, star.by_c, m);
    status = HS_ERR_INFEASIBLE;
    if (!isfinite(w.all.c) || !isfinite(w.all.e))
        goto out;
    for (int k = 0; k < m; k++)
        send_order[k] = star.by_c[k];
    fill_collect(&w, star.by_c, m, collect_order);
    fill_shares(&w, star.by_c, m, 1.0, share);
    if (makespan)
        *makespan = unit_time(w.all, results);
    status = HS_OK;
out:
    walk_free(&w);
    hs__star_free(&star);
    return status;
}
