/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's greedy construction (shared-ring-2003, 4.1 to 4.3), literally: start with the best pair; then, of all
 * hosts k outside and all gaps (i, j) of the ring, perform the cheapest insertion, until every host is in or none can
 * enter.
 *
 * An insertion gives the bandwidth of the two paths between i and j back, finds the four new paths in what is left,
 * shares it among them by the analytical rule, and is judged by Eq. 4 or by the true T that follow. After it the
 * refinement (max-min, optimal, KINSOL), when one is asked for, shares all bandwidth anew. Ties: the value of the other
 * criterion, then the earlier gap, then the lower host. */
#include "plan/ring_problem.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    double *comm;    /* D of each position */
    double speed;    /* sum of the members' speeds */
    double weighted; /* sum of speed * D */
} growth;

/* A ring with one more host, or a first pair. */
typedef struct insertion {
    int gap, host; /* host -1: none */
    hs__ring_cost cost;
    const hs__path *path[4]; /* NULL: not asked yet */
    double rate[4];
} insertion;

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

/* Brings residual, D and the sums up to date after the ring or its bandwidths have changed. */
static void refresh(growth *g)
{
    const hs__network *network = &g->problem->network;
    memcpy(g->residual, network->capacity, (size_t)network->links * sizeof *g->residual);
    for (int f = 0; f < hs__ring_messages(&g->ring); f++)
        give_back(g, f, -1.0);
    for (int e = 0; e < network->links; e++)
        g->residual[e] = fmax(0.0, g->residual[e]);
    g->speed = g->weighted = 0.0;
    for (int k = 0; k < g->ring.size; k++) {
        double speed = network->speed[g->ring.order[k]];
        g->comm[k] = hs__ring_comm_time(g->problem->params, &g->ring, k);
        g->speed += speed;
        g->weighted += speed * g->comm[k];
    }
}

/* The largest D of the members that an insertion behind position `gap` leaves alone. */
static double largest_elsewhere(const growth *g, int gap)
{
    int next = hs__ring_next(&g->ring, gap);
    double largest = 0.0;
    for (int k = 0; k < g->ring.size; k++)
        if (k != gap && k != next)
            largest = fmax(largest, g->comm[k]);
    return largest;
}

/* Whether something is left for each of the four paths. */
static int passable(const double width[4])
{
    return width[0] > 0 && width[1] > 0 && width[2] > 0 && width[3] > 0;
}

/* What the ring costs with the host of *x between positions gap and gap + 1. */
static hs__ring_cost insertion_cost(const growth *g, const insertion *x, double elsewhere)
{
    const double *speed = g->problem->network.speed;
    int next = hs__ring_next(&g->ring, x->gap), i = g->ring.order[x->gap], j = g->ring.order[next];
    double time[4];
    for (int f = 0; f < 4; f++)
        time[f] = x->path[f] ? message_time(g, x->path[f], x->rate[f]) : message_time(g, &no_path, x->rate[f]);
    double comm_k = time[HS__K_TO_I] + time[HS__K_TO_J];
    double change_i = time[HS__I_TO_K] - message_time(g, g->ring.path[2 * x->gap], g->ring.rate[2 * x->gap]);
    double change_j = time[HS__J_TO_K] - message_time(g, g->ring.path[2 * x->gap + 1], g->ring.rate[2 * x->gap + 1]);
    double weighted = g->weighted + speed[i] * change_i + speed[j] * change_j + speed[x->host] * comm_k;
    double largest = fmax(fmax(elsewhere, comm_k), fmax(g->comm[x->gap] + change_i, g->comm[next] + change_j));
    return hs__ring_cost_of(g->problem->params, g->speed + speed[x->host], weighted, largest);
}

/* Judges one host in the gap that the finder is turned to; keeps it in *best if it is better. */
static hs_status try_host(growth *g, int gap, int host, double elsewhere, insertion *best)
{
    hs__ring_problem *p = g->problem;
    const double *speed = p->network.speed;
    insertion x = {.gap = gap, .host = host};
    int i = g->ring.order[gap], j = g->ring.order[hs__ring_next(&g->ring, gap)];
    hs_status status = hs__finder_widths(p->finder, host, x.rate);
    if (status != HS_OK || !passable(x.rate))
        return status;
    /* The rate of each alone bounds what the four can share, so this bounds the cost from below. */
    hs__ring_cost bound = insertion_cost(g, &x, elsewhere);
    if (best->host >= 0 && !better(g, &bound, &best->cost))
        return HS_OK;
    status = hs__finder_paths(p->finder, host, x.path);
    if (status != HS_OK)
        return status;
    double weight[4] = {speed[i], speed[host], speed[host], speed[j]};
    hs__share_four(g->residual, g->mask, x.path, weight, 4, x.rate);
    x.cost = insertion_cost(g, &x, elsewhere);
    p->evaluations++;
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
}

/* Judges the ring by the problem's rule and notes it. The ring's own bandwidths stay as the construction made them. */
static hs_status judge(growth *g)
{
    hs__ring_state *ring = &g->ring;
    hs_status status = HS_OK;
    if (g->problem->rule != g->refinement) {
        ring = &g->judged;
        hs__ring_state_copy(ring, &g->ring);
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

/* The refinement after an insertion, what it leaves, and what the ring is worth. */
static hs_status settle(growth *g)
{
    hs_status status = HS_OK;
    if (g->refinement != HS_RING_SHARE_GREEDY)
        status = hs__ring_share(g->problem, g->refinement, &g->ring, NULL);
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
    hs__share_four(g->residual, g->mask, x.path, weight, 4, x.rate);
    for (int f = 0; f < 4; f++)
        time[f] = message_time(g, x.path[f], x.rate[f]);
    double comm_i = time[HS__I_TO_K] + time[HS__J_TO_K], comm_k = time[HS__K_TO_I] + time[HS__K_TO_J];
    x.cost =
        hs__ring_cost_of(p->params, speed[i] + speed[k], speed[i] * comm_i + speed[k] * comm_k, fmax(comm_i, comm_k));
    p->evaluations++;
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
    start_with(g, hs__network_fastest(&p->network));
    hs_status status = judge(g);
    insertion best = {.host = -1};
    if (status == HS_OK && p->most > 1)
        status = find_pair(g, &best);
    if (status == HS_OK && best.host >= 0) {
        start_with(g, best.gap);
        best.gap = 0;
    }
    while (status == HS_OK && best.host >= 0) {
        insert(g, &best);
        status = settle(g);
        best = (insertion){.host = -1};
        for (int gap = 0; gap < g->ring.size && g->ring.size < p->most && status == HS_OK; gap++)
            status = try_gap(g, gap, &best);
    }
    return status;
}

hs_status hs__ring_grow(hs__ring_problem *problem, hs__criterion criterion, hs_ring_share refinement,
                        hs__ring_state *start)
{
    size_t hosts = (size_t)problem->network.hosts, links = (size_t)problem->network.links;
    growth g = {
        .problem = problem, .criterion = criterion, .refinement = refinement, .start = start, .start_time = INFINITY};
    hs_status status = HS_ERR_NOMEM;
    g.residual = hs__array_new(links, sizeof *g.residual);
    g.mask = hs__array_new(links, 1);
    g.member = hs__array_new(hosts, 1);
    g.comm = hs__array_new(hosts, sizeof *g.comm);
    if (g.residual && g.mask && g.member && g.comm && hs__ring_state_init(&g.ring, problem->network.hosts) == HS_OK &&
        hs__ring_state_init(&g.judged, problem->network.hosts) == HS_OK)
        status = grow(&g);
    hs__ring_state_free(&g.judged);
    hs__ring_state_free(&g.ring);
    free(g.comm);
    free(g.member);
    free(g.mask);
    free(g.residual);
    return status;
}
