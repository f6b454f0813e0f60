/* SPDX-License-Identifier: BSD-3-Clause */
/* A PETSc vector and a distributed grid whose local sizes follow the speeds of the ranks' hosts.
 * cc petsc_ownership.c $(pkg-config --cflags --libs petsc heteroslice) */
#include <heteroslice/hs_runtime.h>
#include <petscdmda.h>
#include <petscvec.h>

int main(int argc, char **argv)
{
    enum { ROWS = 1000, COLUMNS = 8 };
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    int rank, size;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &size);
    int64_t *counts;
    PetscInt *rows;
    PetscCall(PetscMalloc2(size, &counts, size, &rows));
    if (hs_counts(PETSC_COMM_WORLD, ROWS, counts) != HS_OK)
        MPI_Abort(PETSC_COMM_WORLD, 1);
    for (int r = 0; r < size; r++)
        rows[r] = (PetscInt)counts[r];

    Vec vector; /* instead of VecCreateMPI(comm, PETSC_DECIDE, ROWS, &vector) */
    PetscInt begin, end;
    PetscCall(VecCreateMPI(PETSC_COMM_WORLD, rows[rank], ROWS, &vector));
    PetscCall(VecGetOwnershipRange(vector, &begin, &end));

    DM grid; /* rows of a grid: lz, ly or lx of DMDACreate take the counts */
    PetscInt x, y, width, height;
    PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, COLUMNS, ROWS, 1,
                           size, 1, 1, NULL, rows, &grid));
    PetscCall(DMSetUp(grid));
    PetscCall(DMDAGetCorners(grid, &x, &y, NULL, &width, &height, NULL));
    PetscCall(PetscSynchronizedPrintf(PETSC_COMM_WORLD, "rank %d: %d entries, %d rows\n", rank, (int)(end - begin),
                                      (int)height));
    PetscCall(PetscSynchronizedFlush(PETSC_COMM_WORLD, PETSC_STDOUT));
    PetscCall(DMDestroy(&grid));
    PetscCall(VecDestroy(&vector));
    PetscCall(PetscFree2(counts, rows));
    PetscCall(PetscFinalize());
    return 0;
}
