/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/farm/remaining.h"
#include "util/assert.h"
#include <math.h>

enum { BISECTIONS = 60 };

/* Seconds that an item takes rank i when it has no other work that its message could overlap with. */
static double alone_time(const hs__remaining *r, int i)
{
    double w = r->cycle_time[i], c = r->comm_time[i];
    return fmax(w, c) + fmin(w, c) / r->rounds;
}

/* Seconds that an item for rank i holds the master's port. */
static double port_time(const hs__remaining *r, int i)
{
    return r->one_port ? r->comm_time[i] : 0.0;
}

/* Items that can be done until `end`; share[] tells by whom. */
static double fill_until(const hs__remaining *r, double end, const int *by_comm_time, double *share)
{
    double sum = 0.0, port = end;
    for (int k = 0; k < r->ranks; k++) {
        int i = by_comm_time[k];
        double c = port_time(r, i);
        double most = fmin(fmax(end - r->busy[i], 0.0) / r->cycle_time[i], end / alone_time(r, i));
        share[i] = c > 0.0 ? fmin(most, fmax(port, 0.0) / c) : most;
        port -= c * share[i];
        sum += share[i];
    }
    return sum;
}

double hs__remaining_share(const hs__remaining *r, int64_t n, const int *by_comm_time, double *share)
{
    double low = 0.0, high = 1e-9, items = (double)n;
    while (fill_until(r, high, by_comm_time, share) < items)
        high *= 2.0;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high);
        if (fill_until(r, middle, by_comm_time, share) < items)
            low = middle;
        else
            high = middle;
    }
    double sum = fill_until(r, high, by_comm_time, share);
    for (int i = 0; i < r->ranks && sum > 0.0; i++)
        share[i] *= items / sum;
    HS_ASSERT(sum >= items * (1 - 1e-9) && low <= high);
    return high;
}

double hs__remaining_end(const hs__remaining *r, const double *share)
{
    double end = 0.0, port = 0.0;
    for (int i = 0; i < r->ranks; i++) {
        port += port_time(r, i) * share[i];
        end = fmax(end, fmax(r->busy[i] + r->cycle_time[i] * share[i], alone_time(r, i) * share[i]));
    }
    return fmax(end, port);
}

void hs__remaining_round(int ranks, const double *share, int64_t n, int64_t *count)
{
    double sum = 0.0, total = 0.0;
    int64_t given = 0;
    for (int i = 0; i < ranks; i++)
        total += share[i];
    for (int i = 0; i < ranks; i++) {
        sum += share[i];
        int64_t up_to = total > 0.0 ? llround((double)n * (sum / total)) : 0;
        count[i] = up_to - given;
        given = up_to;
        HS_ASSERT(count[i] >= 0);
    }
    HS_ASSERT(given == n || !(total > 0.0));
}
