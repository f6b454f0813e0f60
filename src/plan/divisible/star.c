/* SPDX-License-Identifier: BSD-3-Clause */
/* Bus and star without results, real loads, a given send order (divisible-load-notes-2012, sections 3 and 4).
 *
 * Within a time T the last worker takes alpha_p = T / (c_p + w_p). Let rho_i be what workers i .. p take per second
 * they are given. Worker i may take n, which leaves T - c_i n to the others: n + rho_{i+1} (T - c_i n) grows with n
 * exactly when c_i rho_{i+1} < 1, so it takes all it can, n = T / (c_i + w_i), or nothing:
 *     rho_i = (1 + w_i rho_{i+1}) / (c_i + w_i)   or   rho_{i+1}.
 * Hosts that take part finish at once, the notes' lemma; by decreasing bandwidth all take part and the order is
 * optimal, on a bus every order is.
 *
 * LIFO with results is the same problem: host i's row, its send and return and all those around it, is that of a star
 * with (1 + D) c_i; nothing else binds in either port model. */
#include "plan/divisible/divisible.h"
#include "util/assert.h"
#include <math.h>

/* When so small a part of the time is left, the hosts that follow would get no larger part of the load. */
static const double nothing_left = 1e-30;

/* The notes' lemma: hosts that take part finish at once. */
static int finish_together(const hs__schedule *schedule, const double *ready)
{
    for (int k = 0; k < schedule->n; k++)
        if (!(fabs(ready[schedule->send[k]] - schedule->makespan) <= 1e-9 * schedule->makespan))
            return 0;
    return 1;
}

/* Sets load[i] to 1 for the hosts worth serving and to 0 for the others. */
static void choose_hosts(const hs__star *star, hs__schedule *schedule, double factor)
{
    double rate = 0.0;
    for (int k = schedule->n - 1; k >= 0; k--) {
        int i = schedule->send[k];
        double c = factor * star->c[i];
        schedule->load[i] = c * rate < 1.0;
        if (schedule->load[i] > 0.0)
            rate = (1.0 + star->w[i] * rate) / (c + star->w[i]);
    }
}

void hs__divisible_star_loads(const hs__star *star, hs__schedule *schedule, double factor, double *ready)
{
    choose_hosts(star, schedule, factor);
    double left = 1.0;
    for (int k = 0; k < schedule->n; k++) {
        int i = schedule->send[k];
        if (schedule->load[i] == 0.0)
            continue;
        double c = factor * star->c[i];
        schedule->load[i] = left > nothing_left ? left / (c + star->w[i]) : 0.0;
        left *= star->w[i] / (c + star->w[i]);
    }
    hs__schedule_drop_idle(schedule);
    hs__divisible_scale(star, schedule, ready);
    HS_ASSERT(star->results > 0.0 || star->affine || finish_together(schedule, ready));
}

double hs__divisible_star_rate(const hs__star *star, double computed)
{
    double rate = 0.0;
    for (int k = star->hosts - 1; k >= 0; k--) {
        int i = star->by_c[k];
        double c = star->c[i], w = star->w[i] + computed * c;
        rate = (1.0 + w * rate) / (c + w);
    }
    return rate;
}
