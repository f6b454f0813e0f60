/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that passes by MPI's wrappers: direct calls second names, five barriers as well; "direct fortran" calls a
 * Fortran function, though no library of Fortran's MPI is loaded. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int ask_fortran(void)
{
    void (*comm_size)(const MPI_Fint *, MPI_Fint *, MPI_Fint *);
    MPI_Fint comm = MPI_Comm_c2f(MPI_COMM_WORLD), size = 0, code = MPI_SUCCESS;
    *(void **)&comm_size = dlsym(RTLD_DEFAULT, "mpi_comm_size_");
    if (!comm_size) {
        printf("no mpi_comm_size_\n");
        return 0;
    }
    comm_size(&comm, &size, &code);
    printf("of %d\n", (int)size);
    return (int)code;
}

int main(int argc, char **argv)
{
    int rank, code = 0;
    MPI_Init(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "fortran") == 0)
        code = ask_fortran();
    for (int k = 0; k < 5; k++)
        PMPI_Barrier(MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d\n", rank);
    MPI_Finalize();
    return code;
}
