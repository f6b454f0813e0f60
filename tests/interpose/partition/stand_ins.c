/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of Scotch, p4est, PETSc and Zoltan, for nulls.c, that do nothing and answer which of their pointers are NULL: bit k is
 * that of argument k. */
#include <mpi.h>
#include <stdint.h>

static int nulls(int n, void *const *argument)
{
    int mask = 0;
    for (int k = 0; k < n; k++)
        mask |= argument[k] ? 0 : 1 << k;
    return mask;
}
#define NULLS(...) nulls(sizeof(void *[]){__VA_ARGS__} / sizeof(void *), (void *[]){__VA_ARGS__})

static int given; /* in the place of what is not a pointer */

int SCOTCH_numSizeof(void)
{
    return 4;
}

int SCOTCH_archCmplt(void *arch, int32_t n)
{
    return NULLS(arch, &given);
}

int SCOTCH_archCmpltw(void *arch, int32_t n, void *weights)
{
    return NULLS(arch, &given, weights);
}

#define GRAPHS(KIND)                                                               \
    int SCOTCH_##KIND##Part(void *graph, int32_t n, void *strategy, void *part)    \
    {                                                                              \
        return NULLS(graph, &given, strategy, part);                               \
    }                                                                              \
    int SCOTCH_##KIND##Map(void *graph, void *arch, void *strategy, void *part)    \
    {                                                                              \
        return NULLS(graph, arch, strategy, part);                                 \
    }                                                                              \
    int SCOTCH_##KIND##MapInit(void *graph, void *mapping, void *arch, void *part) \
    {                                                                              \
        return NULLS(graph, mapping, arch, part);                                  \
    }                                                                              \
    int SCOTCH_##KIND##MapCompute(void *graph, void *mapping, void *strategy)      \
    {                                                                              \
        return NULLS(graph, mapping, strategy);                                    \
    }
GRAPHS(graph)
GRAPHS(dgraph)

#define FORESTS(KIND)                                                        \
    int64_t KIND##_partition_ext(void *forest, int coarsening, void *weight) \
    {                                                                        \
        return NULLS(forest, &given, weight);                                \
    }                                                                        \
    int64_t KIND##_partition_given(void *forest, void *counts)               \
    {                                                                        \
        return NULLS(forest, counts);                                        \
    }
FORESTS(p4est)
FORESTS(p8est)

int PetscSplitOwnership(MPI_Comm comm, void *n, void *N)
{
    return NULLS(&given, n, N);
}

int PetscSplitOwnershipBlock(MPI_Comm comm, int32_t block, void *n, void *N)
{
    return NULLS(&given, &given, n, N);
}

int DMSetUp(void *dm)
{
    return NULLS(dm);
}

int Zoltan_LB_Partition(void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *i, void *j,
                        void *k, void *l, void *m, void *n)
{
    return NULLS(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
}

int Zoltan_LB_Balance(void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *i, void *j, void *k,
                      void *l)
{
    return NULLS(a, b, c, d, e, f, g, h, i, j, k, l);
}

int Zoltan_LB_Set_Part_Sizes(void *zoltan, int global, int n, void *part, void *weight, void *size)
{
    return NULLS(zoltan, &given, &given, part, weight, size);
}

int Zoltan_Copy_To(void *to, void *from)
{
    return NULLS(to, from);
}

int Zoltan_Set_Param(void *zoltan, void *name, void *value)
{
    return NULLS(zoltan, name, value);
}

int Zoltan_Set_Num_Obj_Fn(void *zoltan, void *number, void *data)
{
    return NULLS(zoltan, number, data);
}
