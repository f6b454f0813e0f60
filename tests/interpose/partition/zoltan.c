/* SPDX-License-Identifier: BSD-3-Clause */
/* Points on a line, cut by Zoltan; prints the ranks' sizes on rank 0. Compiled by zoltan.sh.
 *
 *     zoltan METHOD[:LISTS]...: RCB, BLOCK, GRAPH; balance (RCB by Zoltan_LB_Balance), sizes (the program's own), weights (those of
 *     the first half of the points are 3, of the others 1), two (such weights for each point), copy and assign (the
 *     program's own sizes, in a copy)
 *
 * LISTS is RETURN_LISTS. Sizes are printed where it is ALL. */
#include "tests/interpose/partition/zoltan_points.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 2700 };
static int rank, size;

static int dimensions(void *data, int *error)
{
    *error = ZOLTAN_OK;
    return 1;
}

static void place(void *data, int gids, int lids, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local, double *x, int *error)
{
    x[0] = global[0];
    *error = ZOLTAN_OK;
}

static int edges(void *data, int gids, int lids, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local, int *error)
{
    *error = ZOLTAN_OK;
    return (global[0] > 0) + (global[0] < POINTS - 1);
}

static int rank_of(int point)
{
    int r = point * size / POINTS;
    while (r + 1 < size && (r + 1) * POINTS / size <= point)
        r++;
    return r;
}

static void neighbours(void *data, int gids, int lids, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local, ZOLTAN_ID_PTR to,
                       int *ranks, int weights, float *weight, int *error)
{
    int k = 0, v = (int)global[0];
    for (int w = v - 1; w <= v + 1; w += 2)
        if (w >= 0 && w < POINTS) {
            to[k] = (ZOLTAN_ID_TYPE)w;
            ranks[k++] = rank_of(w);
        }
    *error = ZOLTAN_OK;
}

static void print_sizes(const char *what, int mine)
{
    int all[64];
    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank > 0)
        return;
    printf("%s:", what);
    for (int r = 0; r < size; r++)
        printf(" %d", all[r]);
    printf("\n");
    fflush(stdout);
}

static void cut(const char *way)
{
    char how[16], lists[16] = "ALL";
    sscanf(way, "%15[^:]:%15s", how, lists);
    int changes, gids, lids, in = 0, out = 0, *ip, *ipart, *ep, *epart, parts[64];
    float sizes[64];
    ZOLTAN_ID_PTR ig, il, eg, el;
    struct Zoltan_Struct *zz = Zoltan_Create(MPI_COMM_WORLD);
    int copies = strcmp(how, "copy") == 0 || strcmp(how, "assign") == 0, sized = copies || strcmp(how, "sizes") == 0;
    int plain = sized || strcmp(how, "balance") == 0 || strcmp(how, "weights") == 0 || strcmp(how, "two") == 0;
    Zoltan_Set_Param(zz, "DEBUG_LEVEL", "0");
    Zoltan_Set_Param(zz, "LB_METHOD", plain ? "RCB" : how);
    Zoltan_Set_Param(zz, "GRAPH_PACKAGE", "PHG");
    Zoltan_Set_Param(zz, "LB_APPROACH", "PARTITION");
    Zoltan_Set_Param(zz, "RETURN_LISTS", lists);
    Zoltan_Set_Param(zz, "OBJ_WEIGHT_DIM", strcmp(how, "weights") == 0 ? "1" : strcmp(how, "two") == 0 ? "2" : "0");
    Zoltan_Set_Fn(zz, ZOLTAN_NUM_OBJ_FN_TYPE, (ZOLTAN_VOID_FN *)number_of, NULL);
    Zoltan_Set_Obj_List_Fn(zz, list, NULL);
    Zoltan_Set_Num_Geom_Fn(zz, dimensions, NULL);
    Zoltan_Set_Geom_Fn(zz, place, NULL);
    Zoltan_Set_Num_Edges_Fn(zz, edges, NULL);
    Zoltan_Set_Edge_List_Fn(zz, neighbours, NULL);
    for (int r = 0; r < size; r++) {
        parts[r] = r;
        sizes[r] = (float)(r % 2 + 1);
    }
    if (sized)
        Zoltan_LB_Set_Part_Sizes(zz, 1, size, parts, NULL, sizes);
    if (copies) {
        struct Zoltan_Struct *from = zz;
        zz = strcmp(how, "copy") == 0 ? Zoltan_Copy(from) : Zoltan_Create(MPI_COMM_WORLD);
        if (strcmp(how, "assign") == 0)
            Zoltan_Copy_To(zz, from);
        Zoltan_Destroy(&from);
    }
    int result =
        strcmp(how, "balance") == 0
            ? Zoltan_LB_Balance(zz, &changes, &gids, &lids, &in, &ig, &il, &ip, &out, &eg, &el, &ep)
            : Zoltan_LB_Partition(zz, &changes, &gids, &lids, &in, &ig, &il, &ip, &ipart, &out, &eg, &el, &ep, &epart);
    if (result != ZOLTAN_OK)
        printf("%s: %d\n", how, result);
    if (strcmp(lists, "ALL") == 0)
        print_sizes(how, own + in - out);
    Zoltan_Destroy(&zz);
}

int main(int argc, char **argv)
{
    float version;
    MPI_Init(&argc, &argv);
    Zoltan_Initialize(argc, argv, &version);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = POINTS * rank / size;
    own = POINTS * (rank + 1) / size - first;
    for (int i = 1; i < argc; i++)
        cut(argv[i]);
    MPI_Finalize();
    return 0;
}
