// SPDX-License-Identifier: BSD-3-Clause
// Error handlers that throw through MPI and through the wrappers. Knows nothing of the library.
#include <cstdio>
#include <mpi.h>

struct failure {
    int code;
};

static void raise_it(MPI_Comm *, int *code, ...)
{
    int kind;
    MPI_Error_class(*code, &kind);
    throw failure{kind == MPI_ERR_RANK};
}

int main(int argc, char **argv)
{
    int rank, size, caught = 0, calls = 0, value = 0;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    calls++, MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    calls++, MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_create_errhandler(raise_it, &handler);
    calls++, MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    for (int k = 0; k < 5; k++) {
        try {
            calls++, MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
        } catch (const failure &f) {
            caught += f.code;
        }
    }
    calls++, MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    std::printf("rank %d of %d: caught %d\nrank %d of %d: %d calls\n", rank, size, caught, rank, size, calls);
    std::fflush(stdout);
    MPI_Finalize();
    return 0;
}
