/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the local search starts from: the rings of whole blocks of the hierarchy, ordered inside their switches, and
 * the rings of several greedy constructions. */
#include "plan/ring_search.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 6, MOST_TRIMS = 12, MOST_FOR_OPTIMAL = 80 };

/* The best few rings of different step times, best first. */
typedef struct kept {
    hs__ring_state ring[KEPT];
    double step_time[KEPT];
    int count;
} kept;

static void kept_free(kept *k)
{
    for (int i = 0; i < KEPT; i++)
        hs__ring_state_free(&k->ring[i]);
}

static hs_status kept_init(kept *k, int hosts)
{
    *k = (kept){0};
    for (int i = 0; i < KEPT; i++)
        if (hs__ring_state_init(&k->ring[i], hosts) != HS_OK) {
            kept_free(k);
            return HS_ERR_NOMEM;
        }
    return HS_OK;
}

static void keep(kept *k, const hs__ring_state *ring, double step_time)
{
    int at = 0;
    while (at < k->count && k->step_time[at] < step_time * (1 - 1e-9))
        at++;
    if (at == KEPT || (at < k->count && fabs(k->step_time[at] - step_time) <= 1e-9 * step_time))
        return;
    if (k->count < KEPT)
        k->count++;
    hs__ring_state last = k->ring[k->count - 1];
    memmove(&k->ring[at + 1], &k->ring[at], (size_t)(k->count - 1 - at) * sizeof *k->ring);
    memmove(&k->step_time[at + 1], &k->step_time[at], (size_t)(k->count - 1 - at) * sizeof *k->step_time);
    k->ring[at] = last;
    k->step_time[at] = step_time;
    hs__ring_state_copy(&k->ring[at], ring);
}

/* Drops from the trial just judged the members whose messages alone take as long as Eq. 4.
 * @return how many were dropped; at least one member is left */
static int drop_useless(hs__search *s)
{
    hs__ring_state *t = &s->trial;
    int n = 0, size = t->size;
    if (s->trial_cost.eq4 >= s->trial_cost.step_time || size < 2)
        return 0;
    for (int k = 0; k < size; k++)
        if (hs__ring_comm_time(s->problem->params, t, k) < s->trial_cost.eq4)
            t->order[n++] = t->order[k];
    t->size = n > 0 ? n : 1;
    return size - t->size;
}

/* Judges the ring of the hosts of a block in the hierarchy's order, again without those that prove useless. */
static hs_status try_block(hs__search *s, const hs__block *block, kept *k)
{
    hs__ring_state *t = &s->trial;
    int most = s->problem->most;
    t->size = block->count < most ? block->count : most;
    for (int i = 0; i < t->size; i++)
        t->order[i] = hs__blocks_host(&s->blocks, block, i);
    for (int trim = 0; trim < MOST_TRIMS && !hs__search_spent(s); trim++) {
        hs_status status = hs__search_judge(s);
        if (status != HS_OK || isinf(s->trial_cost.step_time))
            return status;
        hs__ring_note(s->problem, t);
        keep(k, t, s->trial_cost.step_time);
        /* Dropping reorders trial.order while paths stay: the next judging finds them anew. */
        if (drop_useless(s) == 0)
            break;
    }
    return HS_OK;
}

static hs_status descend_from(hs__search *s, const hs__ring_state *ring, int64_t share)
{
    int64_t limit = s->limit, own = s->problem->evaluations + share;
    hs_status status = hs__search_turn_to(s, ring);
    s->limit = own < limit ? own : limit;
    if (status == HS_OK) {
        hs__search_reroute_table(s);
        status = hs__search_descend(s);
    }
    s->limit = limit;
    return status;
}

hs_status hs__search_from_blocks(hs__search *search)
{
    kept k;
    hs_status status = kept_init(&k, search->problem->network.hosts);
    if (status != HS_OK)
        return status;
    int64_t share = (search->limit - search->problem->evaluations) / (2 * KEPT), limit = search->limit;
    hs__block all = {0, search->blocks.hosts};
    search->limit = search->problem->evaluations + 2 * share;
    status = try_block(search, &all, &k);
    for (int i = 0; i < search->blocks.count && status == HS_OK && !hs__search_spent(search); i++)
        if (search->blocks.block[i].count > 1)
            status = try_block(search, &search->blocks.block[i], &k);
    search->limit = limit;
    for (int i = 0; i < k.count && status == HS_OK; i++)
        status = descend_from(search, &k.ring[i], share);
    kept_free(&k);
    return status;
}

hs_status hs__search_from_greedy(hs__search *search)
{
    static const hs_ring_share refinements[] = {HS_RING_SHARE_GREEDY, HS_RING_SHARE_MAXMIN, HS_RING_SHARE_OPTIMAL};
    hs__ring_problem *p = search->problem;
    hs__ring_state start;
    int kinds = p->most <= MOST_FOR_OPTIMAL ? 3 : 2;
    int64_t share = (search->limit - p->evaluations) / (4 * kinds);
    hs_status status = hs__ring_state_init(&start, p->network.hosts);
    if (status != HS_OK)
        return status;
    for (int i = 0; i < 2 * kinds && status == HS_OK; i++) {
        int64_t before = p->evaluations;
        status = hs__ring_grow(p, i % 2 ? HS__BY_STEP_TIME : HS__BY_EQ4, refinements[i / 2], &start);
        p->evaluations = before;
        if (status == HS_OK)
            status = descend_from(search, &start, share);
    }
    hs__ring_state_free(&start);
    return status;
}
