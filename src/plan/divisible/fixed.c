/* SPDX-License-Identifier: BSD-3-Clause */
/* Real loads for a fixed pair of orders: minimise T subject to, for each host k that takes part,
 *     sum_{j sent up to k} (l_j + c_j a_j) + s_k + w_k a_k + sum_{j collected from k on} (l_j + D c_j a_j) <= T,
 * in the one-port model also  sum_j (l_j + c_j a_j) + (l_j + D c_j a_j) <= T,  and sum_j a_j = W, a >= 0.
 *
 * Sends can be moved to the beginning and returns to the end of any schedule, so the rows are sufficient; idle time is
 * their slack. Since sum a_j = W, a constant e in a row is e/W times the sum: all rows become A a <= T with A >= 0, and
 * with x = a / T the program is  max sum x, A x <= 1, and T = W / sum x. */
#include "plan/divisible/divisible.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hosts up to which every subset is tried. */
enum { SUBSETS_MAX = 10 };

hs_status hs__fixed_init(hs__fixed *f, const hs__star *star, int max_hosts)
{
    *f = (hs__fixed){.column = hs__array_new((size_t)star->hosts, sizeof *f->column),
                     .ready = hs__array_new((size_t)star->hosts, sizeof *f->ready)};
    return f->column && f->ready ? hs__packing_init(&f->packing, max_hosts + 1, max_hosts) : HS_ERR_NOMEM;
}

void hs__fixed_free(hs__fixed *f)
{
    hs__packing_free(&f->packing);
    free(f->column);
    free(f->ready);
    *f = (hs__fixed){0};
}

/* Column j is the host sent j-th, row k that of the host sent k-th. */
static void fill_sends(hs__fixed *f, const hs__star *star, const hs__schedule *s)
{
    double latency = 0.0;
    for (int k = 0; k < s->n; k++) {
        int i = s->send[k], master = hs__star_is_master(star, i);
        double *row = hs__packing_row(&f->packing, k);
        f->column[i] = k;
        latency += star->l[i];
        for (int j = 0; j < s->n; j++)
            row[j] = j <= k && !master ? star->c[s->send[j]] : 0.0;
        row[k] += star->w[i];
        hs__packing_add(&f->packing, k, (star->s[i] + (master ? 0.0 : latency)) / star->load);
    }
}

static void fill_returns(hs__fixed *f, const hs__star *star, const hs__schedule *s)
{
    double latency = 0.0;
    for (int k = s->n - 1; k >= 0; k--) {
        int i = s->collect[k];
        latency += star->l[i];
        if (hs__star_is_master(star, i))
            continue;
        double *row = hs__packing_row(&f->packing, f->column[i]);
        for (int j = k; j < s->n; j++)
            row[f->column[s->collect[j]]] += star->results * star->c[s->collect[j]];
        hs__packing_add(&f->packing, f->column[i], latency / star->load);
    }
}

static void fill_port(hs__fixed *f, const hs__star *star, const hs__schedule *s)
{
    double *row = hs__packing_row(&f->packing, s->n), latency = 0.0;
    for (int j = 0; j < s->n; j++) {
        row[j] = (1.0 + star->results) * star->c[s->send[j]];
        latency += 2.0 * star->l[s->send[j]];
    }
    hs__packing_add(&f->packing, s->n, latency / star->load);
}

static void solve_once(hs__fixed *f, const hs__star *star, hs__schedule *s)
{
    int port = star->results > 0.0 && star->port == HS_DIVISIBLE_ONE_PORT;
    hs__packing_begin(&f->packing, s->n + port, s->n);
    fill_sends(f, star, s);
    if (star->results > 0.0)
        fill_returns(f, star, s);
    if (port)
        fill_port(f, star, s);
    hs__packing_solve(&f->packing);
    f->solved++;
    memset(s->load, 0, (size_t)star->hosts * sizeof *s->load);
    for (int k = 0; k < s->n; k++)
        s->load[s->send[k]] = f->packing.x[k];
}

void hs__fixed_loads(hs__fixed *f, const hs__star *star, hs__schedule *s)
{
    /* The row of a host without load binds only when it pays latencies or is not implied by the port's. */
    int rows_matter = star->affine || (star->results > 0.0 && star->port == HS_DIVISIBLE_DUPLEX);
    do
        solve_once(f, star, s);
    while (hs__schedule_drop_idle(s) > 0 && rows_matter);
    hs__divisible_scale(star, s, f->ready);
}

/* The schedule with those of its hosts for which member[k] is set, k counting in send order. */
static void keep_members(hs__schedule *to, const hs__schedule *from, const char *member, int hosts)
{
    hs__schedule_copy(to, from, hosts);
    for (int k = 0; k < from->n; k++)
        to->load[from->send[k]] = member[k];
    hs__schedule_drop_idle(to);
}

typedef struct chooser {
    hs__fixed *fixed;
    const hs__star *star;
    const hs__schedule *all; /* the orders of all candidates */
    hs__schedule *best, *trial;
    char *member; /* [all->n] */
} chooser;

/* Solves for the present members; keeps the shorter schedule. */
static int try_members(chooser *x)
{
    keep_members(x->trial, x->all, x->member, x->star->hosts);
    hs__fixed_loads(x->fixed, x->star, x->trial);
    if (!(x->trial->makespan < x->best->makespan * (1.0 - 1e-12)))
        return 0;
    hs__schedule_copy(x->best, x->trial, x->star->hosts);
    return 1;
}

static void try_all_subsets(chooser *x)
{
    for (unsigned set = (1u << x->all->n) - 1; set > 0; set--) {
        for (int k = 0; k < x->all->n; k++)
            x->member[k] = set >> k & 1;
        try_members(x);
    }
}

static void descend(chooser *x)
{
    int members = x->all->n;
    try_members(x);
    for (int k = members - 1, unhelpful = 0; unhelpful<x->all->n; k = k> 0 ? k - 1 : x->all->n - 1) {
        x->member[k] ^= 1;
        members += x->member[k] ? 1 : -1;
        if (members > 0 && try_members(x)) {
            unhelpful = 0;
            continue;
        }
        x->member[k] ^= 1;
        members += x->member[k] ? 1 : -1;
        unhelpful++;
    }
}

hs_status hs__fixed_loads_choosing(hs__fixed *fixed, const hs__star *star, hs__schedule *schedule, hs__schedule *trial,
                                   int *exact)
{
    hs__schedule all = {0};
    hs_status status = HS_ERR_NOMEM;
    char *member = hs__array_new((size_t)schedule->n, sizeof *member);
    if (!member || hs__schedule_init(&all, star->hosts) != HS_OK)
        goto out;
    hs__schedule_copy(&all, schedule, star->hosts);
    chooser x = {fixed, star, &all, schedule, trial, member};
    memset(member, 1, (size_t)schedule->n);
    schedule->makespan = INFINITY;
    *exact = all.n <= SUBSETS_MAX;
    if (*exact)
        try_all_subsets(&x);
    else
        descend(&x);
    status = HS_OK;
out:
    hs__schedule_free(&all);
    free(member);
    return status;
}
