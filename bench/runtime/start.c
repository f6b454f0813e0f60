/* SPDX-License-Identifier: BSD-3-Clause */
/* start HOSTS: prints the milliseconds of hs_init on the rank where it takes longest, with the ranks on so many hosts. */
#include <heteroslice/hs_runtime.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, ranks, hosts = argc > 1 ? atoi(argv[1]) : 1;
    char host[16];
    double longest;
    hs_context *context = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(host, sizeof host, "h%d", (int)((long)rank * hosts / ranks));
    const hs_params params = {.mode = HS_BALANCE_STATIC, .host = host};
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime();
    hs_status status = hs_init(MPI_COMM_WORLD, &params, &context, NULL);
    double mine = 1e3 * (MPI_Wtime() - begun);
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0 && status == HS_OK)
        printf("%.3f\n", longest);
    hs_finalize(&context);
    MPI_Finalize();
    return status != HS_OK;
}
