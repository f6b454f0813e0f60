/* SPDX-License-Identifier: BSD-3-Clause */
/* By Zoltan, with one object for all calls. */
#include "tests/interpose/partition/repartition.h"
#include "tests/interpose/partition/zoltan_points.h"
#include <stddef.h>

static struct Zoltan_Struct *create(MPI_Comm comm)
{
    float version;
    Zoltan_Initialize(0, NULL, &version);
    struct Zoltan_Struct *zz = Zoltan_Create(comm);
    Zoltan_Set_Param(zz, "DEBUG_LEVEL", "0");
    Zoltan_Set_Param(zz, "LB_METHOD", "BLOCK");
    Zoltan_Set_Param(zz, "RETURN_LISTS", "PARTS");
    Zoltan_Set_Num_Obj_Fn(zz, number_of, NULL);
    Zoltan_Set_Obj_List_Fn(zz, list, NULL);
    return zz;
}

void repartition(MPI_Comm comm, int rank, int ranks, const int *dist, int *size)
{
    static struct Zoltan_Struct *zz;
    int changes, gids, lids, in, out, *in_rank, *in_part, *out_rank, *out_part;
    ZOLTAN_ID_PTR in_global, in_local, out_global, out_local;
    if (!zz)
        zz = create(comm);
    first = dist[rank];
    own = dist[rank + 1] - dist[rank];
    if (Zoltan_LB_Partition(zz, &changes, &gids, &lids, &in, &in_global, &in_local, &in_rank, &in_part, &out,
                            &out_global, &out_local, &out_rank, &out_part) != ZOLTAN_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < out; i++) /* RETURN_LISTS=PARTS: all own objects */
        size[out_part[i]]++;
    Zoltan_LB_Free_Part(&in_global, &in_local, &in_rank, &in_part);
    Zoltan_LB_Free_Part(&out_global, &out_local, &out_rank, &out_part);
}
