/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/farm/remaining.h"
#include <math.h>

enum { BISECTIONS = 60 };

/* Seconds that an item takes rank i when nothing hides its message. */
static double bare_time(const hs__remaining *rest, int i)
{
    double w = rest->cycle_time[i], c = rest->comm_time[i];
    return fmax(w, c) + fmin(w, c) / rest->rounds;
}

/* Seconds that an item for rank i holds the master's port. */
static double port_time(const hs__remaining *rest, int i)
{
    double c = rest->comm_time[i];
    return c > 0.0 && rest->port_time > 0.0 ? rest->port_time : c;
}

/* Items that can be done by T; share[] tells who does them. */
static double fill_until(const hs__remaining *rest, double end, const int *by_comm_time, double *share)
{
    double sum = 0.0, port = end;
    for (int k = 0; k < rest->ranks; k++) {
        int i = by_comm_time[k];
        double c = port_time(rest, i);
        double most = fmin(fmax(end - rest->busy[i], 0.0) / rest->cycle_time[i], end / bare_time(rest, i));
        share[i] = c > 0.0 ? fmin(most, fmax(port, 0.0) / c) : most;
        port -= c * share[i];
        sum += share[i];
    }
    return sum;
}

double hs__remaining_share(const hs__remaining *rest, int64_t n, const int *by_comm_time, double *share)
{
    double low = 0.0, high = 1e-9, items = (double)n;
    while (fill_until(rest, high, by_comm_time, share) < items)
        high *= 2.0;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high);
        if (fill_until(rest, middle, by_comm_time, share) < items)
            low = middle;
        else
            high = middle;
    }
    double sum = fill_until(rest, high, by_comm_time, share);
    for (int i = 0; i < rest->ranks && sum > 0.0; i++)
        share[i] *= items / sum;
    return high;
}

double hs__remaining_end(const hs__remaining *rest, const double *share)
{
    double end = 0.0, port = 0.0;
    for (int i = 0; i < rest->ranks; i++) {
        port += port_time(rest, i) * share[i];
        end = fmax(end, fmax(rest->busy[i] + rest->cycle_time[i] * share[i], bare_time(rest, i) * share[i]));
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
    }
}
