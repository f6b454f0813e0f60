/* SPDX-License-Identifier: BSD-3-Clause */
/* A program whose calls are known: watched ITERATIONS [marks]. A ring; every rank sends 100 doubles to the next, rank 0
 * also some through a persistent request, over a communicator of its own that is freed before the end. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, iterations = atoi(argv[1]), marks = argc > 2;
    double out[100] = {0}, in[100], sum;
    MPI_Comm own;
    MPI_Request request, persistent;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_set_name(own, "own");
    MPI_Comm_rank(own, &rank);
    MPI_Comm_size(own, &size);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int k = 0; k < iterations; k++) {
        if (marks)
            MPI_Pcontrol(16);
        MPI_Irecv(in, 100, MPI_DOUBLE, last, 0, own, &request);
        MPI_Send(out, 100, MPI_DOUBLE, next, 0, own);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Allreduce(out, &sum, 1, MPI_DOUBLE, MPI_SUM, own);
    }
    if (marks)
        MPI_Pcontrol(17);
    MPI_Send_init(out, 10, MPI_INT, MPI_PROC_NULL, 0, own, &persistent);
    MPI_Request_free(&persistent);
    if (rank == 0) {
        MPI_Send_init(out, 10, MPI_INT, next, 1, own, &persistent);
        for (int k = 0; k < 2; k++) {
            MPI_Start(&persistent);
            MPI_Wait(&persistent, MPI_STATUS_IGNORE);
        }
        MPI_Startall(1, &persistent);
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
        MPI_Request_free(&persistent);
    }
    if (rank == 1 % size)
        for (int k = 0; k < 3; k++)
            MPI_Recv(in, 10, MPI_INT, 0, 1, own, MPI_STATUS_IGNORE);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
