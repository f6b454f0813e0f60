/* SPDX-License-Identifier: BSD-3-Clause */
/* Cores of their own for all: a bottleneck assignment. Every rank wants count[r] cores, each of which takes
 * work / (count speed). The least limit under which a matching exists is found by bisection over all these times, and a
 * matching under it by augmenting paths (Kuhn 1955). */
#include "plan/binding/binding.h"
#include "util/assert.h"
#include "util/pool.h"
#include "util/sort.h"
#include <math.h>
#include <string.h>

typedef struct matching {
    const hs__binding_node *node;
    const int *count;
    const char *now;
    int *by_work;  /* ranks, most work a core first */
    int *by_speed; /* cores, fastest first, then lowest index */
    int *owner;    /* of every core; -1: none */
    char *seen;    /* cores, on the way of one augmenting path */
    double limit;
} matching;

static double work_a_core(const hs__binding_node *node, const int *count, int rank)
{
    return node->work[rank] / count[rank];
}

void hs__binding_order(const hs__binding_node *node, const int *count, int *order)
{
    for (int r = 0; r < node->ranks; r++) {
        int k = r;
        for (; k > 0 && work_a_core(node, count, order[k - 1]) < work_a_core(node, count, r); k--)
            order[k] = order[k - 1];
        order[k] = r;
    }
}

static void order_cores(const hs__binding_node *node, int *order)
{
    for (int c = 0; c < node->cores; c++) {
        int k = c;
        for (; k > 0 && node->speed[order[k - 1]] < node->speed[c]; k--)
            order[k] = order[k - 1];
        order[k] = c;
    }
}

static int fits(const matching *m, int rank, int core)
{
    return m->node->allowed[(size_t)rank * (size_t)m->node->cores + (size_t)core] &&
           work_a_core(m->node, m->count, rank) / m->node->speed[core] <= m->limit;
}

/* Finds one more core for the rank: a free one, or one whose owner then finds another. */
static int augment(matching *m, int rank)
{
    for (int k = 0; k < m->node->cores; k++)
        if (m->owner[m->by_speed[k]] < 0 && fits(m, rank, m->by_speed[k])) {
            m->owner[m->by_speed[k]] = rank;
            return 1;
        }
    for (int k = 0; k < m->node->cores; k++) {
        int core = m->by_speed[k];
        if (m->seen[core] || m->owner[core] == rank || !fits(m, rank, core))
            continue;
        m->seen[core] = 1;
        if (augment(m, m->owner[core])) {
            m->owner[core] = rank;
            return 1;
        }
    }
    return 0;
}

/* Ranks that are bound to as many cores as they get keep those that fit. */
static int keep_cores(matching *m, int rank)
{
    int kept = 0;
    const char *mine = m->now + (size_t)rank * (size_t)m->node->cores;
    if (!hs__binding_has(m->node, m->now, rank, m->count[rank]))
        return 0;
    for (int c = 0; c < m->node->cores; c++)
        if (mine[c] && m->owner[c] < 0 && fits(m, rank, c)) {
            m->owner[c] = rank;
            kept++;
        }
    return kept;
}

/* Whether all ranks can have their cores within the limit. */
static int match(matching *m, double limit)
{
    int ranks = m->node->ranks;
    m->limit = limit;
    for (int c = 0; c < m->node->cores; c++)
        m->owner[c] = -1;
    for (int k = 0; k < ranks; k++)
        keep_cores(m, m->by_work[k]);
    for (int k = 0; k < ranks; k++) {
        int rank = m->by_work[k], has = 0;
        for (int c = 0; c < m->node->cores; c++)
            has += m->owner[c] == rank;
        for (; has < m->count[rank]; has++) {
            memset(m->seen, 0, (size_t)m->node->cores);
            if (!augment(m, rank))
                return 0;
        }
    }
    return 1;
}

/* The times of all ranks on all cores, ascending. */
static void list_limits(const matching *m, double *limit)
{
    size_t n = 0;
    for (int r = 0; r < m->node->ranks; r++)
        for (int c = 0; c < m->node->cores; c++)
            limit[n++] = work_a_core(m->node, m->count, r) / m->node->speed[c];
    hs__sort_doubles(limit, n);
}

hs_status hs__binding_match(const hs__binding_node *node, const int *count, const char *now, char *set)
{
    hs__pool pool = {0};
    size_t ranks = (size_t)node->ranks, cores = (size_t)node->cores, high = ranks * cores - 1, low = 0;
    matching m = {node,
                  count,
                  now,
                  hs__pool_new(&pool, ranks, sizeof *m.by_work),
                  hs__pool_new(&pool, cores, sizeof *m.by_speed),
                  hs__pool_new(&pool, cores, sizeof *m.owner),
                  hs__pool_new(&pool, cores, 1),
                  0};
    double *limit = hs__pool_new(&pool, ranks * cores, sizeof *limit);
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    hs__binding_order(node, count, m.by_work);
    order_cores(node, m.by_speed);
    list_limits(&m, limit);
    if (!match(&m, limit[high])) {
        status = HS_UNCHANGED;
        goto out;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (match(&m, limit[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    match(&m, limit[high]);
    for (size_t c = 0; c < cores; c++)
        if (m.owner[c] >= 0)
            set[(size_t)m.owner[c] * cores + c] = 1;
    for (int r = 0; r < node->ranks; r++)
        HS_ASSERT(hs__binding_has(node, set, r, count[r]));
out:
    hs__pool_free(&pool);
    return status;
}
