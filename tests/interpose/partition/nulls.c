/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls every function of a partitioner that the library stands before, with each pointer NULL in turn, and prints on rank 0 what
 * came back. Compiled by nulls.sh with path_metis.c and stand_ins.c, which tell what is NULL. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { VERTICES = 60, MOST_RANKS = 8, MOST_ARGUMENTS = 17 };

typedef int any(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

/* Arguments: pointers to a number of vertices (v), 1 (1), the number of ranks (p), targets (t), the ranks' vertices (d), a
 * communicator (m), zeros (.); by value the number of ranks (6), a communicator (c). */
#define FUNCTIONS(X)                                   \
    X(METIS_PartGraphKway, "v1.....pt....")            \
    X(METIS_PartGraphRecursive, "v1.....pt....")       \
    X(METIS_PartMeshDual, "vv....1pt....")             \
    X(METIS_PartMeshNodal, "vv....pt....")             \
    X(ParMETIS_V3_PartKway, "d......1pt....m")         \
    X(ParMETIS_V3_PartGeomKway, "d......1.1pt....m")   \
    X(ParMETIS_V3_PartMeshKway, "d.....11pt....m")     \
    X(ParMETIS_V3_AdaptiveRepart, "d.......1pt.....m") \
    X(ParMETIS_V3_RefineKway, "d......1pt....m")       \
    X(SCOTCH_archCmplt, ".6")                          \
    X(SCOTCH_archCmpltw, ".6.")                        \
    X(SCOTCH_graphPart, ".6..")                        \
    X(SCOTCH_graphMap, "....")                         \
    X(SCOTCH_graphMapInit, "....")                     \
    X(SCOTCH_graphMapCompute, "...")                   \
    X(SCOTCH_dgraphPart, ".6..")                       \
    X(SCOTCH_dgraphMap, "....")                        \
    X(SCOTCH_dgraphMapInit, "....")                    \
    X(SCOTCH_dgraphMapCompute, "...")                  \
    X(p4est_partition_ext, ".6.")                      \
    X(p4est_partition_given, "..")                     \
    X(p8est_partition_ext, ".6.")                      \
    X(p8est_partition_given, "..")                     \
    X(PetscSplitOwnership, "c..")                      \
    X(PetscSplitOwnershipBlock, "c6..")                \
    X(DMSetUp, ".")                                    \
    X(Zoltan_LB_Partition, "..............")           \
    X(Zoltan_LB_Balance, "............")               \
    X(Zoltan_LB_Set_Part_Sizes, ".66...")              \
    X(Zoltan_Copy_To, "..")                            \
    X(Zoltan_Set_Param, "...")                         \
    X(Zoltan_Set_Num_Obj_Fn, "...")

#define DECLARE(NAME, ARGUMENTS) any NAME;
FUNCTIONS(DECLARE)

#define ROW(NAME, ARGUMENTS) {#NAME, ARGUMENTS, NAME},
static const struct {
    const char *name, *arguments;
    any *function;
} functions[] = {FUNCTIONS(ROW)};

static int32_t vertices = VERTICES, one = 1, ranks, dist[MOST_RANKS + 1];
static float targets[MOST_RANKS];
static MPI_Comm comm;
static int64_t zeros[2 * VERTICES];

static uintptr_t argument(char kind)
{
    switch (kind) {
    case 'v':
        return (uintptr_t)&vertices;
    case '1':
        return (uintptr_t)&one;
    case 'p':
        return (uintptr_t)&ranks;
    case 't':
        return (uintptr_t)targets;
    case 'd':
        return (uintptr_t)dist;
    case 'm':
        return (uintptr_t)&comm;
    case '6':
        return (uintptr_t)ranks;
    case 'c':
        return (uintptr_t)MPI_COMM_WORLD;
    default:
        memset(zeros, 0, sizeof zeros);
        return (uintptr_t)zeros;
    }
}

/* missing: which argument is NULL; -1: none */
static int call(any *function, const char *kinds, int missing)
{
    uintptr_t a[MOST_ARGUMENTS] = {0};
    for (int k = 0; kinds[k]; k++)
        a[k] = k == missing ? 0 : argument(kinds[k]);
    return function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14],
                    a[15], a[16]);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ranks = size;
    comm = MPI_COMM_WORLD;
    for (int r = 0; r <= size; r++)
        dist[r] = VERTICES * r / size;
    for (int r = 0; r < size; r++)
        targets[r] = 1 / (float)size;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        for (int k = -1; k < (int)strlen(functions[f].arguments); k++) {
            if (k >= 0 && strchr("6c", functions[f].arguments[k]))
                continue;
            int result = call(functions[f].function, functions[f].arguments, k);
            if (rank == 0)
                printf("%s without %d: %d\n", functions[f].name, k, result);
        }
    MPI_Finalize();
    return 0;
}
