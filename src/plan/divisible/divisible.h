/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DIVISIBLE_H
#define HS_PLAN_DIVISIBLE_H

/* What the planners of divisible loads share: the star, a schedule on it, and one function an algorithm.
 *
 * The words of the papers: w_i (E_k) cycle time, c_i (C_k) seconds to send an item, D (delta) ratio of results to
 * items. A master that computes is a host with c = 0: it stands first in every send order and last in every collect
 * order, and since its messages take no time nothing waits for it. */

#include "plan/divisible/packing.h"
#include <heteroslice/hs_divisible.h>
#include <stddef.h>

/** A checked problem. w and c are borrowed; l and s are never NULL. */
typedef struct hs__star {
    int hosts;
    const double *w, *c; /* seconds per item */
    double *l, *s;       /* latency per message (0 where c is 0) and start-up per computation */
    double load, results;
    hs_divisible_port port;
    hs_divisible_items items;
    int affine;    /* some l or s is not 0 */
    int workers;   /* hosts that are no masters */
    int *by_c;     /* all hosts by increasing c, lowest index first among equals */
    hs__pool pool; /* of l, s and by_c */
} hs__star;

hs_status hs__star_init(hs__star *star, const hs_divisible_params *params);
void hs__star_free(hs__star *star);

/** Whether host i is a master: it needs no messages. */
static inline int hs__star_is_master(const hs__star *star, int i)
{
    return star->c[i] == 0.0;
}

/** A schedule in one installment. send[0 .. n-1] and collect[0 .. n-1] hold the same n hosts, those that take part. */
typedef struct hs__schedule {
    int n;
    int *send, *collect; /* [hosts] */
    double *load;        /* [hosts], 0 for hosts that do not take part */
    double makespan;     /* of carrying it out; INFINITY before there are loads */
    hs__pool pool;
} hs__schedule;

hs_status hs__schedule_init(hs__schedule *schedule, int hosts);
void hs__schedule_free(hs__schedule *schedule);
void hs__schedule_copy(hs__schedule *to, const hs__schedule *from, int hosts);

/** Masters first in send and last in collect, everything else in the order it had. */
void hs__schedule_settle_masters(hs__schedule *schedule, const hs__star *star);

/** The loads of the hosts that take part, added up. */
double hs__schedule_total(const hs__schedule *schedule);

/** Take out the hosts whose load is not above 0. @return how many went */
int hs__schedule_drop_idle(hs__schedule *schedule);

/** The seconds that carrying the schedule out takes, everything as early as its orders allow; hosts with load 0 are
 * passed over. work is scratch of length hosts. */
double hs__divisible_makespan(const hs__star *star, const hs__schedule *schedule, double *work);

/** Multiply the loads so that they add up to the star's load, and set the makespan. Without latencies and start-ups
 * this turns shares of any scale into a schedule. work as above. */
void hs__divisible_scale(const hs__star *star, hs__schedule *schedule, double *work);

/* ---- Orders of all hosts; masters are settled. ---- */

void hs__divisible_fifo_orders(const hs__star *star, hs__schedule *schedule);
void hs__divisible_lifo_orders(const hs__star *star, hs__schedule *schedule);
hs_status hs__divisible_sport_orders(const hs__star *star, hs__schedule *schedule);

/* ---- Real loads by closed forms; linear costs. Hosts not worth serving are dropped from the schedule. ready is
 * scratch of length hosts. ---- */

/** The optimum for the schedule's send order when collecting costs nothing (factor 1) or goes in reverse order (factor
 * 1 + D). O(n). */
void hs__divisible_star_loads(const hs__star *star, hs__schedule *schedule, double factor, double *ready);

/** Items per second of all hosts on the star with c_i to send and (w_i + computed c_i) to compute, served by decreasing
 * bandwidth: with computed D no schedule with results does more. */
double hs__divisible_star_rate(const hs__star *star, double computed);

/** FIFO with the best number of workers; sets the orders too. O(p). */
void hs__divisible_fifo_loads(const hs__star *star, hs__schedule *schedule, double *ready);

/** SPORT without the workers that would get nothing; sets the orders too. O(p). */
hs_status hs__divisible_sport_loads(const hs__star *star, hs__schedule *schedule, double *ready);

/* ---- Real loads for any pair of orders, latencies and start-ups, by linear programming ---- */

/** Scratch of the fixed-order solver. */
typedef struct hs__fixed {
    hs__packing packing;
    int *column;    /* [hosts], of a host in the program */
    double *ready;  /* [hosts] */
    int64_t solved; /* programs solved so far */
} hs__fixed;

/** For schedules of at most max_hosts hosts that take part. To be freed in any case.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__fixed_init(hs__fixed *fixed, const hs__star *star, int max_hosts);
void hs__fixed_free(hs__fixed *fixed);

/** The best loads for the schedule's hosts and orders; hosts that get nothing are dropped and what remains is solved
 * again, until all take something. schedule->makespan is what comes out. */
void hs__fixed_loads(hs__fixed *fixed, const hs__star *star, hs__schedule *schedule);

/** The same for the best subset of the schedule's hosts: pays with latencies, and in the duplex model, where a host's
 * place in the orders may hold up others. Up to 10 hosts every subset is tried, above that hosts are taken out and put
 * back one by one as long as that helps. trial is scratch.
 * @param[out] exact  1 when every subset was tried
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__fixed_loads_choosing(hs__fixed *fixed, const hs__star *star, hs__schedule *schedule, hs__schedule *trial,
                                   int *exact);

/* ---- Exact loads for a given send order: integer items, latencies, start-ups ---- */

/** The optimum over the hosts schedule->send names, in that order, when collecting costs nothing (factor 1) or goes in
 * reverse order (factor 1 + D). Sets loads, drops the hosts left out and sets the makespan; collect must name the same
 * hosts. ready is scratch of length hosts.
 * @param[out] exact  0 when the search had to be cut short; may be NULL
 * @param[out] labels  that the search has looked at; may be NULL
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__divisible_deadline_loads(const hs__star *star, hs__schedule *schedule, double factor, double *ready,
                                       int *exact, int64_t *labels);

/* ---- Searching the orders ---- */

/** Move hosts[from] to place `to`, those between by one place. */
void hs__divisible_move(int *hosts, int from, int to);

/** orders: those of `from`, with the hosts that it leaves out appended by decreasing bandwidth, masters settled. */
void hs__divisible_complete(const hs__star *star, hs__schedule *orders, const hs__schedule *from);

/** Whether hs__divisible_exact() takes this star. */
int hs__divisible_exact_fits(const hs__star *star);

/** Replace the schedule by the best over all orders, unless it is that already (up to 1e-9). masters is scratch of
 * length hosts. @return 1 when the search ended within max_nodes linear programs: no schedule is shorter */
int hs__divisible_exact(hs__fixed *fixed, const hs__star *star, hs__schedule *schedule, int64_t max_nodes,
                        int *masters);

/** Better the schedule by moving hosts in the send and in the collect order, at most max_programs linear programs. schedule
 * must hold loads; orders and trial are scratch schedules. */
void hs__divisible_improve(hs__fixed *fixed, const hs__star *star, hs__schedule *schedule, hs__schedule *orders,
                           hs__schedule *trial, int64_t max_programs);

/** Turn the real loads of a schedule into whole items that add up to the star's load: a makespan of at most (1 + n / W)
 * times that of the real ones, then single items move from host to host as long as that helps.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__divisible_apportion(const hs__star *star, hs__schedule *schedule, double *ready);

/** Replace counts by whole numbers: the floors of value * t for the least t at which they add up to total, lowest index
 * first among equals. value >= 0 with a positive sum; below 2^53. */
void hs__divisible_round(double *value, int n, double total);

/* ---- Putting it together ---- */

/** A problem, and scratch to solve it with. */
typedef struct hs__task {
    const hs_divisible_params *params;
    hs__star star;
    hs__fixed fixed;             /* programs need star.hosts <= HS_DIVISIBLE_GIVEN_MAX */
    hs__schedule trial, scratch; /* for those who do not call each other */
    double *ready;               /* [hosts] */
} hs__task;

hs_status hs__task_init(hs__task *task, const hs_divisible_params *params);
void hs__task_free(hs__task *task);

/** The loads for the schedule's orders, real or integer as the star says. Uses task->trial.
 * @param[out] optimal  1 when no loads are better for these orders
 * @return HS_OK; HS_ERR_UNSUPPORTED (too many hosts for a linear program); HS_ERR_NOMEM */
hs_status hs__divisible_loads(hs__task *task, hs__schedule *schedule, int *optimal);

/** Orders and loads of FIFO, LIFO or SPORT. @return as hs__divisible_loads() */
hs_status hs__divisible_sequence(hs__task *task, hs_divisible_order order, hs__schedule *schedule, int *optimal);

/** Without results: better the schedule by moving hosts in the send order, or by trying all orders when they are at
 * most max_evaluations; and: the best of all send orders of at most HS_DIVISIBLE_EXACT_MAX workers. The schedule holds loads, or
 * a makespan of INFINITY. Use both scratch schedules. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__divisible_improve_send(hs__task *task, hs__schedule *schedule, int64_t max_evaluations, int *optimal);
hs_status hs__divisible_every_send_order(hs__task *task, hs__schedule *schedule, int *optimal);

/** The best schedule, and the exact one. Use both scratch schedules. @return as hs__divisible_loads() */
hs_status hs__divisible_best(hs__task *task, hs__schedule *schedule, int *optimal);
hs_status hs__divisible_search_exact(hs__task *task, hs__schedule *schedule, int *optimal);

#endif
