/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of a job in which only some ranks have the library, or not all the same variables: what it computes is
 * right, and it ends. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 2048 };

static int rank, size, failed;

static void require(int holds, const char *what)
{
    if (!holds)
        fprintf(stderr, "rank %d: not so: %s\n", rank, what);
    failed |= !holds;
}

/* 8 KiB, which a schedule may carry. */
static void collectives(MPI_Comm comm)
{
    static int data[MANY], sum[MANY];
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    for (int root = 0; root < n; root++) {
        for (int i = 0; i < MANY; i++)
            data[i] = me == root ? 1000 * root + i : -1;
        MPI_Bcast(data, MANY, MPI_INT, root, comm);
        require(data[0] == 1000 * root && data[MANY - 1] == 1000 * root + MANY - 1, "the broadcast's data");
    }
    for (int i = 0; i < MANY; i++)
        data[i] = me;
    MPI_Allreduce(data, sum, MANY, MPI_INT, MPI_SUM, comm);
    require(sum[MANY - 1] == n * (n - 1) / 2, "the sum");
    MPI_Reduce(data, sum, MANY, MPI_INT, MPI_MAX, 0, comm);
    require(me != 0 || sum[0] == n - 1, "the maximum");
}

static void topologies(MPI_Comm comm)
{
    int n, wrapped = 1, sum = 0, one = 1;
    MPI_Comm grid;
    MPI_Comm_size(comm, &n);
    MPI_Cart_create(comm, 1, &n, &wrapped, 1, &grid);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, grid);
    require(sum == n, "the ranks of the grid");
    MPI_Comm_free(&grid);
}

/* Nonblocking calls match by their order on the communicator: one too many on some rank would show. */
static void in_step(void)
{
    MPI_Request request;
    int mine = rank, highest = -1;
    MPI_Iallreduce(&mine, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(highest == size - 1, "the highest rank");
}

/* partly spawn PROGRAM: a child without the library, merged with its parents. */
static void spawn(char *program)
{
    char *none[] = {NULL};
    MPI_Comm children, all;
    unsetenv("LD_PRELOAD");
    MPI_Comm_spawn(program, none, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(children, 0, &all);
    collectives(all);
    topologies(all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&children);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Intercomm_merge(parent, 1, &all);
        collectives(all);
        topologies(all);
        MPI_Comm_free(&all);
        MPI_Comm_disconnect(&parent);
    } else {
        in_step();
        collectives(MPI_COMM_WORLD);
        topologies(MPI_COMM_WORLD);
        if (argc > 2 && strcmp(argv[1], "spawn") == 0)
            spawn(argv[2]);
        in_step();
        if (!failed)
            printf("rank %d of %d: right\n", rank, size);
    }
    MPI_Finalize();
    return failed;
}
