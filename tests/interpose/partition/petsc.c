/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors and grids whose cut is left to PETSc: prints the sizes of the ranks' parts on rank 0. petsc.sh compiles and starts it. */
#include <petscdmda.h>
#include <petscksp.h>

static int rank, size;

static void print_sizes(const char *what, PetscInt own, MPI_Comm comm)
{
    int me, n, mine = (int)own, all[64];
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, comm);
    if (me == 0) {
        printf("%s:", what);
        for (int r = 0; r < n; r++)
            printf(" %d", all[r]);
        printf("\n");
        fflush(stdout);
    }
}

static void cut_vectors(void)
{
    Vec x;
    PetscInt own, block = PETSC_DECIDE, all = 2700, given = 10, sum = PETSC_DECIDE;
    VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, 2700, &x);
    VecGetLocalSize(x, &own);
    print_sizes("vector", own, PETSC_COMM_WORLD);
    VecDestroy(&x);
    PetscSplitOwnershipBlock(PETSC_COMM_WORLD, 10, &block, &all);
    print_sizes("block", block, PETSC_COMM_WORLD);
    PetscSplitOwnership(PETSC_COMM_WORLD, &given, &sum); /* local sizes of its own */
    print_sizes("given", given, PETSC_COMM_WORLD);
    if (sum != 10 * size)
        printf("given: adds up to %d\n", (int)sum);
    PetscInt few = PETSC_DECIDE, two = 2;
    PetscSplitOwnership(PETSC_COMM_WORLD, &few, &two);
    print_sizes("few", few, PETSC_COMM_WORLD);
}

/* The last three ranks, in the opposite order. */
static void cut_for_some(void)
{
    MPI_Comm some;
    PetscInt own = PETSC_DECIDE, all = 900;
    MPI_Comm_split(MPI_COMM_WORLD, rank < size - 3 ? MPI_UNDEFINED : 0, -rank, &some);
    if (some == MPI_COMM_NULL)
        return;
    PetscSplitOwnership(some, &own, &all);
    print_sizes("sub", own, some);
    MPI_Comm_free(&some);
}

static void set_up(const char *what, DM grid)
{
    PetscInt m, n, p, x, y, z;
    DMSetFromOptions(grid);
    DMSetUp(grid);
    DMDAGetCorners(grid, NULL, NULL, NULL, &m, &n, &p);
    DMDAGetInfo(grid, NULL, NULL, NULL, NULL, &x, &y, &z, NULL, NULL, NULL, NULL, NULL, NULL);
    print_sizes(what, m * n * p, PETSC_COMM_WORLD);
    if (rank == 0)
        printf("%s ranks: %d %d %d\n", what, (int)x, (int)y, (int)z);
    DMDestroy(&grid);
}

static void cut_grids(void)
{
    DM grid;
    const PetscInt none = DM_BOUNDARY_NONE, star = DMDA_STENCIL_STAR;
    PetscInt rows[64];
    for (int r = 0; r < size; r++)
        rows[r] = 10;
    DMDACreate1d(PETSC_COMM_WORLD, (DMBoundaryType)none, 270, 1, 1, NULL, &grid);
    set_up("line", grid);
    DMDACreate2d(PETSC_COMM_WORLD, (DMBoundaryType)none, (DMBoundaryType)none, (DMDAStencilType)star, 270, 270, PETSC_DECIDE,
                 PETSC_DECIDE, 1, 1, NULL, NULL, &grid);
    set_up("plane", grid);
    DMDACreate2d(PETSC_COMM_WORLD, (DMBoundaryType)none, (DMBoundaryType)none, (DMDAStencilType)star, 60, 60, 3, 2, 1, 1, NULL,
                 NULL, &grid);
    set_up("three", grid);
    DMDACreate3d(PETSC_COMM_WORLD, (DMBoundaryType)none, (DMBoundaryType)none, (DMBoundaryType)none, (DMDAStencilType)star, 20,
                 20, 270, PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, 2, NULL, NULL, NULL, &grid);
    set_up("space", grid);
    DMDACreate1d(PETSC_COMM_WORLD, (DMBoundaryType)none, 10 * size, 1, 1, rows, &grid);
    set_up("rows", grid);
}

int main(int argc, char **argv)
{
    PetscInitialize(&argc, &argv, NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    cut_vectors();
    cut_for_some();
    cut_grids();
    PetscFinalize();
    return 0;
}
