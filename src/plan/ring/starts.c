/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the local search starts from: the rings of whole blocks of the hierarchy, ordered inside their switches, and
 * the rings of several greedy constructions. */
#include "plan/ring/search.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

enum { MAX_TRIMS = 12, MAX_FOR_OPTIMAL = 80 };

static hs_status elite_init(hs__elite *elite, int hosts)
{
    *elite = (hs__elite){0};
    for (int i = 0; i < HS__ELITE; i++)
        elite->ring[i] = hs__ring_state_new(&elite->pool, hosts);
    return hs__pool_complete(&elite->pool);
}

/* Whether a ring counts as the same as one of the elite. */
static int is_in_elite(const hs__elite *elite, int at, const hs__ring_state *ring, double step_time)
{
    if (!elite->by_order)
        return fabs(elite->step_time[at] - step_time) <= 1e-9 * step_time;
    return elite->ring[at].size == ring->size &&
           memcmp(elite->ring[at].order, ring->order, (size_t)ring->size * sizeof *ring->order) == 0;
}

void hs__elite_offer(hs__elite *elite, const hs__ring_state *ring, double step_time)
{
    int at = 0, known = 0;
    while (known < elite->count && !is_in_elite(elite, known, ring, step_time))
        known++;
    while (at < elite->count && elite->step_time[at] <= step_time * (1 + 1e-9))
        at++;
    if (at == HS__ELITE || at > known)
        return;
    if (known == elite->count && elite->count < HS__ELITE)
        elite->count++;
    int last = known < elite->count ? known : elite->count - 1;
    hs__ring_state freed = elite->ring[last];
    memmove(&elite->ring[at + 1], &elite->ring[at], (size_t)(last - at) * sizeof *elite->ring);
    memmove(&elite->step_time[at + 1], &elite->step_time[at], (size_t)(last - at) * sizeof *elite->step_time);
    elite->ring[at] = freed;
    elite->step_time[at] = step_time;
    HS_ASSERT(at == 0 || elite->step_time[at - 1] <= step_time * (1 + 1e-9));
    HS_ASSERT(at + 1 == elite->count || step_time <= elite->step_time[at + 1] * (1 + 1e-9));
    hs__ring_state_copy(&elite->ring[at], ring);
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
static hs_status try_block(hs__search *s, const hs__block *block, hs__elite *elite)
{
    hs__ring_state *t = &s->trial;
    int max_members = s->problem->max_members;
    t->size = block->count < max_members ? block->count : max_members;
    for (int i = 0; i < t->size; i++)
        t->order[i] = hs__ring_blocks_host(&s->blocks, block, i);
    for (int trim = 0; trim < MAX_TRIMS && !hs__search_spent(s); trim++) {
        hs_status status = hs__search_judge(s);
        if (status != HS_OK || isinf(s->trial_cost.step_time))
            return status;
        hs__elite_offer(elite, t, s->trial_cost.step_time);
        /* Dropping reorders trial.order while paths stay: the next judging finds them anew. */
        if (drop_useless(s) == 0)
            break;
    }
    return HS_OK;
}

static hs_status descend_from(hs__search *s, const hs__ring_state *ring, int64_t share)
{
    int64_t limit = hs__search_allow(s, share);
    hs_status status = hs__search_turn_to(s, ring);
    if (status == HS_OK) {
        hs__search_reroute_table(s);
        status = hs__search_descend(s);
    }
    s->limit = limit;
    return status;
}

/* Descends from every ring of the elite. */
static hs_status descend_from_elite(hs__search *s, const hs__elite *elite, int64_t share)
{
    hs_status status = HS_OK;
    for (int i = 0; i < elite->count && status == HS_OK; i++)
        status = descend_from(s, &elite->ring[i], share);
    return status;
}

/* Where there are few rings, searches longer for the paths of the elite. */
static hs_status settle_elite(hs__search *s, const hs__elite *elite, int64_t share)
{
    hs_status status = HS_OK;
    for (int i = 0; i < elite->count && status == HS_OK; i++) {
        int64_t limit = hs__search_allow(s, share);
        status = hs__search_turn_to(s, &elite->ring[i]);
        if (status == HS_OK)
            status = hs__search_settle_paths(s, 4);
        s->limit = limit;
    }
    return status;
}

hs_status hs__search_from_all(hs__search *search)
{
    hs__elite elite;
    hs_status status = elite_init(&elite, search->problem->network.hosts);
    if (status != HS_OK)
        return status;
    elite.by_order = 1;
    status = hs__search_all(search, &elite);
    if (status == HS_OK)
        status = descend_from_elite(search, &elite, hs__search_left(search) / (2 * HS__ELITE));
    if (status == HS_OK && search->table.graph)
        status = settle_elite(search, &elite, hs__search_left(search) / (2 * HS__ELITE));
    hs__pool_free(&elite.pool);
    return status;
}

hs_status hs__search_from_blocks(hs__search *search)
{
    hs__elite elite;
    hs_status status = elite_init(&elite, search->problem->network.hosts);
    if (status != HS_OK)
        return status;
    int64_t share = hs__search_left(search) / (2 * HS__ELITE), limit = search->limit;
    hs__block all = {0, search->blocks.hosts};
    search->limit = search->problem->effort + 2 * share;
    status = try_block(search, &all, &elite);
    for (int i = 0; i < search->blocks.count && status == HS_OK && !hs__search_spent(search); i++)
        if (search->blocks.block[i].count > 1)
            status = try_block(search, &search->blocks.block[i], &elite);
    search->limit = limit;
    if (status == HS_OK)
        status = descend_from_elite(search, &elite, share);
    hs__pool_free(&elite.pool);
    return status;
}

/* The best ring of a greedy construction. Its cost is added to *effort and counts neither as the search's nor as rings
 * evaluated. */
static hs_status grow(hs__ring_problem *p, hs__criterion criterion, hs_ring_share refinement, hs__ring_state *start,
                      int64_t *effort)
{
    int64_t evaluations = p->evaluations, before = p->effort;
    hs_status status = hs__ring_grow(p, criterion, refinement, start);
    *effort += p->effort - before;
    p->evaluations = evaluations;
    p->effort = before;
    return status;
}

hs_status hs__search_from_greedy(hs__search *search)
{
    static const hs_ring_share refinements[] = {HS_RING_SHARE_GREEDY, HS_RING_SHARE_MAXMIN, HS_RING_SHARE_OPTIMAL};
    hs__ring_problem *p = search->problem;
    hs__ring_state start = hs__ring_state_new(&search->pool, p->network.hosts);
    int kinds = p->max_members <= MAX_FOR_OPTIMAL ? 3 : 2;
    int64_t left = hs__search_left(search), share = left / (4 * kinds);
    int is_asked = p->params->share == p->rule; /* then what the paper's constructions have left are starts, too */
    int64_t grown = is_asked ? p->effort : 0;
    hs_status status = hs__pool_status(&search->pool);
    for (int i = 0; i < HS__CRITERIA * kinds && status == HS_OK; i++) {
        hs__criterion criterion = (hs__criterion)(i % HS__CRITERIA);
        hs_ring_share refinement = refinements[i / HS__CRITERIA];
        int known = is_asked && refinement == p->rule;
        if (!known && grown >= left)
            continue;
        status = known ? HS_OK : grow(p, criterion, refinement, &start, &grown);
        if (status == HS_OK)
            status = descend_from(search, known ? &p->grown[criterion] : &start, share);
    }
    return status;
}
