/* SPDX-License-Identifier: BSD-3-Clause */
/* Zoltan part sizes by the speeds of the ranks' hosts: points on a line, one part per rank by bisection.
 * mpicc zoltan_parts.c -lzoltan $(pkg-config --cflags --libs heteroslice) */
#include <heteroslice/hs_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <zoltan.h>

enum { OWN = 500 }; /* initial number of points of a rank */

/** Set one part per rank, before Zoltan_LB_Partition(). @return ZOLTAN_OK; ZOLTAN_FATAL */
static int set_part_sizes(struct Zoltan_Struct *zoltan, MPI_Comm comm)
{
    int rank, size, part, first = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    float *weights = malloc((size_t)size * sizeof *weights);
    int code = ZOLTAN_FATAL;
    if (weights && hs_weights(comm, weights) == HS_OK) {
        part = rank;
        code = Zoltan_LB_Set_Part_Sizes(zoltan, 1, 1, &part, &first, &weights[rank]);
    }
    free(weights);
    return code;
}

/* Zoltan's query functions. data: the rank */

static int count_points(void *data, int *error)
{
    *error = ZOLTAN_OK;
    return OWN;
}

static void list_points(void *data, int ids, int local_ids, ZOLTAN_ID_PTR id, ZOLTAN_ID_PTR local, int weights,
                        float *weight, int *error)
{
    for (int k = 0; k < OWN; k++)
        id[k * ids] = (ZOLTAN_ID_TYPE)(*(int *)data * OWN + k);
    *error = ZOLTAN_OK;
}

static int count_dimensions(void *data, int *error)
{
    *error = ZOLTAN_OK;
    return 1;
}

static void place_points(void *data, int ids, int local_ids, int n, ZOLTAN_ID_PTR id, ZOLTAN_ID_PTR local,
                         int dimensions, double *x, int *error)
{
    for (int k = 0; k < n; k++)
        x[k] = id[k * ids];
    *error = ZOLTAN_OK;
}

static int cut_line(struct Zoltan_Struct *zoltan, int rank)
{
    int changes, ids, local_ids, gets, gives, *from, *from_part, *to, *to_part;
    ZOLTAN_ID_PTR id_in, local_in, id_out, local_out;
    Zoltan_Set_Param(zoltan, "DEBUG_LEVEL", "0");
    Zoltan_Set_Param(zoltan, "LB_METHOD", "RCB");
    Zoltan_Set_Param(zoltan, "NUM_LID_ENTRIES", "0");
    Zoltan_Set_Num_Obj_Fn(zoltan, count_points, &rank);
    Zoltan_Set_Obj_List_Fn(zoltan, list_points, &rank);
    Zoltan_Set_Num_Geom_Fn(zoltan, count_dimensions, &rank);
    Zoltan_Set_Geom_Multi_Fn(zoltan, place_points, &rank);
    int code = Zoltan_LB_Partition(zoltan, &changes, &ids, &local_ids, &gets, &id_in, &local_in, &from, &from_part,
                                   &gives, &id_out, &local_out, &to, &to_part);
    if (code != ZOLTAN_OK)
        return code;
    printf("rank %d: %d points\n", rank, OWN + gets - gives);
    Zoltan_LB_Free_Part(&id_in, &local_in, &from, &from_part);
    Zoltan_LB_Free_Part(&id_out, &local_out, &to, &to_part);
    return code;
}

int main(int argc, char **argv)
{
    int rank;
    float version;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int code = Zoltan_Initialize(argc, argv, &version);
    struct Zoltan_Struct *zoltan = code == ZOLTAN_OK ? Zoltan_Create(MPI_COMM_WORLD) : NULL;
    code = zoltan ? set_part_sizes(zoltan, MPI_COMM_WORLD) : ZOLTAN_FATAL;
    if (code == ZOLTAN_OK)
        code = cut_line(zoltan, rank);
    Zoltan_Destroy(&zoltan);
    MPI_Finalize();
    return code == ZOLTAN_OK ? 0 : 1;
}
