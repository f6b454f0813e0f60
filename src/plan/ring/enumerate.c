/* SPDX-License-Identifier: BSD-3-Clause */
/* Every ring of a few hosts: each set of hosts, in each cyclic order, one of the two directions. */
#include "plan/ring/search.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <string.h>

/* In doubles, which no number of rings overflows; they count the few that are judged exactly. */
int64_t hs__search_rings(const hs__ring_problem *problem, int64_t limit)
{
    double total = 0, choices = 1, orders = 1;
    int hosts = 0;
    for (int i = 0; i < problem->network.hosts; i++)
        hosts += problem->network.speed[i] > 0;
    for (int q = 1; q <= problem->max_members && total <= (double)limit; q++) {
        choices = choices * (hosts - q + 1) / q;
        orders *= q > 3 ? q - 1 : 1;
        total += choices * orders;
    }
    return total <= (double)limit && total < 0x1p63 ? (int64_t)total : INT64_MAX;
}

typedef struct enumeration {
    hs__search *search;
    hs__elite *elite;
    int *order; /* of the present ring */
    int size;
    char *member;
    int64_t each;   /* effort for the paths of one ring; 0: routes are fixed */
    int64_t judged; /* rings */
} enumeration;

static void copy_order(const enumeration *e)
{
    hs__ring_state *t = &e->search->trial;
    t->size = e->size;
    memcpy(t->order, e->order, (size_t)e->size * sizeof *t->order);
}

/* Improves the paths of the ring just judged. */
static hs_status settle(enumeration *e)
{
    hs__search *s = e->search;
    if (isinf(s->trial_cost.step_time))
        return HS_OK;
    int64_t limit = hs__search_allow(s, e->each);
    hs__search_accept(s);
    hs_status status = hs__search_settle_paths(s, 2);
    s->limit = limit;
    hs__elite_offer(e->elite, &s->now, s->cost.step_time);
    return status;
}

/* Judges the present ring on fixed routes. */
static hs_status judge_fixed(enumeration *e)
{
    hs__search *s = e->search;
    copy_order(e);
    hs_status status = hs__search_judge(s);
    if (status == HS_OK && !isinf(s->trial_cost.step_time)) {
        hs__ring_note(s->problem, &s->trial);
        hs__elite_offer(e->elite, &s->trial, s->trial_cost.step_time);
    }
    return status;
}

/* Judges the present ring on free routes: from the widest paths on, and from the platform's routes. */
static hs_status judge_free(enumeration *e)
{
    hs__search *s = e->search;
    copy_order(e);
    hs_status status = hs__search_judge(s);
    if (status == HS_OK)
        status = settle(e);
    if (status != HS_OK || e->size < 2)
        return status;
    copy_order(e);
    status = hs__search_judge_routes(s);
    return status == HS_OK ? settle(e) : status;
}

/* Judges the present ring and all that extend its order. The first host is the highest of the ring, and the second is
 * below the last, which leaves one of each ring's rotations and directions. Slow hosts come first: of rings of equal T
 * the first met are kept, and those around the fastest host are so many that they would leave no room for others. */
static hs_status extend(enumeration *e)
{
    const hs__ring_problem *p = e->search->problem;
    hs_status status = HS_OK;
    int size = e->size;
    if (size < 3 || e->order[1] < e->order[size - 1]) {
        status = e->each > 0 ? judge_free(e) : judge_fixed(e);
        e->judged++;
    }
    if (size == p->max_members)
        return status;
    for (int host = e->order[0] - 1; host >= 0 && status == HS_OK; host--) {
        if (e->member[host] || !(p->network.speed[host] > 0))
            continue;
        e->member[host] = 1;
        e->order[size] = host;
        e->size = size + 1;
        status = extend(e);
        e->size = size;
        e->member[host] = 0;
    }
    return status;
}

hs_status hs__search_all(hs__search *search, hs__elite *elite)
{
    hs__pool pool = {0};
    const hs__network *network = &search->problem->network;
    hs_status status = HS_OK;
    int64_t left = hs__search_left(search);
    enumeration e = {.search = search,
                     .elite = elite,
                     .order = hs__pool_new(&pool, (size_t)network->hosts, sizeof *e.order),
                     .member = hs__pool_new(&pool, (size_t)network->hosts, 1)};
    if (hs__pool_status(&pool) != HS_OK)
        status = HS_ERR_NOMEM;
    int64_t rings = hs__search_rings(search->problem, left);
    if (search->table.graph && rings > 0)
        e.each = left / (4 * rings) + 1;
    for (int first = network->hosts - 1; first >= 0 && status == HS_OK; first--) {
        if (!(network->speed[first] > 0))
            continue;
        e.order[0] = first;
        e.size = 1;
        e.member[first] = 1;
        status = extend(&e);
        e.member[first] = 0;
    }
    HS_ASSERT(status != HS_OK || e.judged == hs__search_rings(search->problem, e.judged));
    hs__pool_free(&pool);
    return status;
}
