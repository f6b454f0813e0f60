/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of planned boxes under SimGrid's smpirun: receives are posted, each rank sends its halos and computes its box when
 * those of the others have come. Rank i is host i of the file that plan.c wrote.
 *
 * usage: step FILE ITERATIONS     prints the seconds of a step */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_MESSAGES = 4096 };

extern void smpi_execute_flops(double flops);

/* What this rank receives and sends in a step. Both sides count the messages between them in the order of the file. */
typedef struct halos {
    double flop;
    int in, out, from[MAX_MESSAGES], to[MAX_MESSAGES], in_bytes[MAX_MESSAGES], out_bytes[MAX_MESSAGES];
} halos;

static void fail(const char *why)
{
    fprintf(stderr, "step: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void read_message(FILE *file, int receiver, int rank, halos *h)
{
    int sender, bytes;
    if (fscanf(file, "%d %d", &sender, &bytes) != 2 || h->in == MAX_MESSAGES || h->out == MAX_MESSAGES)
        fail("not a file of plan.c");
    if (receiver == rank) {
        h->from[h->in] = sender;
        h->in_bytes[h->in++] = bytes;
    }
    if (sender == rank) {
        h->to[h->out] = receiver;
        h->out_bytes[h->out++] = bytes;
    }
}

static void read_halos(const char *path, int rank, int hosts, halos *h)
{
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%*f %*f") != 0)
        fail("cannot read the plan");
    for (int i = 0; i < hosts; i++) {
        double flop;
        int count;
        if (fscanf(file, "%*s %lf %d", &flop, &count) != 2)
            fail("not a file of plan.c");
        if (i == rank)
            h->flop = flop;
        for (int k = 0; k < count; k++)
            read_message(file, i, rank, h);
    }
    fclose(file);
}

static void step(const halos *h, char *buffer, MPI_Request *request)
{
    for (int k = 0; k < h->in; k++)
        MPI_Irecv(buffer, h->in_bytes[k], MPI_BYTE, h->from[k], 0, MPI_COMM_WORLD, request++);
    for (int k = 0; k < h->out; k++)
        MPI_Isend(buffer, h->out_bytes[k], MPI_BYTE, h->to[k], 0, MPI_COMM_WORLD, request++);
    MPI_Waitall(h->in + h->out, request - h->in - h->out, MPI_STATUSES_IGNORE);
    smpi_execute_flops(h->flop);
}

int main(int argc, char **argv)
{
    int rank, hosts, most = 1;
    halos *h = calloc(1, sizeof *h);
    MPI_Request *request = malloc(2 * MAX_MESSAGES * sizeof *request);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &hosts);
    int iterations = argc == 3 ? atoi(argv[2]) : 0;
    if (iterations < 1 || !h || !request)
        fail("usage: step FILE ITERATIONS");
    read_halos(argv[1], rank, hosts, h);
    for (int k = 0; k < h->in; k++)
        most = h->in_bytes[k] > most ? h->in_bytes[k] : most;
    for (int k = 0; k < h->out; k++)
        most = h->out_bytes[k] > most ? h->out_bytes[k] : most;
    char *buffer = calloc((size_t)most, 1); /* nobody looks at it */
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime();
    for (int k = 0; k < iterations; k++)
        step(h, buffer, request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("step %.9g\n", (MPI_Wtime() - begun) / iterations);
    free(buffer);
    free(request);
    free(h);
    MPI_Finalize();
    return 0;
}
