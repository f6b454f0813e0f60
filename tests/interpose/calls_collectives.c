/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

enum { MOST = 16 };
static int a[MOST], b[MOST * MOST], counts[MOST], places[MOST];
static MPI_Datatype types[MOST];

static void fill(void)
{
    for (int i = 0; i < MOST; i++) {
        a[i] = calls_rank * MOST + i;
        counts[i] = 1;
        places[i] = i;
        types[i] = MPI_INT;
    }
    memset(b, 0, sizeof b);
}

/* The user's own operation; it may call MPI, which then happens inside of MPI. */
static void keep_larger_sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int size, rank;
    MPI_Type_size(*type, &size);
    MPI_Comm_rank(MPI_COMM_SELF, &rank);
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i] + rank + size - (int)sizeof(int);
}

static void blocking(void)
{
    fill();
    CALL(MPI_Bcast, a, 4, MPI_INT, calls_size - 1, MPI_COMM_WORLD);
    calls_mix_all(a, 4);
    fill();
    CALL(MPI_Gather, a, 2, MPI_INT, b, 2, MPI_INT, 0, MPI_COMM_WORLD);
    CALL(MPI_Gatherv, a, 1, MPI_INT, b + MOST, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    CALL(MPI_Scatter, b, 1, MPI_INT, a, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CALL(MPI_Scatterv, b, counts, places, MPI_INT, a + 1, 1, MPI_INT, 0, MPI_COMM_WORLD);
    calls_mix_all(a, 3);
    CALL(MPI_Allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 3, MPI_INT, MPI_COMM_WORLD);
    CALL(MPI_Allgatherv, a, 1, MPI_INT, b + MOST, counts, places, MPI_INT, MPI_COMM_WORLD);
    CALL(MPI_Alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, MPI_INT, MPI_COMM_WORLD);
    CALL(MPI_Alltoallv, a, counts, places, MPI_INT, b + 2 * MOST, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < MOST; i++)
        places[i] = i * (int)sizeof(int);
    CALL(MPI_Alltoallw, a, counts, places, types, b + 3 * MOST, counts, places, types, MPI_COMM_WORLD);
    calls_mix_all(b, 4 * MOST);
}

static void reducing(void)
{
    MPI_Op op;
    fill();
    MPI_Op_create(keep_larger_sum, 1, &op);
    CALL(MPI_Reduce, calls_rank == 0 ? MPI_IN_PLACE : a, a, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    CALL(MPI_Allreduce, MPI_IN_PLACE, a, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CALL(MPI_Allreduce, a, b, 3, MPI_INT, op, MPI_COMM_WORLD);
    CALL(MPI_Reduce_scatter, a, b + 4, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CALL(MPI_Reduce_scatter_block, a, b + 5, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CALL(MPI_Scan, a, b + 6, 2, MPI_INT, op, MPI_COMM_WORLD);
    b[8] = 0;
    CALL(MPI_Exscan, a, b + 8, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    calls_mix_all(b, calls_rank ? 9 : 8);
}

static void moving_in_background(void)
{
    MPI_Request r[9];
    fill();
    CALL(MPI_Ibarrier, MPI_COMM_WORLD, &r[0]);
    CALL(MPI_Ibcast, b + 8 * MOST, 2, MPI_INT, 0, MPI_COMM_WORLD, &r[1]);
    CALL(MPI_Iallgather, a + 2, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD, &r[2]);
    CALL(MPI_Iallgatherv, a + 3, 1, MPI_INT, b + MOST, counts, places, MPI_INT, MPI_COMM_WORLD, &r[3]);
    CALL(MPI_Ialltoall, a, 1, MPI_INT, b + 2 * MOST, 1, MPI_INT, MPI_COMM_WORLD, &r[4]);
    CALL(MPI_Ialltoallv, a, counts, places, MPI_INT, b + 3 * MOST, counts, places, MPI_INT, MPI_COMM_WORLD, &r[5]);
    CALL(MPI_Igather, a + 2, 1, MPI_INT, b + 4 * MOST, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[6]);
    CALL(MPI_Igatherv, a + 2, 1, MPI_INT, b + 5 * MOST, counts, places, MPI_INT, 0, MPI_COMM_WORLD, &r[7]);
    CALL(MPI_Iscatter, a, 1, MPI_INT, b + 6 * MOST, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[8]);
    CALL(MPI_Waitall, 9, r, MPI_STATUSES_IGNORE);
    calls_mix_all(b + 2 * MOST, 5 * MOST);
    fill();
    for (int i = 0; i < MOST; i++)
        places[i] = i * (int)sizeof(int);
    CALL(MPI_Ialltoallw, a, counts, places, types, b, counts, places, types, MPI_COMM_WORLD, &r[0]);
    CALL(MPI_Iallreduce, a, b + MOST, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[1]);
    CALL(MPI_Ireduce, a, b + 2 * MOST, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &r[2]);
    CALL(MPI_Ireduce_scatter, a, b + 3 * MOST, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[3]);
    CALL(MPI_Ireduce_scatter_block, a, b + 4 * MOST, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[4]);
    CALL(MPI_Iscan, a, b + 5 * MOST, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[5]);
    CALL(MPI_Iexscan, a, b + 6 * MOST, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[6]);
    places[0] = 0;
    for (int i = 0; i < MOST; i++)
        places[i] = i;
    CALL(MPI_Waitall, 7, r, MPI_STATUSES_IGNORE);
    CALL(MPI_Iscatterv, a, counts, places, MPI_INT, b + 7 * MOST, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[0]);
    CALL(MPI_Wait, &r[0], MPI_STATUS_IGNORE);
    calls_mix_all(b, 6 * MOST);
    calls_mix(b[7 * MOST]);
}

void calls_collectives(void)
{
    if (calls_size > MOST)
        return;
    blocking();
    reducing();
    moving_in_background();
    calls_section("collectives");
}
