/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole items from real loads, for orders whose exact integer optimum is not known to be easy. All rows of the linear
 * program only grow with the loads, so the floors of t times the real loads end by t times their makespan; the least t
 * whose floors add up to W (D'Hondt's apportionment) is at most 1 + n/W. Then the best move of one item from one host
 * to another is made as long as it shortens the makespan, for up to FEW hosts. */
#include "plan/divisible/divisible.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>

enum { FEW = 64 };

static double floors(const double *value, int n, double factor)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += floor(value[i] * factor);
    return sum;
}

void hs__divisible_round(double *value, int n, double total)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += value[i];
    double low = 0.0, high = 2.0 * (total + n) / sum;
    for (;;) {
        double middle = low + (high - low) / 2.0;
        if (!(middle > low && middle < high))
            break;
        *(floors(value, n, middle) >= total ? &high : &low) = middle;
    }
    double left = total - floors(value, n, low);
    for (int i = 0; i < n; i++) {
        double more = fmin(floor(value[i] * high) - floor(value[i] * low), left);
        value[i] = floor(value[i] * low) + more;
        left -= more;
    }
    HS_ASSERT(left == 0.0 && floors(value, n, 1.0) == total);
}

/* Moves one item between the two hosts for which that shortens the makespan most. @return whether one did */
static int shift_one(const hs__star *star, hs__schedule *s, double *ready)
{
    int from = -1, to = -1;
    double best = s->makespan * (1.0 - 1e-12);
    for (int a = 0; a < s->n; a++)
        for (int b = 0; b < s->n; b++) {
            double *giver = &s->load[s->send[a]], *taker = &s->load[s->send[b]];
            if (a == b || *giver < 1.0)
                continue;
            *giver -= 1.0;
            *taker += 1.0;
            double makespan = hs__divisible_makespan(star, s, ready);
            *giver += 1.0;
            *taker -= 1.0;
            if (makespan < best) {
                best = makespan;
                from = s->send[a];
                to = s->send[b];
            }
        }
    if (from < 0)
        return 0;
    s->load[from] -= 1.0;
    s->load[to] += 1.0;
    s->makespan = best;
    HS_ASSERT(s->makespan == hs__divisible_makespan(star, s, ready));
    return 1;
}

hs_status hs__divisible_apportion(const hs__star *star, hs__schedule *s, double *ready)
{
    double *value = hs__array_new((size_t)s->n, sizeof *value);
    if (!value)
        return HS_ERR_NOMEM;
    for (int k = 0; k < s->n; k++)
        value[k] = s->load[s->send[k]];
    hs__divisible_round(value, s->n, star->load);
    for (int k = 0; k < s->n; k++)
        s->load[s->send[k]] = value[k];
    free(value);
    s->makespan = hs__divisible_makespan(star, s, ready);
    for (int moves = 0; s->n <= FEW && moves < FEW && shift_one(star, s, ready);)
        moves++;
    hs__schedule_drop_idle(s);
    return HS_OK;
}
