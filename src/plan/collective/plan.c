/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a collective operation: from a tree or ring of hosts to one of ranks. */
#include "plan/collective/collective.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <stdlib.h>

struct hs_collective {
    int ranks, root;
    hs_collective_shape shape;
    double time, lower_bound, piece;
    int *parent, *place, *window; /* [ranks]; of the pool */
    hs__pool pool;
};

hs_collective *hs__collective_new(int ranks, double lower_bound)
{
    size_t n = (size_t)ranks;
    hs_collective *plan = hs__array_new(1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->ranks = ranks;
    plan->lower_bound = lower_bound;
    plan->parent = hs__pool_new(&plan->pool, n, sizeof *plan->parent);
    plan->place = hs__pool_new(&plan->pool, n, sizeof *plan->place);
    plan->window = hs__pool_new(&plan->pool, n, sizeof *plan->window);
    if (hs__pool_status(&plan->pool) == HS_OK)
        return plan;
    hs_collective_free(plan);
    return NULL;
}

/* Ranks of one host join their leader as a binomial tree: the k-th joins the one without its highest bit. */
static void place_tree(hs_collective *plan, const hs__participants *who, const hs__collective_tree *tree, int *members,
                       int *local)
{
    int place = 0;
    for (int k = 0; k < who->hosts; k++) {
        int h = tree->order[k], parent = tree->parent[h];
        plan->parent[who->leader[h]] = parent < 0 ? -1 : who->leader[parent];
        plan->place[who->leader[h]] = place++;
    }
    plan->root = who->leader[tree->order[0]];
    for (int k = 0; k < who->hosts; k++) {
        int h = tree->order[k], count = 0;
        members[count++] = who->leader[h];
        for (int r = 0; r < plan->ranks; r++)
            if (who->index[r] == h && r != who->leader[h])
                members[count++] = r;
        for (int i = 1, bit = 1; i < count; i++) {
            bit = 2 * bit <= i ? 2 * bit : bit;
            plan->parent[members[i]] = members[i - bit];
            plan->place[members[i]] = place++;
        }
        *local = count > *local ? count : *local;
    }
    HS_ASSERT(place == plan->ranks);
}

/* A ring of ranks: all of a host follow each other. */
static void place_ring(hs_collective *plan, const hs__participants *who, const int *order, int *members)
{
    int place = 0;
    for (int k = 0; k < who->hosts; k++)
        for (int r = 0; r < plan->ranks; r++)
            if (who->index[r] == order[k]) {
                members[place] = r;
                plan->place[r] = place++;
            }
    HS_ASSERT(place == plan->ranks);
    for (int k = 0; k < place; k++)
        plan->parent[members[k]] = members[(k + 1) % place];
    plan->root = -1;
}

/* Bytes a second between a host and its parent, in the direction that the operation uses or the slower of both. */
static double edge_rate(const hs__routes *x, hs_collective_kind kind, const hs__collective_tree *tree, int h)
{
    double up = x->bandwidth[h * x->hosts + tree->parent[h]], down = x->bandwidth[tree->parent[h] * x->hosts + h];
    return kind == HS_COLLECTIVE_REDUCE ? up : kind == HS_COLLECTIVE_BROADCAST ? down : fmin(up, down);
}

static void set_windows(hs_collective *plan, const hs__routes *x, hs_collective_kind kind, const hs__participants *who,
                        const hs__collective_tree *tree)
{
    double slowest = INFINITY;
    for (int r = 0; r < plan->ranks; r++)
        plan->window[r] = 2;
    for (int k = 1; k < x->hosts; k++)
        slowest = fmin(slowest, edge_rate(x, kind, tree, tree->order[k]));
    for (int k = 1; k < x->hosts; k++)
        if (edge_rate(x, kind, tree, tree->order[k]) > 1.5 * slowest)
            plan->window[who->leader[tree->order[k]]] = 1;
}

hs_status hs__collective_fill(hs_collective *plan, const hs__routes *x, const hs_collective_params *p,
                              const hs__participants *who, const hs__collective_choice *c)
{
    int local = 1;
    int *members = hs__array_new((size_t)p->ranks, sizeof *members);
    if (!members)
        return HS_ERR_NOMEM;
    plan->shape = c->shape;
    plan->time = c->time;
    plan->piece = c->piece;
    if (c->shape == HS_COLLECTIVE_RING)
        place_ring(plan, who, c->best.order, members);
    else {
        place_tree(plan, who, &c->best, members, &local);
        set_windows(plan, x, p->kind, who, &c->best);
    }
    if (local > 1) {
        double ways = p->kind == HS_COLLECTIVE_ALLREDUCE || p->kind == HS_COLLECTIVE_BARRIER ? 2.0 : 1.0;
        plan->time += ways * ceil(log2(local)) * (p->overhead + plan->piece / p->local_rate);
    }
    free(members);
    return HS_OK;
}

void hs_collective_free(hs_collective *plan)
{
    if (!plan)
        return;
    hs__pool_free(&plan->pool);
    free(plan);
}

double hs_collective_time(const hs_collective *plan)
{
    return plan->time;
}

double hs_collective_lower_bound(const hs_collective *plan)
{
    return plan->lower_bound;
}

double hs_collective_piece(const hs_collective *plan)
{
    return plan->piece;
}

int hs_collective_root(const hs_collective *plan)
{
    return plan->root;
}

hs_collective_shape hs_collective_shape_of(const hs_collective *plan)
{
    return plan->shape;
}

const int *hs_collective_parent(const hs_collective *plan)
{
    return plan->parent;
}

const int *hs_collective_place(const hs_collective *plan)
{
    return plan->place;
}

const int *hs_collective_window(const hs_collective *plan)
{
    return plan->window;
}
