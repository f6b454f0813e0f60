/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of unequal work: bound STEPS MS0 MS1 ... In each step rank r computes for MSr milliseconds of CPU time, then
 * all reduce. With STEPS < 0 it ends once every rank is bound otherwise than at the start, after -STEPS steps at most.
 * Rank 0 prints which processors every rank may use at the end, and seconds a step of the second half of the steps. A
 * rank that is not bound after MPI_Finalize as it was before MPI_Init returns 1. HS_TEST_THREAD=1: each has another
 * thread, which is bound to one processor. */
#define _GNU_SOURCE
#include "burn.h"
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cpu_set_t bound_to(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    return set;
}

static void print_processors(void)
{
    int rank, size;
    char text[4096] = "";
    cpu_set_t set = bound_to();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int cpu = 0; cpu < CPU_SETSIZE && strlen(text) < sizeof text - 16; cpu++)
        if (CPU_ISSET(cpu, &set))
            sprintf(text + strlen(text), " %d", cpu);
    if (rank > 0) {
        MPI_Send(text, sizeof text, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        return;
    }
    printf("rank 0:%s\n", text);
    for (int r = 1; r < size; r++) {
        MPI_Recv(text, sizeof text, MPI_CHAR, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("rank %d:%s\n", r, text);
    }
}

static void *sleep_on(void *nothing)
{
    for (;;)
        pause();
    return NULL;
}

/* On the last processor that this process may use. */
static void start_thread(void)
{
    pthread_t thread;
    cpu_set_t all = bound_to(), last;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all)) {
            CPU_ZERO(&last);
            CPU_SET(cpu, &last);
        }
    pthread_create(&thread, NULL, sleep_on, NULL);
    pthread_setaffinity_np(thread, sizeof last, &last);
}

int main(int argc, char **argv)
{
    int rank, steps = argc > 2 ? atoi(argv[1]) : 0;
    cpu_set_t before = bound_to(), after;
    if (getenv("HS_TEST_THREAD"))
        start_thread();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (steps == 0 || rank + 2 >= argc)
        MPI_Abort(MPI_COMM_WORLD, 2);
    double seconds = 1e-3 * atof(argv[rank + 2]), half = 0;
    int most = abs(steps), goes_on = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < most && goes_on; k++) {
        if (k == most / 2)
            half = MPI_Wtime();
        compute(seconds);
        after = bound_to();
        int mine = steps > 0 || CPU_EQUAL(&before, &after);
        MPI_Allreduce(&mine, &goes_on, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    half = MPI_Wtime() - half;
    print_processors();
    if (rank == 0 && steps > 0)
        printf("%.6f s a step\n", half / (most - most / 2));
    MPI_Finalize();
    after = bound_to();
    return !CPU_EQUAL(&before, &after);
}
