/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_GRAPH_H
#define HS_PLAN_RING_GRAPH_H

/* The platform's graph by the network's numbers, and widest paths in it. */

#include "plan/ring/network.h"

/** Widest paths between one node and all others; arrays of length nodes. */
typedef struct hs__path_tree {
    int source;
    double *width; /* bytes/s of the path, 0: there is none; INFINITY for the source */
    int *via;      /* the arc that touches the node, -1: the source or not reached */
    int *hops;     /* arcs on the path */
    hs__pool pool;
} hs__path_tree;

typedef struct hs__graph {
    int nodes, arcs;
    hs_arc *arc; /* sorted by ends and links */
    int *links;
    int *out, *first_out;     /* arcs leaving node v: out[first_out[v] .. first_out[v + 1] - 1] */
    int *in, *first_in;       /* arcs entering node v */
    int *reverse;             /* the arc back over the same links, -1: none */
    int symmetric;            /* every arc has one */
    int *out_to, *in_from;    /* the other ends of out[] and in[] */
    double *arc_width;        /* bytes/s, set by hs__graph_widths() */
    struct hs__reached *heap; /* scratch; owned */
    size_t heap_room;
    hs__pool pool;
} hs__graph;

/** @return HS_OK; HS_ERR_UNSUPPORTED (the platform has no graph); HS_ERR_NOMEM */
hs_status hs__graph_init(hs__graph *graph, const hs__network *network);
void hs__graph_free(hs__graph *graph);

hs_status hs__path_tree_init(hs__path_tree *tree, const hs__graph *graph);
void hs__path_tree_free(hs__path_tree *tree);

/** Set what every arc can carry: the least of its links' residual and FATPIPE bandwidth. */
void hs__graph_widths(hs__graph *graph, const hs__network *network, const double *residual);

/** Widest paths from the source to all nodes, or with backward != 0 from all nodes to the source. Among paths of equal
 * width found together the one with fewer arcs, then through the lower node.
 * Cost: O(arcs log(arcs)).
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__graph_widest(hs__graph *graph, int source, int backward, hs__path_tree *tree);

/** The links of the path between the source and a node that was reached, in *links (room in *room, grown).
 *
 * A forward tree gives source -> node, a backward tree node -> source. With reversed != 0 a forward tree of a symmetric
 * graph gives node -> source.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__graph_path(const hs__graph *graph, const hs__path_tree *tree, int node, int backward, int reversed,
                         int **links, size_t *room, size_t *count);

#endif
