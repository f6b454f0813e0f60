/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/partition/scotch.h"

int hs__scotch_wide(hs__foreign_function beside)
{
    int (*size)(void) = (int (*)(void))hs__partitioner_beside("SCOTCH_numSizeof", beside);
    int bytes = size ? size() : 0;
    return bytes == 8 ? 1 : bytes == 4 ? 0 : -1;
}

/* Both functions write what is asked for, and nothing for NULL. */
int hs__scotch_ask(hs__foreign_function beside, const void *graph, hs__scotch_graph *g)
{
    void (*ask)(const void *, void *, void *, const void **, const void **, const void **, void *, void *,
                const void **, const void **) =
        (void (*)(const void *, void *, void *, const void **, const void **, const void **, void *, void *,
                  const void **, const void **))hs__partitioner_beside("SCOTCH_graphData", beside);
    int64_t first = 0, n = 0;
    if (!ask)
        return 0;
    *g = (hs__scotch_graph){.wide = hs__scotch_wide(beside) == 1};
    ask(graph, &first, &n, &g->start, &g->end, &g->load, NULL, NULL, &g->to, &g->weight);
    g->first = hs__integer_get(&first, g->wide, 0);
    g->n = g->all = hs__integer_get(&n, g->wide, 0);
    return 1;
}

int hs__scotch_ask_distributed(hs__foreign_function beside, const void *graph, hs__scotch_graph *g, MPI_Comm *comm)
{
    void (*ask)(const void *, void *, void *, void *, void *, void *, void *, void *, const void **, void *, void *,
                void *, void *, void *, void *, void *, MPI_Comm *) =
        (void (*)(const void *, void *, void *, void *, void *, void *, void *, void *, const void **, void *, void *,
                  void *, void *, void *, void *, void *, MPI_Comm *))hs__partitioner_beside("SCOTCH_dgraphData",
                                                                                             beside);
    int64_t n = 0, all = 0;
    if (!ask)
        return 0;
    *g = (hs__scotch_graph){.wide = hs__scotch_wide(beside) == 1};
    ask(graph, NULL, &all, &n, NULL, NULL, NULL, NULL, &g->load, NULL, NULL, NULL, NULL, NULL, NULL, NULL, comm);
    g->n = hs__integer_get(&n, g->wide, 0);
    g->all = hs__integer_get(&all, g->wide, 0);
    return 1;
}

double *hs__scotch_reached(hs__pool *pool, const hs__scotch_graph *g, const void *part, int parts)
{
    double *reached = hs__pool_new(pool, (size_t)parts, sizeof *reached);
    for (int64_t i = 0; reached && i < g->n; i++) {
        int64_t p = hs__integer_get(part, g->wide, i);
        if (p >= 0 && p < parts)
            reached[p] += g->load ? (double)hs__integer_get(g->load, g->wide, i) : 1;
    }
    return reached;
}

int64_t hs__scotch_edges(const hs__scotch_graph *g)
{
    int64_t sum = 0;
    for (int64_t v = 0; v < g->n; v++) {
        int64_t start = hs__integer_get(g->start, g->wide, v), end = hs__integer_get(g->end, g->wide, v);
        sum += g->weight ? 0 : end - start;
        for (int64_t e = start - g->first; g->weight && e < end - g->first; e++)
            sum += hs__integer_get(g->weight, g->wide, e);
    }
    return sum;
}

int64_t hs__scotch_edges_cut(const hs__scotch_graph *g, const void *part)
{
    int64_t twice = 0;
    if (!g->start || !g->end || !g->to)
        return -1;
    for (int64_t v = 0; v < g->n; v++) {
        int64_t own = hs__integer_get(part, g->wide, v), end = hs__integer_get(g->end, g->wide, v) - g->first;
        for (int64_t e = hs__integer_get(g->start, g->wide, v) - g->first; e < end; e++) {
            int64_t other = hs__integer_get(g->to, g->wide, e) - g->first;
            if (hs__integer_get(part, g->wide, other) != own)
                twice += g->weight ? hs__integer_get(g->weight, g->wide, e) : 1;
        }
    }
    return twice / 2;
}
