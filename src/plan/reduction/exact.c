/* SPDX-License-Identifier: BSD-3-Clause */
/* The shortest schedule by classes. The makespan is a sum of times along a path, so it is one of a finite grid: the
 * Lagrangian bound gives the lowest index that is possible, slowest-node-first the highest that is needed, and between
 * them one decision after another closes the gap, from below in growing steps since the bound is mostly tight. A search
 * that is led well is over in a thousandth of the nodes of one that is not, so all decisions get few nodes at first,
 * and then twice as many, led by other prices. Steps to better prices count in the budget, too.
 *
 * With too many different sums, or when the budget is used up, many classes are grouped: rounding times up gives
 * schedules, rounding them down bounds. */
#include "plan/reduction/exact.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_BUDGET = 12000000,
    MAX_GROUPS = 8,
    GROUPED_PART = 8, /* of the budget, for each grouped problem: more search gains less than grouping loses */
    FIRST_SWEEP = 5000
};

/* A problem by classes: what is known of it, and the best sequence met. */
typedef struct task {
    const hs__classes *classes;
    hs__sums grid;
    hs__dual_prices prices[HS__DUAL_PRICES_MAX];
    int price_count;
    int low, high; /* the makespan is value[low] at least; value[high] is met */
    hs__placement *placement;
    int placements;
    int *senders;                     /* of the best schedule; [classes->senders] */
    int found;                        /* senders is filled */
    int64_t explored, priced, budget; /* nodes explored; what price steps took, in nodes; most of both */
    hs__pool pool;
} task;

static int64_t budget_left(const task *x)
{
    return x->budget - x->explored - x->priced;
}

typedef struct sender {
    double end; /* backwards: when its message is over */
    int class_of;
} sender;

static int by_start(const void *left, const void *right)
{
    const sender *a = left, *b = right;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return (a->class_of < b->class_of) - (a->class_of > b->class_of);
}

/* Tokens of equal index in a list: their real times. 0 is none. */
typedef struct tokens {
    int *head; /* [top + 1] */
    int *next; /* [senders + 2] */
    double *time;
    int count;
} tokens;

static void token_push(tokens *t, int index, int slot, double time)
{
    t->time[slot] = time;
    t->next[slot] = t->head[index];
    t->head[index] = slot;
}

/* Turn a placement into the sequence of its starts. */
static hs_status read_sequence(task *x, int top)
{
    size_t n = (size_t)x->classes->senders;
    int placed = 0;
    hs__pool pool = {0};
    tokens t = {.head = hs__pool_new(&pool, (size_t)top + 1, sizeof *t.head),
                .next = hs__pool_new(&pool, n + 2, sizeof *t.next),
                .time = hs__pool_new(&pool, n + 2, sizeof *t.time)};
    sender *list = hs__pool_new(&pool, n, sizeof *list);
    int *used = hs__pool_new(&pool, (size_t)x->classes->count, sizeof *used);
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    token_push(&t, top, ++t.count, 0.0);
    for (int p = 0; p < x->placements; p++) {
        const hs__placement *at = &x->placement[p];
        int after = x->grid.after[(size_t)at->class_of * (size_t)x->grid.count + (size_t)at->index];
        for (int c = 0; c < at->count; c++) {
            int slot = t.head[at->index];
            HS_ASSERT(slot > 0);
            t.head[at->index] = t.next[slot];
            double end = t.time[slot] + x->grid.time[at->class_of];
            list[placed++] = (sender){end, at->class_of};
            token_push(&t, after, slot, end);
            token_push(&t, after, ++t.count, end);
        }
    }
    HS_ASSERT((size_t)placed == n);
    qsort(list, n, sizeof *list, by_start);
    for (int i = 0; i < placed; i++) {
        int k = list[i].class_of;
        HS_ASSERT(used[k] < x->classes->size[k]);
        x->senders[i] = x->classes->host[x->classes->first[k] + used[k]++];
    }
    x->found = 1;
out:
    hs__pool_free(&pool);
    return status;
}

/* The prices kept: the ones met last first. */
static void settle_prices(task *x)
{
    int last = (x->price_count + HS__DUAL_PRICES_MAX - 1) % HS__DUAL_PRICES_MAX;
    if (x->price_count > HS__DUAL_PRICES_MAX)
        x->price_count = HS__DUAL_PRICES_MAX;
    hs__dual_prices first = x->prices[0];
    x->prices[0] = x->prices[last];
    x->prices[last] = first;
}

/* Do all messages fit into value[at] seconds? Better prices take as long as the search that they lead, at most. */
static hs_status decide(task *x, int at, int64_t max_nodes, hs__verdict *verdict)
{
    int too_short = 0;
    int64_t left = budget_left(x);
    max_nodes = max_nodes < left ? max_nodes : left;
    hs_status status = hs__dual_prices_aim(&x->grid, at, max_nodes, x->prices, &x->price_count, &x->priced, &too_short);
    *verdict = HS__DOES_NOT_FIT;
    if (status != HS_OK || too_short)
        return status;
    return hs__exact_decide(&x->grid, at, x->prices, x->price_count, max_nodes, x->placement, &x->placements,
                            &x->explored, verdict);
}

/* Decide from low up in growing steps, each within so many nodes. */
static hs_status sweep(task *x, int64_t max_nodes)
{
    int from = x->low, stride = 1;
    hs_status status = HS_OK;
    while (status == HS_OK && from < x->high && budget_left(x) > 0) {
        int at = from + stride / 2 < x->high ? from + stride / 2 : from + (x->high - 1 - from) / 2;
        hs__verdict verdict;
        status = decide(x, at, max_nodes, &verdict);
        if (status == HS_OK && verdict == HS__FITS) {
            status = read_sequence(x, at);
            x->high = at;
        } else if (status == HS_OK && verdict == HS__DOES_NOT_FIT)
            x->low = at + 1;
        HS_ASSERT(x->low <= x->high); /* no verdict contradicts another */
        if (verdict != HS__FITS)
            from = at + 1;
        stride = verdict == HS__FITS ? 1 : 2 * stride;
    }
    return status;
}

/* Sweep until low meets high or the budget is used up. */
static hs_status close_gap(task *x)
{
    hs_status status = HS_OK;
    int64_t max_nodes = FIRST_SWEEP;
    for (int s = 0; status == HS_OK && x->low < x->high && budget_left(x) > 0; s++) {
        status = sweep(x, max_nodes);
        hs__dual_prices *other = &x->prices[s % x->price_count], first = x->prices[0];
        x->prices[0] = *other;
        *other = first;
        max_nodes *= 2;
    }
    return status;
}

static void task_free(task *x)
{
    hs__sums_free(&x->grid);
    hs__pool_free(&x->pool);
}

/* Solve classes whose makespan is at most `limit`. *fits is 0 when there are too many sums; then nothing is done. */
static hs_status solve(task *x, const hs__classes *classes, double limit, int64_t budget, int *fits)
{
    *x = (task){.classes = classes, .budget = budget};
    hs_status status = hs__sums_init(&x->grid, classes, limit, fits);
    if (status != HS_OK || !*fits)
        return status;
    x->high = x->grid.count - 1;
    x->placement = hs__pool_new(&x->pool, (size_t)classes->senders, sizeof *x->placement);
    x->senders = hs__pool_new(&x->pool, (size_t)classes->senders, sizeof *x->senders);
    for (int p = 0; p < HS__DUAL_PRICES_MAX; p++)
        x->prices[p] = hs__dual_prices_new(&x->pool, &x->grid);
    status = hs__pool_status(&x->pool);
    if (status == HS_OK)
        status =
            hs__dual_prices_bound(&x->grid, &x->low, x->high, x->budget / 2, x->prices, &x->price_count, &x->priced);
    if (status != HS_OK || x->low >= x->high)
        return status;
    settle_prices(x);
    return close_gap(x);
}

/* Join neighbouring classes into `groups` of similar times, each with its smallest or its largest time. */
static hs_status group(const hs__classes *classes, int groups, int up, hs__classes *grouped)
{
    int n = classes->count;
    double ratio = pow(classes->time[n - 1] / classes->time[0], 1.0 / groups), limit = 0.0;
    if (hs__classes_create(grouped, classes->senders, n) != HS_OK)
        return HS_ERR_NOMEM;
    memcpy(grouped->host, classes->host, (size_t)classes->senders * sizeof *grouped->host);
    for (int k = 0; k < n; k++) {
        if (classes->time[k] > limit && grouped->count < groups) {
            grouped->first[grouped->count] = classes->first[k];
            grouped->time[grouped->count++] = classes->time[k];
            limit = classes->time[k] * ratio * (1.0 + 1e-12);
        }
        grouped->size[grouped->count - 1] += classes->size[k];
        if (up)
            grouped->time[grouped->count - 1] = classes->time[k];
    }
    HS_ASSERT(grouped->count > 0 && grouped->count <= groups);
    return HS_OK;
}

/* Slowest-node-first's makespan for the times of the classes. */
static hs_status snf_makespan(const hs__classes *classes, int hosts, int root, double *makespan)
{
    hs__pool pool = {0};
    double *time = hs__pool_new(&pool, (size_t)hosts, sizeof *time);
    int *order = hs__pool_new(&pool, (size_t)hosts, sizeof *order);
    hs_transfer *transfer = hs__pool_new(&pool, (size_t)hosts, sizeof *transfer);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK) {
        time[root] = INFINITY;
        for (int k = 0; k < classes->count; k++)
            for (int i = 0; i < classes->size[k]; i++)
                time[classes->host[classes->first[k] + i]] = classes->time[k];
        status = hs__reduction_slowest_first(time, hosts, order);
    }
    if (status == HS_OK)
        status = hs__reduction_earliest(time, hosts, root, order + 1, transfer, makespan);
    hs__pool_free(&pool);
    return status;
}

/* Bound (up 0) or better (up 1) the plan by grouped classes, as many groups as the grid takes. */
static hs_status solve_grouped(hs_reduction *plan, const double *time, const hs__classes *classes, int up,
                               int64_t budget)
{
    hs_status status = HS_OK;
    int fits = 0;
    for (int groups = MAX_GROUPS; groups > 0 && !fits && status == HS_OK; groups--) {
        hs__classes grouped;
        task x = {0};
        double limit;
        status = group(classes, groups, up, &grouped);
        if (status == HS_OK)
            status = snf_makespan(&grouped, plan->hosts, plan->root, &limit);
        if (status == HS_OK)
            status = solve(&x, &grouped, limit, budget, &fits);
        if (status == HS_OK && fits && up && x.found)
            status = hs__reduction_accept(plan, time, x.senders);
        if (status == HS_OK && fits && !up)
            plan->lower_bound = fmax(plan->lower_bound, x.grid.value[x.low] * (1.0 - 1e-9));
        plan->explored += x.explored;
        task_free(&x);
        hs__classes_free(&grouped);
    }
    return status;
}

hs_status hs__reduction_exact(hs_reduction *plan, const double *time, const hs__classes *classes, int64_t budget)
{
    task x;
    int fits;
    if (budget == 0)
        budget = DEFAULT_BUDGET;
    int64_t part = budget / GROUPED_PART;
    hs_status status = solve(&x, classes, plan->makespan, budget - 2 * part, &fits);
    if (status == HS_OK && fits) {
        plan->explored = x.explored;
        plan->optimal = x.low >= x.high;
        plan->lower_bound = fmax(plan->lower_bound, x.grid.value[x.low] * (1.0 - 1e-9));
        if (x.found)
            status = hs__reduction_accept(plan, time, x.senders);
        HS_ASSERT(!plan->optimal || fabs(plan->makespan - x.grid.value[x.high]) <= 1e-6 * plan->makespan);
    }
    task_free(&x);
    if (plan->optimal || (fits && classes->count <= MAX_GROUPS))
        return status;
    if (status == HS_OK)
        status = solve_grouped(plan, time, classes, 1, part);
    if (status == HS_OK)
        status = solve_grouped(plan, time, classes, 0, part);
    return status;
}
