/* SPDX-License-Identifier: BSD-3-Clause */
/* By PT-Scotch. */
#include "tests/interpose/partition/repartition.h"
#include <stdint.h>
#include <stdio.h>

#include <ptscotch.h> /* needs the two before it */

void repartition(MPI_Comm comm, int rank, int ranks, const int *dist, int *size)
{
    static SCOTCH_Num start[VERTICES + 1], to[2 * VERTICES], part[VERTICES];
    SCOTCH_Num edges = 0, n = dist[rank + 1] - dist[rank];
    SCOTCH_Dgraph graph;
    SCOTCH_Strat strategy;
    for (int i = 0; i < n; i++) {
        int v = dist[rank] + i;
        start[i] = edges;
        if (v > 0)
            to[edges++] = v - 1;
        if (v < VERTICES - 1)
            to[edges++] = v + 1;
    }
    start[n] = edges;
    SCOTCH_stratInit(&strategy);
    if (SCOTCH_dgraphInit(&graph, comm) ||
        SCOTCH_dgraphBuild(&graph, 0, n, n, start, start + 1, NULL, NULL, edges, edges, to, NULL, NULL) ||
        SCOTCH_dgraphPart(&graph, ranks, &strategy, part))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++)
        size[part[i]]++;
    SCOTCH_dgraphExit(&graph);
    SCOTCH_stratExit(&strategy);
}
