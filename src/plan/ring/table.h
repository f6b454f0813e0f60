/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_TABLE_H
#define HS_PLAN_RING_TABLE_H

/* One path for every ordered pair of hosts, found on first use: the platform's route, or with free routes the widest
 * path under what a new message could expect of each link. */

#include "plan/ring/graph.h"

typedef struct hs__table {
    hs__network *network;
    hs__graph *graph; /* NULL: fixed routes */
    unsigned epoch;
    unsigned *source_epoch; /* [host] epoch of its tree */
    int **via;              /* [host] the tree of widest paths from it */
    const hs__path **path;  /* [from * hosts + to], free routes; NULL: there is none */
    unsigned *path_epoch;   /* [from * hosts + to] */
    hs__path_tree tree;     /* scratch, as all below */
    double *width;          /* [arc] */
    int *links;
    size_t links_room;
    hs__pool pool; /* of the arrays but links */
} hs__table;

/** graph is NULL for fixed routes; both are borrowed. The widths are those of the empty network. */
hs_status hs__table_init(hs__table *table, hs__network *network, hs__graph *graph);
void hs__table_free(hs__table *table);

/** Forget the paths of free routes; new ones follow these widths, bytes/s per link.
 * Cost:       O(arcs). */
void hs__table_refresh(hs__table *table, const double *width);

/** The path from one host to another; *path is NULL when there is none.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__table_path(hs__table *table, int from, int to, const hs__path **path);

/** The widest path between two hosts, at the table's widths, that crosses neither of two links (-1: none); *path is NULL
 * when there is no such path. Free routes only.
 * Cost:       O(arcs log(arcs)).
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__table_detour(hs__table *table, int from, int to, const int closed[2], const hs__path **path);

#endif
