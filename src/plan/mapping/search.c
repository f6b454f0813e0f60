/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of vertices and of whole hosts, and disturbances out of dead ends. */
#include "plan/mapping/mapping.h"
#include "util/assert.h"
#include "util/random.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_PAIRS = 96, MAX_KICKS = 4 }; /* vertices up to which every pair is looked at; exchanges of a disturbance */

typedef struct candidate {
    int vertex;
    double gain;
} candidate;

static int degree(const hs__mapping *m, int v)
{
    return m->first[v + 1] - m->first[v];
}

static void evaluate(hs__mapping *m, hs__assignment *s, hs__aim aim, int u, int v, candidate *best)
{
    if (s->host[u] == s->host[v] || v == m->pinned)
        return;
    m->effort -= 1 + degree(m, u) + degree(m, v);
    double gain = hs__assignment_gain(s, m, aim, u, v);
    if (gain > best->gain)
        *best = (candidate){v, gain};
}

static void evaluate_host(hs__mapping *m, hs__assignment *s, hs__aim aim, int u, int h, candidate *best)
{
    for (int i = s->start[h]; i < s->start[h] + m->room[h]; i++)
        evaluate(m, s, aim, u, s->vertex_in[i], best);
}

/* The best exchange for u: with all, or in large problems with those on hosts where u has partners. */
static candidate best_for(hs__mapping *m, hs__assignment *s, hs__aim aim, int u)
{
    candidate best = {-1, 0};
    if (m->vertices <= ALL_PAIRS) {
        for (int v = 0; v < m->vertices; v++)
            evaluate(m, s, aim, u, v, &best);
        return best;
    }
    for (int k = m->first[u]; k < m->first[u + 1]; k++) {
        int h = s->host[m->partner[k].vertex], seen = 0;
        for (int j = m->first[u]; j < k && !seen; j++)
            seen = s->host[m->partner[j].vertex] == h;
        if (!seen)
            evaluate_host(m, s, aim, u, h, &best);
    }
    return best;
}

static int exchange_vertices(hs__mapping *m, hs__assignment *s, hs__aim aim)
{
    int changes = 0, since = 0;
    for (int u = 0; since < m->vertices && m->effort > 0; u = (u + 1) % m->vertices) {
        candidate best = {-1, 0};
        if (u != m->pinned)
            best = best_for(m, s, aim, u);
        since++;
        if (best.vertex >= 0) {
            hs__assignment_exchange(s, m, u, best.vertex);
            changes++;
            since = 0;
        }
    }
    return changes;
}

static void exchange_slots(hs__assignment *s, const hs__mapping *m, int a, int b)
{
    for (int i = 0; i < m->room[a]; i++) {
        int *u = &s->vertex_in[s->start[a] + i], *v = &s->vertex_in[s->start[b] + i], swap = *u;
        *u = *v;
        *v = swap;
        s->host[*u] = a;
        s->host[*v] = b;
        s->slot[*u] = s->start[a] + i;
        s->slot[*v] = s->start[b] + i;
        HS_ASSERT(s->vertex_in[s->slot[*u]] == *u && s->vertex_in[s->slot[*v]] == *v);
    }
}

/* Hosts with equally many ranks exchange all they have, when that is better. */
static int exchange_hosts(hs__mapping *m, hs__assignment *s)
{
    int changes = 0;
    for (int a = 0; a < m->hosts; a++)
        for (int b = a + 1; b < m->hosts && m->effort > 0; b++) {
            int holds_pinned = m->pinned >= 0 && (m->home[m->pinned] == a || m->home[m->pinned] == b);
            if (m->room[a] != m->room[b] || holds_pinned || m->room[a] == 1)
                continue;
            hs_mapping_cost before = {s->busiest, s->total};
            m->effort -= m->vertices + m->first[m->vertices];
            exchange_slots(s, m, a, b);
            hs__assignment_count(s, m);
            if (hs__mapping_is_better((hs_mapping_cost){s->busiest, s->total}, before)) {
                changes++;
                continue;
            }
            exchange_slots(s, m, a, b);
            hs__assignment_count(s, m);
        }
    return changes;
}

void hs__mapping_descend(hs__mapping *m, hs__assignment *s)
{
    do {
        exchange_vertices(m, s, HS__AIM_PEAKS);
        exchange_vertices(m, s, HS__AIM_BUSIEST);
        double total = s->total;
        hs__assignment_count(s, m);
        HS_ASSERT(fabs(total - s->total) <= 1e-6 * s->total); /* the differences add up */
    } while (m->effort > 0 && exchange_hosts(m, s) > 0);
}

static void kick(hs__mapping *m, hs__assignment *s, hs__random *random)
{
    int kicks = 1 + (int)hs__random_below(random, MAX_KICKS);
    for (int k = 0; k < kicks; k++) {
        int u = (int)hs__random_below(random, m->vertices), v = (int)hs__random_below(random, m->vertices);
        m->effort--;
        if (s->host[u] != s->host[v] && u != m->pinned && v != m->pinned)
            hs__assignment_exchange(s, m, u, v);
    }
}

void hs__mapping_perturb(hs__mapping *m, hs__assignment *s, int *best, hs_mapping_cost *cost)
{
    hs__random random = {1};
    while (m->effort > 0) {
        hs__assignment_set(s, m, best);
        m->effort -= m->vertices;
        kick(m, s, &random);
        hs__mapping_descend(m, s);
        hs_mapping_cost found = hs__mapping_cost(m, s, s->host);
        if (!hs__mapping_is_better(*cost, found)) {
            memcpy(best, s->host, (size_t)m->vertices * sizeof *best);
            *cost = found;
        }
    }
}
