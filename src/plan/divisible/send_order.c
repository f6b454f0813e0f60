/* SPDX-License-Identifier: BSD-3-Clause */
/* Send orders without results, where decreasing bandwidth need not be best: whole items (on a bus, too: which host
 * waits for its predecessor's last item matters), latencies and start-ups. Each order is judged by its exact loads
 * (deadline.c): local search by moving one host to another place, near places first, or all orders. */
#include "plan/divisible/divisible.h"
#include "util/assert.h"
#include <string.h>

/* Below this the order is not worth searching. */
static const double GAP_WORTH_SEARCHING = 1e-3;

/* What one evaluation stands for in the budget, labels a host: 64 deadlines, a few labels in each. */
enum { LABELS_A_HOST = 256 };

typedef struct searcher {
    hs__task *task;
    hs__schedule *best;
    int masters;
    double floor; /* no makespan is below */
    int64_t left; /* evaluations */
    int exact;    /* all loads so far were exact for their orders */
} searcher;

static searcher begin(hs__task *task, hs__schedule *schedule, int64_t max_evaluations)
{
    const hs__star *star = &task->star;
    searcher x = {task, schedule, star->hosts - star->workers, 0.0, max_evaluations, 1};
    x.floor = star->load / hs__divisible_star_rate(star, 0.0);
    return x;
}

/* Loads for the order in task->scratch; keeps what is shorter. */
static hs_status try_order(searcher *x, int *helped)
{
    const hs__star *star = &x->task->star;
    hs__schedule *trial = &x->task->trial;
    int exact = 0;
    int64_t labels = 0;
    *helped = 0;
    hs__schedule_copy(trial, &x->task->scratch, star->hosts);
    memcpy(trial->collect, trial->send, (size_t)trial->n * sizeof *trial->send);
    hs_status status = hs__divisible_deadline_loads(star, trial, 1.0, x->task->ready, &exact, &labels);
    x->left -= 1 + labels / ((int64_t)star->hosts * LABELS_A_HOST);
    if (status != HS_OK)
        return status;
    x->exact &= exact;
    *helped = trial->makespan < x->best->makespan * (1.0 - 1e-12);
    if (*helped)
        hs__schedule_copy(x->best, trial, star->hosts);
    return HS_OK;
}

static int worth_more(const searcher *x)
{
    return x->left > 0 && x->best->makespan > x->floor * (1.0 + GAP_WORTH_SEARCHING);
}

/* All moves over a distance, until one helps. */
static hs_status sweep(searcher *x, int distance, int *helped)
{
    int *worker = x->task->scratch.send + x->masters, workers = x->task->star.workers;
    *helped = 0;
    for (int from = 0; from < workers; from++)
        for (int side = -1; side <= 1; side += 2) {
            int to = from + side * distance;
            if (to < 0 || to >= workers || (distance == 1 && side < 0) || !worth_more(x))
                continue;
            hs__divisible_move(worker, from, to);
            hs_status status = try_order(x, helped);
            if (status != HS_OK || *helped)
                return status;
            hs__divisible_move(worker, to, from);
        }
    return HS_OK;
}

/* Whether all orders are within the evaluations left. */
static int can_try_all(const searcher *x)
{
    int64_t orders = 1;
    for (int k = 2; k <= x->task->star.workers; k++)
        if (k > HS_DIVISIBLE_EXACT_MAX || (orders *= k) > x->left)
            return 0;
    return 1;
}

/* The next permutation in lexicographic order of places by_c; 0 after the last. */
static int next_permutation(int *p, int n)
{
    int i = n - 2, j = n - 1;
    while (i >= 0 && p[i] > p[i + 1])
        i--;
    if (i < 0)
        return 0;
    while (p[j] < p[i])
        j--;
    int t = p[i];
    p[i] = p[j];
    p[j] = t;
    for (int a = i + 1, b = n - 1; a < b; a++, b--) {
        t = p[a];
        p[a] = p[b];
        p[b] = t;
    }
    return 1;
}

static int same_host(const hs__star *star, int a, int b)
{
    return star->w[a] == star->w[b] && star->c[a] == star->c[b] && star->l[a] == star->l[b] && star->s[a] == star->s[b];
}

/* Of orders that differ by hosts of the same costs only, the one in which they stand by index. */
static int is_representative(const hs__star *star, const int *worker, int n)
{
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (worker[a] > worker[b] && same_host(star, worker[a], worker[b]))
                return 0;
    return 1;
}

/* All orders, as long as evaluations are left. */
static hs_status try_all(searcher *x, int *optimal)
{
    const hs__star *star = &x->task->star;
    int place[HS_DIVISIBLE_EXACT_MAX], helped, more = 1;
    hs__divisible_fifo_orders(star, &x->task->scratch);
    int *worker = x->task->scratch.send + x->masters;
    for (int k = 0; k < star->workers; k++)
        place[k] = k;
    hs_status status = HS_OK;
    while (status == HS_OK && more && x->left > 0) {
        for (int k = 0; k < star->workers; k++)
            worker[k] = star->by_c[x->masters + place[k]];
        if (is_representative(star, worker, star->workers))
            status = try_order(x, &helped);
        more = x->best->makespan > x->floor * (1.0 + 1e-12) && next_permutation(place, star->workers);
    }
    *optimal = x->exact && !more;
    return status;
}

hs_status hs__divisible_improve_send(hs__task *task, hs__schedule *schedule, int64_t max_evaluations, int *optimal)
{
    searcher x = begin(task, schedule, max_evaluations);
    int helped = 0;
    *optimal = 0;
    if (worth_more(&x) && can_try_all(&x))
        return try_all(&x, optimal);
    hs__divisible_complete(&task->star, &task->scratch, schedule);
    hs_status status = HS_OK;
    for (int distance = 1; distance < task->star.workers && status == HS_OK && worth_more(&x);) {
        status = sweep(&x, distance, &helped);
        distance = helped ? 1 : distance + 1;
    }
    HS_ASSERT(schedule->makespan >= x.floor * (1.0 - 1e-9));
    return status;
}

hs_status hs__divisible_every_send_order(hs__task *task, hs__schedule *schedule, int *optimal)
{
    searcher x = begin(task, schedule, INT64_MAX);
    hs_status status = try_all(&x, optimal);
    HS_ASSERT(schedule->makespan >= x.floor * (1.0 - 1e-9));
    return status;
}
