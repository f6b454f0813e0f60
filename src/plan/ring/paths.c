/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of an insertion (shared-ring-2003, 4.2): with fixed routes the platform's, with free routes four independent
 * widest paths in the residual graph. All candidates of a gap share the searches from and to its two ends; where every
 * arc has its way back, the paths to an end are those from it, turned round. */
#include "plan/ring/paths.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

typedef struct scratch_path {
    hs__path path;
    size_t room;
} scratch_path;

struct hs__finder {
    hs__network *network;
    hs__graph *graph; /* NULL: fixed routes */
    int i, j;
    const double *residual;
    hs__path_tree tree[4];   /* i to all, all to i, all to j, j to all: the order of the four paths */
    scratch_path scratch[4]; /* free routes, until they are kept */
};

hs_status hs__finder_create(hs__network *network, hs__graph *graph, hs__finder **finder)
{
    hs__finder *made = hs__array_new(1, sizeof *made);
    if (!made)
        return HS_ERR_NOMEM;
    made->network = network;
    made->graph = graph;
    for (int f = 0; f < 4 && graph; f++)
        if (hs__path_tree_init(&made->tree[f], graph) != HS_OK) {
            hs__finder_free(made);
            return HS_ERR_NOMEM;
        }
    *finder = made;
    return HS_OK;
}

void hs__finder_free(hs__finder *finder)
{
    if (!finder)
        return;
    for (int f = 0; f < 4; f++) {
        free(finder->scratch[f].path.links);
        hs__path_tree_free(&finder->tree[f]);
    }
    free(finder);
}

static int leads_to_end(int f)
{
    return f == HS__K_TO_I || f == HS__K_TO_J;
}

/* The tree that path f comes from: in a symmetric graph the forward one of the same end. */
static int tree_of(const hs__finder *finder, int f)
{
    if (!finder->graph->symmetric)
        return f;
    return f == HS__K_TO_I ? HS__I_TO_K : f == HS__K_TO_J ? HS__J_TO_K : f;
}

hs_status hs__finder_gap(hs__finder *finder, int i, int j, const double *residual)
{
    const int end[4] = {i, i, j, j};
    hs_status status = HS_OK;
    finder->i = i;
    finder->j = j;
    finder->residual = residual;
    if (!finder->graph)
        return HS_OK;
    hs__graph_widths(finder->graph, finder->network, residual);
    for (int f = 0; f < 4 && status == HS_OK; f++)
        if (tree_of(finder, f) == f)
            status = hs__graph_widest(finder->graph, end[f], leads_to_end(f), &finder->tree[f]);
    return status;
}

static hs_status fixed_path(hs__finder *finder, int k, int f, const hs__path **path)
{
    const int from[4] = {finder->i, k, k, finder->j}, to[4] = {k, finder->i, finder->j, k};
    return hs__network_route(finder->network, from[f], to[f], path);
}

hs_status hs__finder_widths(hs__finder *finder, int k, double width[4])
{
    for (int f = 0; f < 4; f++) {
        const hs__path *path;
        if (finder->graph) {
            width[f] = finder->tree[tree_of(finder, f)].width[k];
            continue;
        }
        hs_status status = fixed_path(finder, k, f, &path);
        if (status != HS_OK)
            return status;
        width[f] = path ? path->cap : 0.0;
        for (int m = 0; path && m < path->count; m++)
            width[f] = hs__smaller(width[f], finder->residual[path->links[m]]);
    }
    return HS_OK;
}

static hs_status free_path(hs__finder *finder, int k, int f, const hs__path **path)
{
    scratch_path *s = &finder->scratch[f];
    int tree = tree_of(finder, f);
    size_t count;
    hs_status status = hs__graph_path(finder->graph, &finder->tree[tree], k, leads_to_end(tree), tree != f,
                                      &s->path.links, &s->room, &count);
    if (status != HS_OK)
        return status;
    s->path.count = (int)count;
    hs__network_measure(finder->network, &s->path);
    *path = &s->path;
    return HS_OK;
}

hs_status hs__finder_paths(hs__finder *finder, int k, const hs__path *four[4])
{
    hs_status status = HS_OK;
    for (int f = 0; f < 4 && status == HS_OK; f++)
        status = finder->graph ? free_path(finder, k, f, &four[f]) : fixed_path(finder, k, f, &four[f]);
    return status;
}

hs_status hs__finder_keep(hs__finder *finder, const hs__path *four[4])
{
    hs_status status = HS_OK;
    for (int f = 0; f < 4 && status == HS_OK && finder->graph; f++)
        status = hs__network_path(finder->network, four[f]->links, (size_t)four[f]->count, &four[f]);
    return status;
}
