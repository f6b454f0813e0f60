/* SPDX-License-Identifier: BSD-3-Clause */
/* The exact optimum for a given send order without results: integer items, latencies, start-ups (the notes' dynamic
 * program, section 2, made fast, for any star).
 *
 * For a deadline T, find the most items that can be done, and bisect on T over the ordered doubles. Host by host in
 * send order, a label is (k, P): k items given away, the port busy until P. Host i ends in time when
 *     P + l_i + c_i n + s_i + w_i n <= T.
 * Let c* be the least c_j of the hosts still to come.
 *   Dominance: (k, P) beats (k', P') when k >= k' and P - P' <= (k - k') c*. Whatever the later hosts do after P',
 *   they can do after P without the first k - k' items of it, whose sending took at least (k - k') c*.
 *   So a host with c_i <= c* takes as much as it can or, to save its latency or start-up, nothing: on a bus, and by
 *   decreasing bandwidth, one label survives and the whole is a greedy filling, O(p) a deadline.
 *   A host with c_i > c* may take anything between when items are whole; for real loads the gain is convex in n, so it
 *   is all or nothing again. Of all labels that come to the same k, the one with the least P survives: a sweep over k
 *   with a heap of the labels that reach it, ordered by P - k c_i.
 *   Bound: a label that cannot reach W even by the rates of star.c is dropped: no host to come computes before the
 *   least l_j + s_j of them has passed, and without latencies and start-ups they do no more in the rest of the time.
 *   That leaves few labels near the optimum, since the real optimum and the integer one differ by less than one item a
 *   host. A greedy filling gives the deadline from which the bisection comes down. */
#include "plan/divisible/divisible.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/double_bits.h"
#include "util/heap.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Labels of all places, and of one. */
enum { MOST_LABELS = 1 << 21, FEWEST_LABELS = 64 };

/* Items given to one host, after those of earlier hosts in the send order. */
typedef struct step {
    int64_t previous; /* index of the previous step; -1: none */
    int place;        /* in the send order */
    double items;
} step;

typedef struct label {
    double items, busy; /* k, P */
    double key;         /* P - k c* */
    int64_t last;       /* step, -1 for none */
} label;

/* A label from which the present host may bring k to anything from low to high. */
typedef struct range {
    double low, high, key; /* key: P - k c_i */
    size_t from;           /* index in labels[] */
} range;

typedef struct task {
    const hs__star *star;
    const hs__schedule *schedule;
    double factor;
    int whole;
    double *rate;  /* [n + 1], rho of the hosts from place i on, without latencies */
    double *least; /* [n + 1], c* of the hosts from place i on */
    double *idle;  /* [n + 1], the least latency and start-up of one of them */
    label *labels, *next_labels;
    size_t labels_size, next_size, labels_capacity, next_capacity;
    range *ranges;
    size_t ranges_size, ranges_capacity;
    step *steps;
    size_t steps_size, steps_capacity;
    size_t max_labels; /* of a place */
    int64_t looked_at; /* labels, of all deadlines */
    int cut;
} task;

static void task_free(task *x)
{
    free(x->rate);
    free(x->least);
    free(x->idle);
    free(x->labels);
    free(x->next_labels);
    free(x->ranges);
    free(x->steps);
}

/* The costs of the host at a place. */
typedef struct costs {
    double c, w, latency, startup;
} costs;

static costs costs_at(const task *x, int place)
{
    int i = x->schedule->send[place];
    return (costs){x->factor * x->star->c[i], x->star->w[i], x->factor > 1.0 ? 2.0 * x->star->l[i] : x->star->l[i],
                   x->star->s[i]};
}

static hs_status task_init(task *x, const hs__star *star, const hs__schedule *schedule, double factor)
{
    size_t n = (size_t)schedule->n;
    *x = (task){.star = star,
                .schedule = schedule,
                .factor = factor,
                .whole = star->items == HS_DIVISIBLE_INTEGER,
                .rate = hs__array_new(n + 1, sizeof *x->rate),
                .least = hs__array_new(n + 1, sizeof *x->least),
                .idle = hs__array_new(n + 1, sizeof *x->idle),
                .max_labels = MOST_LABELS / n};
    if (!x->rate || !x->least || !x->idle) {
        task_free(x);
        return HS_ERR_NOMEM;
    }
    x->max_labels = x->max_labels < FEWEST_LABELS ? FEWEST_LABELS : x->max_labels;
    x->least[n] = x->idle[n] = INFINITY;
    for (size_t k = n; k-- > 0;) {
        costs h = costs_at(x, (int)k);
        x->least[k] = fmin(h.c, x->least[k + 1]);
        x->idle[k] = fmin(h.latency + h.startup, x->idle[k + 1]);
        x->rate[k] = h.c * x->rate[k + 1] < 1.0 ? (1.0 + h.w * x->rate[k + 1]) / (h.c + h.w) : x->rate[k + 1];
    }
    return HS_OK;
}

static int in_time(const costs *h, double busy, double items, double deadline)
{
    return busy + (h->latency + h->c * items) + h->startup + h->w * items <= deadline;
}

/* The most items the host can finish by the deadline, no more than wanted. Whole ones: a guess by division, then galloping and
 * bisection. It is off by rounding only, but by many items where they take next to no time beside a latency. */
static double max_items(const task *x, const costs *h, double busy, double wanted, double deadline)
{
    double n = fmin(fmax((deadline - busy - h->latency - h->startup) / (h->c + h->w), 0.0), wanted);
    double low = floor(n), high = low, stride = 1.0;
    if (!x->whole)
        return n;
    for (; low > 0.0 && !in_time(h, busy, low, deadline); stride *= 2.0) {
        high = low;
        low = fmax(low - stride, 0.0);
    }
    if (high == low)
        for (high += 1.0; high <= wanted && in_time(h, busy, high, deadline); stride *= 2.0) {
            low = high;
            high += stride;
        }
    high = fmin(high, wanted + 1.0);
    while (high - low > 1.0) {
        double middle = floor(low + (high - low) / 2.0);
        *(in_time(h, busy, middle, deadline) ? &low : &high) = middle;
    }
    return low;
}

/* No less than what the hosts from a place on can do from `busy` to the deadline, above 0. */
static double most_after(const task *x, int place, double busy, double deadline)
{
    return place < x->schedule->n ? x->rate[place] * (deadline * (1.0 + 1e-12) - busy - x->idle[place]) : 0.0;
}

/* Adds the label with which the host at a place takes `items` after `from`, unless it cannot lead to the whole load. */
static hs_status add(task *x, int place, const costs *h, const label *from, double items, double deadline)
{
    label to = *from;
    x->looked_at++;
    if (items > 0.0) {
        to.items = items == x->star->load - from->items ? x->star->load : from->items + items;
        to.busy += h->latency + h->c * items;
    }
    if ((to.items + fmax(most_after(x, place + 1, to.busy, deadline), 0.0)) * (1.0 + 1e-12) < x->star->load)
        return HS_OK;
    if (hs__array_reserve(&x->next_labels, &x->next_capacity, x->next_size + 1, sizeof *x->next_labels) != 0)
        return HS_ERR_NOMEM;
    if (items > 0.0) {
        if (hs__array_reserve(&x->steps, &x->steps_capacity, x->steps_size + 1, sizeof *x->steps) != 0)
            return HS_ERR_NOMEM;
        x->steps[x->steps_size] = (step){from->last, place, items};
        to.last = (int64_t)x->steps_size++;
    }
    double least = x->least[place + 1];
    to.key = isinf(least) ? 0.0 : to.busy - to.items * least;
    x->next_labels[x->next_size++] = to;
    return HS_OK;
}

/* Notes the range of items that the host may take after a label, as far as the bound of add() lets it. */
static hs_status add_range(task *x, int place, const costs *h, size_t from, double most, double deadline)
{
    const label *s = &x->labels[from];
    double gain = 1.0 - h->c * x->rate[place + 1], low = 1.0, high = most;
    double wanted = x->star->load * (1.0 - 1e-12) - s->items;
    double missing = wanted - most_after(x, place + 1, s->busy + h->latency, deadline);
    if (gain > 0.0)
        low = fmax(low, floor(fmin(missing / gain, wanted)) - 1.0);
    else if (gain < 0.0 && most < wanted)
        high = fmin(high, ceil(missing / gain) + 1.0);
    if (low > high)
        return HS_OK;
    if (hs__array_reserve(&x->ranges, &x->ranges_capacity, x->ranges_size + 1, sizeof *x->ranges) != 0)
        return HS_ERR_NOMEM;
    x->ranges[x->ranges_size++] = (range){s->items + low, s->items + high, s->busy - s->items * h->c, from};
    return HS_OK;
}

static hs_status branch(task *x, int place, const costs *h, size_t from, double deadline)
{
    const label *s = &x->labels[from];
    double most = max_items(x, h, s->busy, x->star->load - s->items, deadline);
    int cheap = h->c <= x->least[place + 1], free_start = h->latency == 0.0 && h->startup == 0.0;
    hs_status status = HS_OK;
    if (most > 0.0)
        status =
            x->whole && !cheap ? add_range(x, place, h, from, most, deadline) : add(x, place, h, s, most, deadline);
    if (status == HS_OK && (most <= 0.0 || !cheap || !free_start))
        status = add(x, place, h, s, 0.0, deadline);
    return status;
}

static int by_low(const void *a, const void *b)
{
    const range *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static int is_before(const range *a, const range *b)
{
    return a->key < b->key;
}

HS__HEAP(heap, range, is_before)

/* A search that is cut is not exact any more: those of later deadlines are to take less and less. */
static void cut_short(task *x)
{
    x->cut = 1;
    x->max_labels = x->max_labels / 2 > FEWEST_LABELS ? x->max_labels / 2 : FEWEST_LABELS;
}

/* For every k that some range holds, the label that comes to it with the least P. The ranges behind `open` are still to
 * come; the front of the array, which they have left, is the heap. */
static hs_status sweep_ranges(task *x, int place, const costs *h, double deadline)
{
    range *heap = x->ranges;
    size_t size = 0, open = 0, added = 0;
    if (x->ranges_size > 1)
        qsort(x->ranges, x->ranges_size, sizeof *x->ranges, by_low);
    for (double k = 0.0; size > 0 || open < x->ranges_size; k += 1.0) {
        if (size == 0)
            k = fmax(k, x->ranges[open].low);
        for (; open < x->ranges_size && x->ranges[open].low <= k; open++)
            heap_push(heap, &size, x->ranges[open]);
        while (size > 0 && heap[0].high < k)
            heap_pop(heap, &size);
        if (size == 0)
            continue;
        if (added++ >= x->max_labels) {
            cut_short(x);
            break;
        }
        const label *from = &x->labels[heap[0].from];
        hs_status status = add(x, place, h, from, k - from->items, deadline);
        if (status != HS_OK)
            return status;
    }
    x->ranges_size = 0;
    return HS_OK;
}

static int by_items(const void *a, const void *b)
{
    const label *x = a, *y = b;
    if (x->items != y->items)
        return x->items > y->items ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->last > y->last) - (x->last < y->last);
}

/* The labels of x->next_labels that none dominates become x->labels. */
static void keep_best(task *x)
{
    if (x->next_size > 1)
        qsort(x->next_labels, x->next_size, sizeof *x->next_labels, by_items);
    size_t kept = 0;
    for (size_t i = 0; i < x->next_size; i++)
        if (kept == 0 || x->next_labels[i].key < x->next_labels[kept - 1].key)
            x->next_labels[kept++] = x->next_labels[i];
    for (size_t i = 1; i < kept; i++)
        HS_ASSERT(x->next_labels[i].items < x->next_labels[i - 1].items &&
                  x->next_labels[i].key < x->next_labels[i - 1].key);
    if (kept > x->max_labels) {
        kept = x->max_labels;
        cut_short(x);
    }
    label *old = x->labels;
    size_t capacity = x->labels_capacity;
    x->labels = x->next_labels;
    x->labels_size = kept;
    x->labels_capacity = x->next_capacity;
    x->next_labels = old;
    x->next_capacity = capacity;
    x->next_size = 0;
}

/* All labels after the host at a place become x->labels. */
static hs_status advance(task *x, int place, double deadline)
{
    costs h = costs_at(x, place);
    hs_status status = HS_OK;
    for (size_t i = 0; i < x->labels_size && status == HS_OK; i++)
        status = branch(x, place, &h, i, deadline);
    if (status == HS_OK)
        status = sweep_ranges(x, place, &h, deadline);
    if (status == HS_OK)
        keep_best(x);
    return status;
}

/* Whether the whole load can be done by the deadline; then *last is the last step. */
static hs_status reach(task *x, double deadline, int *reached, int64_t *last)
{
    x->next_size = x->ranges_size = x->steps_size = 0;
    *reached = 0;
    if (hs__array_reserve(&x->labels, &x->labels_capacity, 1, sizeof *x->labels) != 0)
        return HS_ERR_NOMEM;
    x->labels[0] = (label){.last = -1};
    x->labels_size = 1;
    for (int place = 0; place < x->schedule->n && x->labels_size > 0; place++) {
        hs_status status = advance(x, place, deadline);
        if (status != HS_OK)
            return status;
        if (x->labels_size > 0 && x->labels[0].items >= x->star->load) {
            *reached = 1;
            *last = x->labels[0].last;
            return HS_OK;
        }
    }
    return HS_OK;
}

/* Whether the real optimum's choice of hosts, each filled, does the whole load by the deadline; load[] gets the items of
 * each host, if it is not NULL. */
static int fills(const task *x, double deadline, double *load)
{
    double left = x->star->load, busy = 0.0;
    for (int place = 0; place < x->schedule->n && left > 0.0; place++) {
        costs h = costs_at(x, place);
        double n = h.c * x->rate[place + 1] < 1.0 ? max_items(x, &h, busy, left, deadline) : 0.0;
        if (n > 0.0) {
            left -= n;
            busy += h.latency + h.c * n;
        }
        if (load)
            load[x->schedule->send[place]] = n;
    }
    return left <= 0.0;
}

/* The least deadline that is reached or, where the search was cut or differs by rounding, filled. */
static hs_status least_deadline(task *x, double *deadline)
{
    uint64_t missed = hs__bits_of(x->star->load / x->rate[0] * (1.0 - 1e-12)), met = hs__bits_of(DBL_MAX),
             greedy = missed;
    if (!fills(x, DBL_MAX, NULL))
        return HS_ERR_INFEASIBLE;
    while (met - greedy > 1) {
        uint64_t middle = greedy + (met - greedy) / 2;
        *(fills(x, hs__double_of(middle), NULL) ? &met : &greedy) = middle;
    }
    int reached;
    int64_t last;
    hs_status status = HS_OK;
    while (met - missed > 1 && status == HS_OK) {
        uint64_t middle = missed + (met - missed) / 2;
        status = reach(x, hs__double_of(middle), &reached, &last);
        *(reached ? &met : &missed) = middle;
    }
    *deadline = hs__double_of(met);
    return status;
}

/* The loads of the hosts that meet the least deadline. */
static hs_status find_loads(task *x, double *load)
{
    double deadline;
    int reached;
    int64_t last;
    hs_status status = least_deadline(x, &deadline);
    if (status == HS_OK)
        status = reach(x, deadline, &reached, &last);
    if (status != HS_OK)
        return status;
    memset(load, 0, (size_t)x->star->hosts * sizeof *load);
    if (!reached)
        fills(x, deadline, load);
    for (; reached && last >= 0; last = x->steps[last].previous)
        load[x->schedule->send[x->steps[last].place]] = x->steps[last].items;
    return HS_OK;
}

hs_status hs__divisible_deadline_loads(const hs__star *star, hs__schedule *schedule, double factor, double *ready,
                                       int *exact, int64_t *labels)
{
    task x;
    hs_status status = task_init(&x, star, schedule, factor);
    if (status != HS_OK)
        return status;
    status = find_loads(&x, schedule->load);
    if (labels)
        *labels = x.looked_at;
    if (status == HS_OK) {
        hs__schedule_drop_idle(schedule);
        HS_ASSERT(fabs(hs__schedule_total(schedule) - star->load) <= 1e-9 * star->load);
        schedule->makespan = hs__divisible_makespan(star, schedule, ready);
        HS_ASSERT(schedule->makespan >= star->load / x.rate[0] * (1 - 1e-9));
        if (exact)
            *exact = !x.cut;
    }
    task_free(&x);
    return status;
}
