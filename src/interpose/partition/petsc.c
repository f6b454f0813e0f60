/* SPDX-License-Identifier: BSD-3-Clause */
/* PETSc cuts vectors and matrices whose local sizes are left to it in PetscSplitOwnership and PetscSplitOwnershipBlock. */
#include "interpose/partition/petsc.h"
#include "interpose/partition/targets.h"
#include "runtime/base/world_handle.h"
#include "util/assert.h"
#include <heteroslice/hs_status.h>

enum { PETSC_INT = 16 }; /* of PetscDataType */

int hs__petsc_wide(hs__foreign_function beside)
{
    int (*ask)(int, size_t *) = (int (*)(int, size_t *))hs__partitioner_beside("PetscDataTypeGetSize", beside);
    size_t size = 0;
    if (!ask || ask(PETSC_INT, &size) != 0)
        return -1;
    return size == 8 ? 1 : size == 4 ? 0 : -1;
}

/* Cut N units in blocks of one size. @return this rank's units; -1: as PETSc does */
static int64_t own_part(hs__call_site site, MPI_Comm comm, int64_t block, int64_t N)
{
    hs__partitioning this;
    int size, rank;
    int64_t mine = -1;
    comm = hs__world_of(comm);
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_rank(comm, &rank);
    int changes = hs__partitioning_begin_comm(&this, site, comm, size);
    int64_t *count = changes ? hs__pool_new(&this.pool, (size_t)size, sizeof *count) : NULL;
    double *reached = count ? hs__pool_new(&this.pool, (size_t)size, sizeof *reached) : NULL;
    if (reached && hs__partition_counts(this.given, size, N / block, count) == HS_OK) {
        HS_ASSERT(count[rank] >= 0 && count[rank] * block <= N);
        mine = count[rank] * block;
        reached[rank] = (double)mine;
    }
    hs__partitioning_end(&this, mine >= 0 ? reached : NULL);
    return mine;
}

/* What the program leaves to PETSc: n, and says N. PETSc has judged the arguments already. */
static void split(hs__call_site site, hs__foreign_function own, MPI_Comm comm, int64_t block, void *n, const void *N)
{
    int wide = hs__petsc_wide(own);
    int64_t mine = wide >= 0 ? own_part(site, comm, block, hs__integer_get(N, wide, 0)) : -1;
    if (wide < 0)
        hs__partition_pass(site.call, "the size of PetscInt is not known");
    else if (mine >= 0)
        hs__integer_set(n, wide, 0, mine);
}

/* Both widths have -1 for it, and no width has it for another number that is a size. */
static int is_left_to_petsc(const void *n, const void *N)
{
    return hs__partition_acts() && n && N && *(const int32_t *)n == HS__PETSC_DECIDE &&
           *(const int32_t *)N != HS__PETSC_DECIDE;
}

HS_API int PetscSplitOwnership(MPI_Comm comm, void *n, void *N);
int PetscSplitOwnership(MPI_Comm comm, void *n, void *N)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    if (!own) {
        hs__partitioner_missing(__func__);
        return HS__PETSC_ERROR;
    }
    int left = is_left_to_petsc(n, N);
    int result = ((int (*)(MPI_Comm, void *, void *))own)(comm, n, N);
    if (left && result == 0)
        split(HS__CALL_SITE, own, comm, 1, n, N);
    return result;
}

HS_API int PetscSplitOwnershipBlock(MPI_Comm comm, int64_t block, void *n, void *N);
int PetscSplitOwnershipBlock(MPI_Comm comm, int64_t block, void *n, void *N)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    if (!own) {
        hs__partitioner_missing(__func__);
        return HS__PETSC_ERROR;
    }
    int left = is_left_to_petsc(n, N);
    int result = ((int (*)(MPI_Comm, int64_t, void *, void *))own)(comm, block, n, N);
    if (left && result == 0 && hs__petsc_wide(own) == 0)
        block = (int32_t)block;
    if (left && result == 0 && block > 0)
        split(HS__CALL_SITE, own, comm, block, n, N);
    return result;
}
