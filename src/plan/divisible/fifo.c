/* SPDX-License-Identifier: BSD-3-Clause */
/* FIFO: results come back in the order in which the items went out, by decreasing bandwidth; linear costs.
 *
 * Neighbours that both compute without idle time satisfy alpha_k (E_k + D C_k) = alpha_{k+1} (C_{k+1} + E_{k+1}), so
 * the shares of the first q workers are a chain beta with one scale. Within one second of makespan:
 *   duplex:   all q rows are tight; the scale follows from the first row, C_1 + E_1 + D sum beta_j C_j.
 *   one-port: (1 + D) sum alpha_j C_j <= 1 as well. Where the chain breaks that, worker q is the one that waits before
 *             it returns its results: alpha_1 .. alpha_{q-1} = a beta with a = 1 / ((1 + D) (C_1 + E_1)), and worker q
 *             takes what is left of the port. (Beaumont, Marchal, Rehn and Robert, "FIFO scheduling of divisible loads
 *             with return messages under the one-port model", IPDPS 2006: at most one worker idles, the last one.)
 * The best q is found in one pass. A worker too slow to pay, and all behind it, stay out. */
#include "plan/divisible/divisible.h"
#include <math.h>
#include <string.h>

void hs__divisible_fifo_orders(const hs__star *star, hs__schedule *schedule)
{
    schedule->n = star->hosts;
    memcpy(schedule->send, star->by_c, (size_t)star->hosts * sizeof *schedule->send);
    memcpy(schedule->collect, star->by_c, (size_t)star->hosts * sizeof *schedule->collect);
    hs__schedule_settle_masters(schedule, star);
}

/* What the first workers of the chain do per second of makespan. */
typedef struct prefix {
    int q;
    double rate;  /* items per second of all q; 0 when the prefix is no schedule */
    double scale; /* of the chain */
    double last;  /* worker q's items per second when it waits; else negative */
} prefix;

/* beta is that of the q-th worker i; sum_beta and sum_comm (C beta) are over the workers before it. */
static prefix duplex_prefix(const hs__star *star, double first_row, int i, double beta, double sum_beta,
                            double sum_comm)
{
    prefix x = {.last = -1.0};
    x.scale = 1.0 / (first_row + star->results * (sum_comm + beta * star->c[i]));
    x.rate = x.scale * (sum_beta + beta);
    return x;
}

static prefix one_port_prefix(const hs__star *star, double first_row, int i, double beta, double sum_beta,
                              double sum_comm)
{
    double d = star->results, c = star->c[i];
    prefix x = duplex_prefix(star, first_row, i, beta, sum_beta, sum_comm);
    if ((1.0 + d) * x.scale * (sum_comm + beta * c) <= 1.0)
        return x;
    x.scale = 1.0 / ((1.0 + d) * first_row);
    x.last = (1.0 / (1.0 + d) - x.scale * sum_comm) / c;
    int fits = x.last >= 0.0 && x.last * (star->w[i] + d * c) <= d / (1.0 + d) * (1.0 + 1e-12);
    x.rate = fits ? x.scale * sum_beta + x.last : 0.0;
    return x;
}

/* The chain's next element, from worker i to worker next. */
static double follow(const hs__star *star, double beta, int i, int next)
{
    return beta * (star->w[i] + star->results * star->c[i]) / (star->c[next] + star->w[next]);
}

static prefix best_prefix(const hs__star *star, const int *worker, int workers)
{
    prefix best = {0};
    double first_row = star->c[worker[0]] + star->w[worker[0]], beta = 1.0, sum_beta = 0.0, sum_comm = 0.0;
    for (int k = 0; k < workers; k++) {
        int i = worker[k];
        prefix x = star->port == HS_DIVISIBLE_ONE_PORT ? one_port_prefix(star, first_row, i, beta, sum_beta, sum_comm)
                                                       : duplex_prefix(star, first_row, i, beta, sum_beta, sum_comm);
        x.q = k + 1;
        if (x.rate > best.rate)
            best = x;
        sum_beta += beta;
        sum_comm += beta * star->c[i];
        if (k + 1 < workers)
            beta = follow(star, beta, i, worker[k + 1]);
    }
    return best;
}

void hs__divisible_fifo_loads(const hs__star *star, hs__schedule *schedule, double *ready)
{
    hs__divisible_fifo_orders(star, schedule);
    int masters = star->hosts - star->workers;
    const int *worker = schedule->send + masters;
    for (int k = 0; k < schedule->n; k++)
        schedule->load[schedule->send[k]] = k < masters ? 1.0 / star->w[schedule->send[k]] : 0.0;
    if (star->workers > 0) {
        prefix best = best_prefix(star, worker, star->workers);
        double beta = 1.0;
        for (int k = 0; k < best.q; k++) {
            schedule->load[worker[k]] = beta * best.scale;
            if (k + 1 < best.q)
                beta = follow(star, beta, worker[k], worker[k + 1]);
        }
        if (best.last >= 0.0)
            schedule->load[worker[best.q - 1]] = best.last;
    }
    hs__schedule_drop_idle(schedule);
    hs__divisible_scale(star, schedule, ready);
}
