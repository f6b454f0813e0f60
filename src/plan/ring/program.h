/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_PROGRAM_H
#define HS_PLAN_RING_PROGRAM_H

/* The bandwidth problem as a convex program: minimise T subject to g_c <= 0 for
 *   c = 0            Eq. 4:  c0 + sum_f k_f / x_f - T
 *   c = 1 .. pairs   D_k:    d_k + h / x_a + h / x_b - T
 *   the rest         links:  sum_f x_f / b_e - 1
 * in the variables log v_f, v_f = x_f / (the starting rate), and T in units of the starting T, which is variable n. In
 * logarithms everything is still convex (a geometric program), and rates may shrink by many orders in a few steps. */

#include "plan/ring/share.h"

typedef struct hs__program {
    const hs__share_task *task;
    const hs__crossings *crossings;
    int n; /* messages */
    int constraints;
    int first_link;     /* the constraint of link 0 */
    double *start_rate; /* [n] bytes/s */
    double *eq4, *pair; /* [n] k_f and h, scaled */
    double unit;        /* seconds that T is measured in */
    hs__pool pool;
} hs__program;

/** The program of a task, started from feasible positive rates. The crossings must have been built for its paths. */
hs_status hs__program_init(hs__program *program, const hs__crossings *crossings, const hs__share_task *task,
                           const double *rate);
void hs__program_free(hs__program *program);

/** How much of link e message f takes at v_f = 1. */
static inline double hs__program_usage(const hs__program *p, int f, int e)
{
    return p->start_rate[f] / p->crossings->capacity[e];
}

/** d_k, scaled. */
static inline double hs__program_pair_fixed(const hs__program *p, int k)
{
    return p->task->pair_fixed[k] / p->unit;
}

/** slack[c] = -g_c at v[0 .. n], v[n] being T. */
void hs__program_slacks(const hs__program *p, const double *v, double *slack);

/** Add sum_c coefficient[c] * gradient of g_c to out[0 .. n]. */
void hs__program_add_gradients(const hs__program *p, const double *v, const double *coefficient, double *out);

/** out[c] = gradient of g_c . direction. */
void hs__program_slopes(const hs__program *p, const double *v, const double *direction, double *out);

/** out[f] = the second derivative of sum_c dual[c] g_c by log v_f, plus 1 for messages that no constraint mentions; all
 * other second derivatives are 0. */
void hs__program_curvature(const hs__program *p, const double *v, const double *dual, double *out);

/** The rates of v, each cut down by the most overfull link it crosses. slack is scratch of length constraints.
 * @return T in seconds */
double hs__program_rates(const hs__program *p, const double *v, double *slack, double *rate);

#endif
