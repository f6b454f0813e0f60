/* SPDX-License-Identifier: BSD-3-Clause */
/* The mapping planner: several starts, each improved by exchanges; the best one is perturbed as long as effort is left. */
#include "plan/mapping/mapping.h"
#include "plan/mapping/problem.h"
#include "util/assert.h"
#include "util/pool.h"
#include "util/status.h"
#include <string.h>

/* A start may use up this part of what is left, so that some is left for the others and the perturbations. */
enum { START_SHARE = 6 };

static hs_status search(hs__mapping *m, const hs_platform *platform, hs__assignment *s, int *host, int *best,
                        hs_mapping_cost *cost)
{
    int going = 1;
    for (int k = 0; going > 0; k++) {
        going = hs__mapping_start(m, platform, k, host);
        if (going <= 0)
            break;
        int64_t all = m->effort, mine = all / START_SHARE;
        m->effort = mine;
        hs__assignment_set(s, m, host);
        hs__mapping_descend(m, s);
        hs_mapping_cost found = hs__mapping_cost(m, s, s->host);
        if (hs__mapping_is_better(found, *cost)) {
            *cost = found;
            memcpy(best, s->host, (size_t)m->vertices * sizeof *best);
        }
        m->effort = all - mine + m->effort;
    }
    if (going == 0)
        hs__mapping_perturb(m, s, best, cost);
    return going == 0 ? HS_OK : HS_ERR_NOMEM;
}

/* Vertices that stay on their hosts stay with their ranks; the others take what is left, both by increasing number. */
static void take_ranks(const hs__mapping *m, const int *host, int *rank, int *next)
{
    for (int v = 0; v < m->vertices; v++) {
        int h = host[v];
        if (h != m->home[v]) {
            while (m->home[next[h]] != h || host[next[h]] == h)
                next[h]++;
            rank[v] = next[h]++;
        } else {
            rank[v] = v;
        }
    }
}

hs_status hs__mapping_solve(const hs_platform *platform, const hs_mapping_params *params, const hs_mapping_graph *graph,
                            int dimensions, const int *extent, int *rank, hs_mapping_cost *cost,
                            hs_mapping_cost *before, hs_error *error)
{
    hs__pool pool = {0};
    hs__mapping m;
    hs__assignment s = {0};
    int *host = NULL, *best = NULL, *taken = NULL, *next = NULL;
    hs_mapping_cost identity = {0, 0}, found;
    hs_status status = hs__mapping_init(&m, platform, params, graph, error);
    if (status == HS_OK && m.vertices > 0 && !rank)
        status = hs_error_set(error, HS_ERR_ARG, 0, "no place for the ranks");
    if (status != HS_OK)
        goto out;
    m.dimensions = dimensions;
    m.extent = extent;
    host = hs__pool_new(&pool, (size_t)m.vertices, sizeof *host);
    best = hs__pool_new(&pool, (size_t)m.vertices, sizeof *best);
    taken = hs__pool_new(&pool, (size_t)m.vertices, sizeof *taken);
    next = hs__pool_new(&pool, (size_t)m.hosts, sizeof *next);
    status = hs__pool_status(&pool);
    if (status == HS_OK)
        status = hs__assignment_init(&s, &m);
    if (status == HS_OK) {
        memcpy(best, m.home, (size_t)m.vertices * sizeof *best);
        found = identity = hs__mapping_cost(&m, &s, m.home);
        if (m.hosts > 1 && identity.total > 0)
            status = search(&m, platform, &s, host, best, &found);
    }
    if (status != HS_OK) {
        hs__error_status(error, status);
        goto out;
    }
    HS_ASSERT(m.pinned < 0 || best[m.pinned] == m.home[m.pinned]);
    found = hs__mapping_cost(&m, &s, best);
    if (!hs__mapping_is_better(found, identity)) {
        status = HS_UNCHANGED;
        found = identity;
        memcpy(best, m.home, (size_t)m.vertices * sizeof *best);
    }
    take_ranks(&m, best, taken, next);
    if (hs__checking()) {
        hs_status wrong = hs_mapping_check(platform, params, graph, taken, found, error);
        if (wrong != HS_OK) {
            status = wrong;
            goto out;
        }
    }
    for (int v = 0; v < graph->vertices; v++)
        rank[v] = taken[v];
    if (cost)
        *cost = found;
    if (before)
        *before = identity;
out:
    hs__pool_free(&pool);
    hs__assignment_free(&s);
    hs__mapping_free(&m);
    return status;
}

hs_status hs_mapping_graph_ranks(const hs_platform *platform, const hs_mapping_params *params,
                                 const hs_mapping_graph *graph, int *rank, hs_mapping_cost *cost,
                                 hs_mapping_cost *before, hs_error *error)
{
    return hs__mapping_solve(platform, params, graph, 0, NULL, rank, cost, before, error);
}
