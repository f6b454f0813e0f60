/* SPDX-License-Identifier: BSD-3-Clause */
#include "zoltan_cut.h"
#include <stdlib.h>
#include <zoltan.h>

struct zoltan_cut {
    struct Zoltan_Struct *zoltan;
    int rank;
    int64_t columns, units;
    int *owner; /* of the cut under way */
};

/* Zoltan asks for the units of this rank by their numbers. */

static int count_own(void *data, int *error)
{
    const zoltan_cut *cut = data;
    int own = 0;
    for (int64_t k = 0; k < cut->units; k++)
        own += cut->owner[k] == cut->rank;
    *error = ZOLTAN_OK;
    return own;
}

static void list_own(void *data, int ids, int local_ids, ZOLTAN_ID_PTR id, ZOLTAN_ID_PTR local, int weights,
                     float *weight, int *error)
{
    const zoltan_cut *cut = data;
    for (int64_t k = 0, n = 0; k < cut->units; k++)
        if (cut->owner[k] == cut->rank)
            id[n++] = (ZOLTAN_ID_TYPE)k;
    *error = ZOLTAN_OK;
}

static int count_dimensions(void *data, int *error)
{
    *error = ZOLTAN_OK;
    return ((const zoltan_cut *)data)->columns > 1 ? 2 : 1;
}

static void place(void *data, int ids, int local_ids, int n, ZOLTAN_ID_PTR id, ZOLTAN_ID_PTR local, int dimensions,
                  double *x, int *error)
{
    const int64_t columns = ((const zoltan_cut *)data)->columns;
    for (int k = 0; k < n; k++) {
        x[k * dimensions] = (double)(id[k] / columns);
        if (dimensions > 1)
            x[k * dimensions + 1] = (double)(id[k] % columns);
    }
    *error = ZOLTAN_OK;
}

static void set(struct Zoltan_Struct *zoltan, const char *name, const char *value)
{
    if (Zoltan_Set_Param(zoltan, name, value) != ZOLTAN_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

zoltan_cut *zoltan_cut_new(const char *const setting[ZOLTAN_SETTINGS][2], const int64_t *extent)
{
    zoltan_cut *cut = calloc(1, sizeof *cut);
    float version;
    if (!cut || Zoltan_Initialize(0, NULL, &version) != ZOLTAN_OK || !(cut->zoltan = Zoltan_Create(MPI_COMM_WORLD)))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &cut->rank);
    cut->columns = extent[1];
    cut->units = extent[0] * extent[1];
    set(cut->zoltan, "DEBUG_LEVEL", "0");
    set(cut->zoltan, "NUM_LID_ENTRIES", "0");
    set(cut->zoltan, "RETURN_LISTS", "PARTS");
    for (int k = 0; k < ZOLTAN_SETTINGS && setting[k][0]; k++)
        set(cut->zoltan, setting[k][0], setting[k][1]);
    Zoltan_Set_Num_Obj_Fn(cut->zoltan, count_own, cut);
    Zoltan_Set_Obj_List_Fn(cut->zoltan, list_own, cut);
    Zoltan_Set_Num_Geom_Fn(cut->zoltan, count_dimensions, cut);
    Zoltan_Set_Geom_Multi_Fn(cut->zoltan, place, cut);
    return cut;
}

int zoltan_cut_make(zoltan_cut *cut, const double *speed, int *owner)
{
    int changes, ids, local_ids, in, out, *from, *from_part, *to, *to_part, part = cut->rank, weight = 0;
    float size = (float)speed[cut->rank];
    ZOLTAN_ID_PTR in_id, in_local, id, local;
    cut->owner = owner;
    Zoltan_LB_Set_Part_Sizes(cut->zoltan, 1, -1, NULL, NULL, NULL); /* forget those of the cut before */
    if (Zoltan_LB_Set_Part_Sizes(cut->zoltan, 1, 1, &part, &weight, &size) != ZOLTAN_OK ||
        Zoltan_LB_Partition(cut->zoltan, &changes, &ids, &local_ids, &in, &in_id, &in_local, &from, &from_part, &out,
                            &id, &local, &to, &to_part) != ZOLTAN_OK)
        return -1;
    for (int64_t k = 0; k < cut->units; k++)
        owner[k] = -1;
    for (int k = 0; k < out; k++)
        owner[id[k]] = to_part[k];
    MPI_Allreduce(MPI_IN_PLACE, owner, (int)cut->units, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    Zoltan_LB_Free_Part(&in_id, &in_local, &from, &from_part);
    Zoltan_LB_Free_Part(&id, &local, &to, &to_part);
    return 0;
}

void zoltan_cut_free(zoltan_cut *cut)
{
    if (!cut)
        return;
    Zoltan_Destroy(&cut->zoltan);
    free(cut);
}
