/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's greedy construction (shared-ring-2003, 4.1 to 4.3), literally: start with the best pair; then, of all
 * hosts k outside and all gaps (i, j) of the ring, perform the cheapest insertion, until every host is in or none can
 * enter.
 *
 * An insertion gives the bandwidth of the two paths between i and j back, finds the four new paths in what is left,
 * shares it among them by the analytical rule, and is judged by Eq. 4 or by the true T that follow. After it the
 * refinement (max-min, optimal, KINSOL), when one is asked for, shares all bandwidth anew. Ties: the value of the other
 * criterion, then the earlier gap, then the lower host.
 *
 * On large platforms not all O(p^3) insertions are judged: each gap remembers its best few hosts, and is judged anew
 * only while it promises more than the others. */
#include "plan/ring/search.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <string.h>

enum { REMEMBERED = 8, MAX_REJUDGED = 6 };

/* A ring with one more host, or a first pair. */
typedef struct insertion {
    int gap, host; /* host -1: none */
    hs__ring_cost cost;
    const hs__path *path[4]; /* NULL: not asked yet */
    double rate[4];
} insertion;

/* What is known of a gap since it was last judged. */
typedef struct gap_memory {
    enum { UNKNOWN, STALE, FRESH } state; /* fresh: judged since the last insertion */
    insertion best;                       /* of a fresh gap */
    int count;                            /* the best few hosts when it was judged, best first */
    int host[REMEMBERED];
    double time[REMEMBERED][4]; /* of their four messages */
    double value[REMEMBERED];
} gap_memory;

typedef struct growth {
    hs__ring_problem *problem;
    hs__criterion criterion;
    hs_ring_share refinement;
    hs__ring_state ring, judged;
    hs__ring_state *start; /* the best ring of this construction; NULL: not wanted */
    double start_time;
    double *residual;    /* bytes/s left of each link */
    unsigned char *mask; /* scratch of the analytical rule */
    char *member;
    double *comm;       /* D of each position */
    int slowest[3];     /* the positions of the largest D; -1: the ring has fewer */
    double speed;       /* sum of the members' speeds */
    double weighted;    /* sum of speed * D */
    gap_memory *memory; /* of each gap; NULL: all gaps are judged anew for every insertion */
} growth;

/* Stands for a path of which only the width is known. */
static const hs__path no_path = {NULL, 0, INFINITY, 0.0};

static int better(const growth *g, const hs__ring_cost *a, const hs__ring_cost *b)
{
    double a1 = g->criterion == HS__BY_EQ4 ? a->eq4 : a->step_time,
           a2 = g->criterion == HS__BY_EQ4 ? a->step_time : a->eq4;
    double b1 = g->criterion == HS__BY_EQ4 ? b->eq4 : b->step_time,
           b2 = g->criterion == HS__BY_EQ4 ? b->step_time : b->eq4;
    return a1 < b1 || (a1 == b1 && a2 < b2);
}

static double message_time(const growth *g, const hs__path *path, double rate)
{
    return hs__message_time(g->problem->params, path, rate);
}

/* Adds sign * rate to what is left of the links of path f. */
static void give_back(growth *g, int f, double sign)
{
    const hs__path *path = g->ring.path[f];
    double rate = isinf(g->ring.rate[f]) ? 0.0 : g->ring.rate[f];
    for (int m = 0; m < path->count; m++)
        g->residual[path->links[m]] += sign * rate;
}

/* Enters position k among the three of the largest D. */
static void rank_slowest(growth *g, int k)
{
    for (int n = 0; n < 3; n++)
        if (g->slowest[n] < 0 || g->comm[k] > g->comm[g->slowest[n]]) {
            int displaced = g->slowest[n];
            g->slowest[n] = k;
            if (displaced < 0)
                return;
            k = displaced;
        }
}

/* Brings residual, D and the sums up to date after the ring or its bandwidths have changed. */
static void refresh(growth *g)
{
    const hs__network *network = &g->problem->network;
    memcpy(g->residual, network->capacity, (size_t)network->links * sizeof *g->residual);
    for (int f = 0; f < hs__ring_messages(&g->ring); f++)
        give_back(g, f, -1.0);
    for (int e = 0; e < network->links; e++) {
        HS_ASSERT(g->residual[e] >= -1e-6 * network->capacity[e]);
        g->residual[e] = fmax(0.0, g->residual[e]);
    }
    g->speed = g->weighted = 0.0;
    g->slowest[0] = g->slowest[1] = g->slowest[2] = -1;
    for (int k = 0; k < g->ring.size; k++) {
        double speed = network->speed[g->ring.order[k]];
        g->comm[k] = hs__ring_comm_time(g->problem->params, &g->ring, k);
        g->speed += speed;
        g->weighted += speed * g->comm[k];
        rank_slowest(g, k);
        HS_ASSERT(g->comm[k] <= g->comm[g->slowest[0]]);
    }
}

/* The largest D of the members that an insertion behind position `gap` leaves alone. */
static double largest_elsewhere(const growth *g, int gap)
{
    for (int n = 0; n < 3 && g->slowest[n] >= 0; n++)
        if (g->slowest[n] != gap && g->slowest[n] != hs__ring_next(&g->ring, gap))
            return g->comm[g->slowest[n]];
    return 0.0;
}

/* Whether something is left for each of the four paths. */
static int passable(const double width[4])
{
    return width[0] > 0 && width[1] > 0 && width[2] > 0 && width[3] > 0;
}

static void message_times(const growth *g, const insertion *x, double time[4])
{
    for (int f = 0; f < 4; f++)
        time[f] = message_time(g, x->path[f] ? x->path[f] : &no_path, x->rate[f]);
}

/* What the ring costs with a host between positions gap and gap + 1 whose four messages take these times. */
static hs__ring_cost insertion_cost(const growth *g, int gap, int host, const double time[4], double elsewhere)
{
    const double *speed = g->problem->network.speed;
    int next = hs__ring_next(&g->ring, gap), i = g->ring.order[gap], j = g->ring.order[next];
    double comm_k = time[HS__K_TO_I] + time[HS__K_TO_J];
    double change_i = time[HS__I_TO_K] - message_time(g, g->ring.path[2 * gap], g->ring.rate[2 * gap]);
    double change_j = time[HS__J_TO_K] - message_time(g, g->ring.path[2 * gap + 1], g->ring.rate[2 * gap + 1]);
    double weighted = g->weighted + speed[i] * change_i + speed[j] * change_j + speed[host] * comm_k;
    double largest = fmax(fmax(elsewhere, comm_k), fmax(g->comm[gap] + change_i, g->comm[next] + change_j));
    return hs__ring_cost_of(g->problem->params, g->speed + speed[host], weighted, largest);
}

static double value_of(const growth *g, const hs__ring_cost *cost)
{
    return g->criterion == HS__BY_EQ4 ? cost->eq4 : cost->step_time;
}

/* Keeps a host among the best few of its gap. */
static void remember(gap_memory *memory, int host, double value, const double time[4])
{
    int at = memory->count < REMEMBERED ? memory->count++ : REMEMBERED - 1;
    for (; at > 0 && memory->value[at - 1] > value; at--) {
        memory->host[at] = memory->host[at - 1];
        memory->value[at] = memory->value[at - 1];
        memcpy(memory->time[at], memory->time[at - 1], sizeof memory->time[at]);
    }
    memory->host[at] = host;
    memory->value[at] = value;
    memcpy(memory->time[at], time, sizeof memory->time[at]);
}

/* Whether an insertion of this cost would become the best of those judged, or be remembered. */
static int matters(const growth *g, const hs__ring_cost *cost, const insertion *best, const gap_memory *memory)
{
    if (memory)
        return memory->count < REMEMBERED || value_of(g, cost) < memory->value[REMEMBERED - 1];
    return best->host < 0 || better(g, cost, &best->cost);
}

/* Judges one host in the gap that the finder is turned to; keeps it in *best if it is better. */
static hs_status try_host(growth *g, int gap, int host, double elsewhere, insertion *best)
{
    hs__ring_problem *p = g->problem;
    const double *speed = p->network.speed;
    gap_memory *memory = g->memory ? &g->memory[gap] : NULL;
    insertion x = {.gap = gap, .host = host};
    double time[4];
    int i = g->ring.order[gap], j = g->ring.order[hs__ring_next(&g->ring, gap)];
    p->effort++;
    hs_status status = hs__finder_widths(p->finder, host, x.rate);
    if (status != HS_OK || !passable(x.rate))
        return status;
    /* The rate of each alone bounds what the four can share, so this bounds the cost from below. */
    message_times(g, &x, time);
    hs__ring_cost bound = insertion_cost(g, gap, host, time, elsewhere);
    if (!matters(g, &bound, best, memory))
        return HS_OK;
    status = hs__finder_paths(p->finder, host, x.path);
    if (status != HS_OK)
        return status;
    double weight[4] = {speed[i], speed[host], speed[host], speed[j]};
    hs__share_closed_form(g->residual, g->mask, x.path, weight, x.rate);
    message_times(g, &x, time);
    x.cost = insertion_cost(g, gap, host, time, elsewhere);
    p->evaluations++;
    p->effort += 4;
    if (memory && matters(g, &x.cost, best, memory))
        remember(memory, host, value_of(g, &x.cost), time);
    if (best->host < 0 || better(g, &x.cost, &best->cost)) {
        *best = x;
        status = hs__finder_keep(p->finder, best->path);
    }
    return status;
}

/* Judges all hosts in one gap. */
static hs_status try_gap(growth *g, int gap, insertion *best)
{
    hs__ring_problem *p = g->problem;
    int next = hs__ring_next(&g->ring, gap);
    double elsewhere = largest_elsewhere(g, gap);
    give_back(g, 2 * gap, 1.0);
    give_back(g, 2 * gap + 1, 1.0);
    hs_status status = hs__finder_gap(p->finder, g->ring.order[gap], g->ring.order[next], g->residual);
    for (int k = 0; k < p->network.hosts && status == HS_OK; k++)
        if (!g->member[k] && p->network.speed[k] > 0)
            status = try_host(g, gap, k, elsewhere, best);
    give_back(g, 2 * gap, -1.0);
    give_back(g, 2 * gap + 1, -1.0);
    return status;
}

/* What the best insertion into a gap is worth: exactly when the gap is fresh, else by the times remembered. INFINITY:
 * none can enter; -INFINITY: nothing is known. */
static double remembered_value(const growth *g, int gap)
{
    const gap_memory *memory = &g->memory[gap];
    double least = INFINITY, elsewhere = largest_elsewhere(g, gap);
    if (memory->state == FRESH)
        return memory->best.host < 0 ? INFINITY : value_of(g, &memory->best.cost);
    int outside = 0;
    for (int n = 0; n < memory->count; n++)
        if (!g->member[memory->host[n]]) {
            hs__ring_cost cost = insertion_cost(g, gap, memory->host[n], memory->time[n], elsewhere);
            least = fmin(least, value_of(g, &cost));
            outside++;
        }
    return memory->state == UNKNOWN || (memory->count > 0 && outside == 0) ? -INFINITY : least;
}

/* The gap that promises most, of the fresh ones only or of all; -1: no host can enter. */
static int most_promising(const growth *g, int fresh_only)
{
    int chosen = -1;
    double least = INFINITY;
    for (int gap = 0; gap < g->ring.size; gap++) {
        double value = fresh_only && g->memory[gap].state != FRESH ? INFINITY : remembered_value(g, gap);
        if (value < least) {
            least = value;
            chosen = gap;
        }
    }
    return chosen;
}

/* The cheapest insertion as far as memory tells: gaps are judged anew while they promise most. Bandwidth is only taken
 * away, so what is remembered is seldom worse than the truth. */
static hs_status choose_by_memory(growth *g, insertion *best)
{
    hs_status status = HS_OK;
    for (int rejudged = 0; status == HS_OK; rejudged++) {
        int chosen = rejudged >= MAX_REJUDGED ? most_promising(g, 1) : -1;
        if (chosen < 0)
            chosen = most_promising(g, 0);
        if (chosen < 0)
            return HS_OK;
        gap_memory *memory = &g->memory[chosen];
        if (memory->state == FRESH) {
            *best = memory->best;
            return HS_OK;
        }
        *memory = (gap_memory){.state = FRESH, .best.host = -1};
        status = try_gap(g, chosen, &memory->best);
    }
    return status;
}

/* The cheapest of all insertions. */
static hs_status choose(growth *g, insertion *best)
{
    hs_status status = HS_OK;
    *best = (insertion){.host = -1};
    if (g->ring.size >= g->problem->max_members)
        return HS_OK;
    if (g->memory)
        return choose_by_memory(g, best);
    for (int gap = 0; gap < g->ring.size && status == HS_OK; gap++)
        status = try_gap(g, gap, best);
    return status;
}

/* The gaps behind an insertion move up, the two beside it are new. */
static void age_memory(growth *g, int gap)
{
    memmove(g->memory + gap + 1, g->memory + gap, (size_t)(g->ring.size - 1 - gap) * sizeof *g->memory);
    for (int k = 0; k < g->ring.size; k++)
        g->memory[k].state = k == gap || k == gap + 1 || g->memory[k].state == UNKNOWN ? UNKNOWN : STALE;
}

static void insert(growth *g, const insertion *x)
{
    hs__ring_state *ring = &g->ring;
    int at = x->gap + 1, behind = ring->size - at;
    memmove(ring->order + at + 1, ring->order + at, (size_t)behind * sizeof *ring->order);
    memmove(ring->path + 2 * at + 2, ring->path + 2 * at, (size_t)(2 * behind) * sizeof *ring->path);
    memmove(ring->rate + 2 * at + 2, ring->rate + 2 * at, (size_t)(2 * behind) * sizeof *ring->rate);
    ring->order[at] = x->host;
    for (int f = 0; f < 4; f++) {
        ring->path[2 * x->gap + f] = x->path[f];
        ring->rate[2 * x->gap + f] = x->rate[f];
    }
    ring->size++;
    g->member[x->host] = 1;
    if (g->memory)
        age_memory(g, x->gap);
}

/* Judges the ring by the problem's rule and notes it. The ring's own bandwidths stay as the construction made them. */
static hs_status judge(growth *g)
{
    hs__ring_state *ring = &g->ring;
    hs_status status = HS_OK;
    if (g->problem->rule != g->refinement) {
        ring = &g->judged;
        hs__ring_state_copy(ring, &g->ring);
        g->problem->effort += hs__ring_messages(ring);
        status = hs__ring_share(g->problem, g->problem->rule, ring, NULL);
    }
    if (status != HS_OK)
        return status;
    double step_time = hs__ring_note(g->problem, ring).step_time;
    if (g->start && step_time < g->start_time) {
        g->start_time = step_time;
        hs__ring_state_copy(g->start, ring);
    }
    return HS_OK;
}

/* Whether the ring costs what the insertion that made it was judged to cost: with one speed a host. */
static int costs_as_judged(const growth *g, const insertion *x)
{
    hs__ring_cost cost = hs__ring_cost_all(g->problem->params, &g->problem->network, &g->ring);
    return g->problem->network.function || fabs(cost.step_time - x->cost.step_time) <= 1e-6 * cost.step_time;
}

/* The refinement after an insertion, what it leaves, and what the ring is worth. */
static hs_status settle(growth *g)
{
    hs_status status = HS_OK;
    if (g->refinement != HS_RING_SHARE_GREEDY) {
        g->problem->effort += hs__ring_messages(&g->ring);
        status = hs__ring_share(g->problem, g->refinement, &g->ring, NULL);
    }
    if (status != HS_OK)
        return status;
    refresh(g);
    return judge(g);
}

/* A ring of the single host i. */
static void start_with(growth *g, int i)
{
    memset(g->member, 0, (size_t)g->problem->network.hosts);
    g->ring.size = 1;
    g->ring.order[0] = i;
    g->member[i] = 1;
    refresh(g);
}

/* Judges the pair (i, k) as the insertion of k into the ring of i alone, whose two neighbours are both i. */
static hs_status try_pair(growth *g, int i, int k, insertion *best)
{
    hs__ring_problem *p = g->problem;
    const double *speed = p->network.speed;
    insertion x = {.gap = i, .host = k};
    hs_status status = hs__finder_widths(p->finder, k, x.rate);
    if (status != HS_OK || !passable(x.rate))
        return status;
    status = hs__finder_paths(p->finder, k, x.path);
    if (status != HS_OK)
        return status;
    double weight[4] = {speed[i], speed[k], speed[k], speed[i]}, time[4];
    hs__share_closed_form(g->residual, g->mask, x.path, weight, x.rate);
    message_times(g, &x, time);
    double comm_i = time[HS__I_TO_K] + time[HS__J_TO_K], comm_k = time[HS__K_TO_I] + time[HS__K_TO_J];
    x.cost =
        hs__ring_cost_of(p->params, speed[i] + speed[k], speed[i] * comm_i + speed[k] * comm_k, fmax(comm_i, comm_k));
    p->evaluations++;
    p->effort += 4;
    if (best->host < 0 || better(g, &x.cost, &best->cost)) {
        *best = x;
        status = hs__finder_keep(p->finder, best->path);
    }
    return status;
}

/* The best pair of hosts; best->gap is the first host. */
static hs_status find_pair(growth *g, insertion *best)
{
    hs__ring_problem *p = g->problem;
    hs_status status = HS_OK;
    for (int i = 0; i < p->network.hosts && status == HS_OK; i++) {
        if (!(p->network.speed[i] > 0))
            continue;
        status = hs__finder_gap(p->finder, i, i, g->residual);
        for (int k = i + 1; k < p->network.hosts && status == HS_OK; k++)
            if (p->network.speed[k] > 0)
                status = try_pair(g, i, k, best);
    }
    return status;
}

static hs_status grow(growth *g)
{
    hs__ring_problem *p = g->problem;
    start_with(g, 0);
    hs_status status = judge(g);
    insertion best = {.host = -1};
    if (status == HS_OK && p->max_members > 1)
        status = find_pair(g, &best);
    if (status == HS_OK && best.host >= 0) {
        start_with(g, best.gap);
        best.gap = 0;
    }
    while (status == HS_OK && best.host >= 0) {
        insert(g, &best);
        HS_ASSERT(costs_as_judged(g, &best));
        status = settle(g);
        if (status == HS_OK)
            status = choose(g, &best);
    }
    return status;
}

hs_status hs__ring_grow(hs__ring_problem *problem, hs__criterion criterion, hs_ring_share refinement,
                        hs__ring_state *start)
{
    hs__pool pool = {0};
    size_t hosts = (size_t)problem->network.hosts, links = (size_t)problem->network.links;
    growth g = {
        .problem = problem, .criterion = criterion, .refinement = refinement, .start = start, .start_time = INFINITY};
    g.residual = hs__pool_new(&pool, links, sizeof *g.residual);
    g.mask = hs__pool_new(&pool, links, 1);
    g.member = hs__pool_new(&pool, hosts, 1);
    g.comm = hs__pool_new(&pool, hosts, sizeof *g.comm);
    if (hs__ring_is_large(problem))
        g.memory = hs__pool_new(&pool, hosts + 1, sizeof *g.memory);
    g.ring = hs__ring_state_new(&pool, problem->network.hosts);
    g.judged = hs__ring_state_new(&pool, problem->network.hosts);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK)
        status = grow(&g);
    hs__pool_free(&pool);
    return status;
}
