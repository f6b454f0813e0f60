/* SPDX-License-Identifier: BSD-3-Clause */
/* A program whose calls are known: watched ITERATIONS [marks | twice | thread | folder | slow | huge | long [A:B]]. A
 * ring; every rank sends 100 doubles to the next, rank 0 also some through a persistent request, over a communicator of
 * its own that is freed before the end. thread: another thread frees it, right behind the ring. folder: it changes to
 * the folder / after MPI_Init. slow: an iteration takes 0.1 s. huge: a rank broadcasts an element of 4 GiB to itself.
 * twice: before the ring as many iterations of two barriers. marks: phases, and a barrier that does not block. long: a
 * reduction to one rank, one to all, and a broadcast of 40 kB. */
#include <locale.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *free_comm(void *comm)
{
    MPI_Comm_free(comm);
    return NULL;
}

static void broadcast_huge_element(void)
{
    MPI_Datatype part, whole;
    MPI_Type_contiguous(1 << 20, MPI_BYTE, &part);
    MPI_Type_contiguous(4096, part, &whole);
    MPI_Type_commit(&whole);
    MPI_Bcast(&whole, 1, whole, 0, MPI_COMM_SELF); /* there is nobody to send it to */
    MPI_Type_free(&whole);
    MPI_Type_free(&part);
}

static void combine_and_broadcast(void)
{
    static double from[5000], to[5000];
    MPI_Reduce(from, to, 5000, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Allreduce(from, to, 5000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(to, 5000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static int end_by_thread(MPI_Comm *own)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, free_comm, own) != 0)
        return 1;
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    int rank, size, provided, iterations = atoi(argv[1]);
    int marks = argc > 2 && strcmp(argv[2], "marks") == 0, thread = argc > 2 && strcmp(argv[2], "thread") == 0;
    int twice = argc > 2 && strcmp(argv[2], "twice") == 0, slow = argc > 2 && strcmp(argv[2], "slow") == 0;
    double out[100] = {0}, in[100], sum;
    MPI_Comm own;
    MPI_Request request, persistent;
    setlocale(LC_ALL, "");
    if (argc > 3)
        argv[3][strcspn(argv[3], ":")] = '\0'; /* as programs do that take arguments apart */
    if (thread)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    else
        MPI_Init(&argc, &argv);
    if (argc > 2 && strcmp(argv[2], "folder") == 0 && chdir("/") != 0)
        return 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_rank(own, &rank);
    MPI_Comm_size(own, &size);
    for (int k = 0; k < iterations && twice; k++) {
        MPI_Barrier(own);
        MPI_Barrier(own);
    }
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int k = 0; k < iterations; k++) {
        if (marks)
            MPI_Pcontrol(16);
        if (slow)
            usleep(100000);
        MPI_Irecv(in, 100, MPI_DOUBLE, last, 0, own, &request);
        MPI_Send(out, 100, MPI_DOUBLE, next, 0, own);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Allreduce(out, &sum, 1, MPI_DOUBLE, MPI_SUM, own);
    }
    MPI_Comm_set_name(own, "own \xe9"); /* Latin-1: no UTF-8; when it has carried most */
    if (thread)
        return end_by_thread(&own);
    if (marks) {
        MPI_Pcontrol(17);
        MPI_Ibarrier(own, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (argc > 2 && strcmp(argv[2], "huge") == 0)
        broadcast_huge_element();
    if (argc > 2 && strcmp(argv[2], "long") == 0)
        combine_and_broadcast();
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
