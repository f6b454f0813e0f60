/* SPDX-License-Identifier: BSD-3-Clause */
/* The optimum over all pairs of orders (and, with latencies or start-ups, over all sets of hosts), by branch and bound.
 *
 * A node knows some precedences: i is sent to before j, i is collected from before j, closed under transitivity. Its
 * linear program holds, in the row of each host, its own costs and those of the messages known to go before or to come
 * after, so it is a relaxation of fixed.c for all orders that respect the node, and its value bounds them
 * all. Branching takes the undecided pair of loaded hosts whose rows, weighted by their prices, would be broken most
 * whichever way it is decided. When all pairs of loaded hosts are decided, the program is exact for them, and hosts
 * without load stay out. The search keeps to the branch that breaks less first. Optimal up to 1e-9 of the makespan. */
#include "plan/divisible/divisible.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

enum { MAX_WORKERS = HS_DIVISIBLE_EXACT_MAX };

/* Bit sets of workers: those sent to before worker k, those collected from after it. */
typedef struct relation {
    unsigned sent[MAX_WORKERS], collected[MAX_WORKERS];
} relation;

typedef struct search {
    const hs__star *star;
    hs__packing *packing;
    int workers, hosts;     /* columns 0 .. workers-1 are workers, then masters */
    int host[MAX_WORKERS];  /* of a worker's column */
    const int *master;      /* of the columns behind them */
    double best;            /* items per second */
    hs__schedule *schedule; /* the best so far: orders and loads of any scale */
    int64_t nodes, max_nodes;
} search;

static int host_of(const search *x, int column)
{
    return column < x->workers ? x->host[column] : x->master[column - x->workers];
}

static void fill_worker(search *x, const relation *r, int k)
{
    const hs__star *star = x->star;
    double *row = hs__packing_row(x->packing, k), constant = star->s[x->host[k]], d = star->results;
    memset(row, 0, (size_t)x->hosts * sizeof *row);
    for (int j = 0; j < x->workers; j++) {
        int before = j == k || (r->sent[k] >> j & 1), after = d > 0.0 && (j == k || (r->collected[k] >> j & 1));
        row[j] = (before + d * after) * star->c[x->host[j]];
        constant += (before + after) * star->l[x->host[j]];
    }
    row[k] += star->w[x->host[k]];
    for (int j = 0; constant > 0.0 && j < x->hosts; j++)
        row[j] += constant / star->load;
}

static void fill_master(search *x, int k)
{
    double *row = hs__packing_row(x->packing, k);
    for (int j = 0; j < x->hosts; j++)
        row[j] = x->star->s[host_of(x, k)] / x->star->load;
    row[k] += x->star->w[host_of(x, k)];
}

static void fill_port(search *x)
{
    const hs__star *star = x->star;
    double *row = hs__packing_row(x->packing, x->hosts), constant = 0.0;
    for (int j = 0; j < x->workers; j++)
        constant += 2.0 * star->l[x->host[j]];
    for (int j = 0; j < x->hosts; j++)
        row[j] = (1.0 + star->results) * star->c[host_of(x, j)] + constant / star->load;
}

static double solve(search *x, const relation *r)
{
    int port = x->star->results > 0.0 && x->star->port == HS_DIVISIBLE_ONE_PORT;
    hs__packing_begin(x->packing, x->hosts + port, x->hosts);
    for (int k = 0; k < x->hosts; k++)
        if (k < x->workers)
            fill_worker(x, r, k);
        else
            fill_master(x, k);
    if (port)
        fill_port(x);
    x->nodes++;
    return hs__packing_solve(x->packing);
}

typedef struct pair {
    int collecting;     /* which order */
    int i, j;           /* undecided workers, none when i < 0 */
    int i_row_is_worse; /* adding j's message to i's row breaks more than the reverse */
} pair;

/* What adding worker j's message to worker i's row breaks. */
static double breaks(const search *x, int i, int j, double ratio)
{
    double message = ratio * x->star->c[x->host[j]] * x->packing->x[j];
    return fmax(message - x->packing->slack[i], 0.0) * x->packing->y[i];
}

static pair choose_pair(const search *x, const relation *r)
{
    double worst = -1.0;
    pair chosen = {.i = -1};
    for (int collecting = 0; collecting <= (x->star->results > 0.0); collecting++) {
        const unsigned *known = collecting ? r->collected : r->sent;
        double ratio = collecting ? x->star->results : 1.0;
        for (int i = 0; i < x->workers; i++) {
            for (int j = 0; j < i; j++) {
                if ((known[i] >> j & 1) || (known[j] >> i & 1) || x->packing->x[i] == 0.0 || x->packing->x[j] == 0.0)
                    continue;
                double in_i = breaks(x, i, j, ratio), in_j = breaks(x, j, i, ratio);
                double weight = 10.0 * fmin(in_i, in_j) + fmax(in_i, in_j);
                if (weight > worst) {
                    worst = weight;
                    chosen = (pair){collecting, i, j, in_i > in_j};
                }
            }
        }
    }
    return chosen;
}

/* Puts j into set[i], and with it everything in set[j], and all that into every set that holds i. */
static void decide(unsigned *set, int workers, int i, int j)
{
    unsigned more = set[j] | 1u << j;
    for (int k = 0; k < workers; k++)
        if (k == i || (set[k] >> i & 1)) {
            set[k] |= more;
            HS_ASSERT(!(set[k] >> k & 1)); /* no worker comes before itself */
        }
}

/* Loaded workers ranked by the size of their sets: before[k] of them stand in front of k. */
static void place(const search *x, const unsigned *set, int from_end, int *hosts)
{
    int n = 0;
    for (int k = 0; k < x->workers; k++)
        n += x->packing->x[k] > 0.0;
    for (int k = 0; k < x->workers; k++) {
        int others = 0;
        for (int j = 0; j < x->workers; j++)
            others += x->packing->x[j] > 0.0 && (set[k] >> j & 1);
        if (x->packing->x[k] > 0.0)
            hosts[from_end ? n - 1 - others : others] = x->host[k];
    }
}

static void keep(search *x, const relation *r, double value)
{
    hs__schedule *s = x->schedule;
    int n = 0;
    x->best = value;
    memset(s->load, 0, (size_t)x->star->hosts * sizeof *s->load);
    for (int k = 0; k < x->workers; k++)
        n += x->packing->x[k] > 0.0;
    relation collected = *r;
    if (x->star->results == 0.0)
        for (int k = 0; k < x->workers; k++)
            collected.collected[k] = r->sent[k];
    place(x, r->sent, 0, s->send);
    place(x, collected.collected, 1, s->collect);
    for (int k = 0; k < x->hosts; k++) {
        s->load[host_of(x, k)] = x->packing->x[k];
        if (k < x->workers || x->packing->x[k] == 0.0)
            continue;
        s->send[n] = s->collect[n] = host_of(x, k);
        n++;
    }
    s->n = n;
    hs__schedule_settle_masters(s, x->star);
}

static void visit(search *x, const relation *r)
{
    if (x->nodes >= x->max_nodes)
        return;
    double value = solve(x, r);
    if (value <= x->best * (1.0 + 1e-9))
        return;
    pair p = choose_pair(x, r);
    if (p.i < 0) {
        if (isfinite(value))
            keep(x, r, value);
        return;
    }
    for (int turn = 0; turn < 2; turn++) {
        relation child = *r;
        unsigned *set = p.collecting ? child.collected : child.sent;
        if ((turn == 0) == p.i_row_is_worse)
            decide(set, x->workers, p.j, p.i);
        else
            decide(set, x->workers, p.i, p.j);
        visit(x, &child);
    }
}

/* One set of hosts: bit k of `members` stands for host by_c[k]. */
static void visit_set(search *x, unsigned members, int *masters)
{
    const hs__star *star = x->star;
    relation none = {{0}, {0}};
    int n_masters = 0;
    x->workers = 0;
    for (int k = 0; k < star->hosts; k++) {
        int i = star->by_c[k], bit = k < 31 ? k : 31;
        if (!(members >> bit & 1))
            continue;
        if (hs__star_is_master(star, i))
            masters[n_masters++] = i;
        else
            x->host[x->workers++] = i;
    }
    x->master = masters;
    x->hosts = x->workers + n_masters;
    visit(x, &none);
}

int hs__divisible_exact_fits(const hs__star *star)
{
    return star->workers <= MAX_WORKERS && star->hosts <= (star->affine ? MAX_WORKERS + 1 : HS_DIVISIBLE_GIVEN_MAX);
}

int hs__divisible_exact(hs__fixed *fixed, const hs__star *star, hs__schedule *schedule, int64_t max_nodes, int *masters)
{
    search x = {.star = star,
                .packing = &fixed->packing,
                .best = isfinite(schedule->makespan) ? star->load / schedule->makespan : 0.0,
                .schedule = schedule,
                .max_nodes = max_nodes};
    double before = x.best;
    visit_set(&x, ~0u, masters);
    for (unsigned members = star->affine ? (1u << star->hosts) - 1 : 1; --members > 0;)
        visit_set(&x, members, masters);
    fixed->solved += x.nodes;
    if (x.best > before) {
        hs__divisible_scale(star, schedule, fixed->ready);
        HS_ASSERT(schedule->makespan <= star->load / x.best * (1 + 1e-6)); /* what its program promised */
    }
    return x.nodes < x.max_nodes;
}
