/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitall with a message that is longer than its receive, where errors return, and one that comes after it, or after
 * 10 s: what it returns, and whether it waits for the second. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static void send_both(const int *out)
{
    const struct timespec pause = {0, 10000000};
    int returned = 0;
    MPI_Send(out, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    for (int k = 0; k < 1000 && !returned; k++) {
        nanosleep(&pause, NULL);
        MPI_Iprobe(1, 2, MPI_COMM_WORLD, &returned, MPI_STATUS_IGNORE);
    }
    MPI_Send(out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(&returned, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void receive_both(int *in)
{
    MPI_Request request[2];
    MPI_Status status[2];
    int class = MPI_SUCCESS;
    for (int k = 0; k < 2; k++)
        MPI_Irecv(&in[k], 1, MPI_INT, 0, k, MPI_COMM_WORLD, &request[k]);
    MPI_Error_class(MPI_Waitall(2, request, status), &class);
    MPI_Send(in, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    printf("MPI_Waitall: %s\n", class == MPI_ERR_IN_STATUS ? "the error is in a status" : "another code");
    MPI_Error_class(status[1].MPI_ERROR, &class);
    printf("the other message: %s\n", class == MPI_ERR_PENDING ? "pending" : "received");
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, out[2] = {1, 2}, in[2] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        send_both(out);
    else if (rank == 1)
        receive_both(in);
    MPI_Finalize();
    return 0;
}
