/* SPDX-License-Identifier: BSD-3-Clause */
/* By ParMETIS's interface. */
#include "tests/interpose/partition/repartition.h"
#include <stddef.h>
#include <stdint.h>

int ParMETIS_V3_AdaptiveRepart(int32_t *, int32_t *, int32_t *, int32_t *, int32_t *, int32_t *, int32_t *, int32_t *,
                               int32_t *, int32_t *, float *, float *, float *, int32_t *, int32_t *, int32_t *,
                               MPI_Comm *);

void repartition(MPI_Comm comm, int rank, int ranks, const int *dist, int *size)
{
    int32_t first[MOST_RANKS + 1], zero = 0, one = 1, parts = ranks, options[4] = {0}, edges;
    int32_t start[VERTICES + 1] = {0}, to[1] = {0}, part[VERTICES]; /* path_metis.c does not look at edges */
    float targets[MOST_RANKS], tolerance = 1.05f, move = 1000;
    for (int r = 0; r <= ranks; r++)
        first[r] = dist[r];
    for (int r = 0; r < ranks; r++)
        targets[r] = 1 / (float)ranks;
    if (ParMETIS_V3_AdaptiveRepart(first, start, to, NULL, NULL, NULL, &zero, &zero, &one, &parts, targets, &tolerance,
                                   &move, options, &edges, part, &comm) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < dist[rank + 1] - dist[rank]; i++)
        size[part[i]]++;
}
