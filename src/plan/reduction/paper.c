/* SPDX-License-Identifier: BSD-3-Clause */
/* Branch and bound with the exchange lemma, as published (reduction-schedule, section 6, read word by word). Sequences
 * are tried slower classes first, so slowest-node-first is the first one. A partial sequence is dropped when
 *   - its next sender is slower than one whose completion lets it start, at that moment (Lemma 1),
 *   - the time that algorithm EP has come to is larger than the best sequence takes.
 * The paper also remarks that the last sender can be the fastest host, and that Lemma 1 reaches across gaps. Both would
 * drop more; but without them the search looks at as many sequences as its table 1 says (bench/reduction/efficiency).
 */
#include "plan/reduction/reduction.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

enum { MAX_HOSTS = HS_REDUCTION_PAPER_MAX, DEFAULT_BUDGET = 10000000 };

/* Algorithm EP between two starts. */
typedef struct state {
    double end[MAX_HOSTS]; /* completion of the active messages, increasing */
    int class_of[MAX_HOSTS];
    int active, free_hosts;
    double now;
    double fastest; /* of the senders that completed now, INFINITY when there are none */
} state;

typedef struct search {
    const hs__classes *classes;
    int left[MAX_HOSTS]; /* senders of each class not yet placed */
    int sequence[MAX_HOSTS], best_sequence[MAX_HOSTS];
    double best;
    int64_t nodes, leaves, budget;
} search;

/* Completions until two hosts are free, and all others of that moment. */
static void advance(state *s, const hs__classes *classes)
{
    if (s->free_hosts >= 2)
        return;
    int done = 0;
    while (done < s->active && (s->free_hosts < 2 || s->end[done] == s->now)) {
        if (s->end[done] > s->now)
            s->fastest = INFINITY;
        s->now = s->end[done];
        s->fastest = fmin(s->fastest, classes->time[s->class_of[done++]]);
        s->free_hosts++;
    }
    s->active -= done;
    for (int a = 0; a < s->active; a++) {
        s->end[a] = s->end[a + done];
        s->class_of[a] = s->class_of[a + done];
    }
}

static void start(state *s, const hs__classes *classes, int k)
{
    double end = s->now + classes->time[k];
    int a = s->active++;
    for (; a > 0 && s->end[a - 1] > end; a--) {
        s->end[a] = s->end[a - 1];
        s->class_of[a] = s->class_of[a - 1];
    }
    s->end[a] = end;
    s->class_of[a] = k;
    s->free_hosts -= 2;
    HS_ASSERT(s->free_hosts >= 0);
}

static void offer(search *x, double makespan)
{
    x->leaves++;
    if (makespan >= x->best)
        return;
    x->best = makespan;
    memcpy(x->best_sequence, x->sequence, sizeof x->sequence);
}

static void visit(search *x, const state *from, int placed)
{
    if (placed == x->classes->senders) {
        offer(x, from->end[from->active - 1]);
        return;
    }
    state ready = *from;
    advance(&ready, x->classes);
    if (ready.now > x->best)
        return;
    for (int k = x->classes->count - 1; k >= 0 && x->nodes < x->budget; k--) {
        if (x->left[k] == 0 || x->classes->time[k] > ready.fastest)
            continue;
        state next = ready;
        start(&next, x->classes, k);
        x->nodes++;
        x->left[k]--;
        x->sequence[placed] = k;
        visit(x, &next, placed + 1);
        x->left[k]++;
    }
}

hs_status hs__reduction_paper(hs_reduction *plan, const double *time, const hs__classes *classes, int64_t budget)
{
    search x = {.classes = classes, .best = INFINITY, .budget = budget > 0 ? budget : DEFAULT_BUDGET};
    state empty = {.free_hosts = plan->hosts, .fastest = INFINITY};
    int senders[MAX_HOSTS], used[MAX_HOSTS] = {0};
    for (int k = 0; k < classes->count; k++)
        x.left[k] = classes->size[k];
    visit(&x, &empty, 0);
    plan->explored = x.nodes;
    plan->sequences = x.leaves;
    plan->optimal = x.nodes < x.budget;
    if (!isfinite(x.best))
        return HS_OK;
    for (int i = 0; i < classes->senders; i++) {
        int k = x.best_sequence[i];
        senders[i] = classes->host[classes->first[k] + used[k]++];
    }
    return hs__reduction_accept(plan, time, senders);
}
