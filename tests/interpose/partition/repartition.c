/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that repartitions a path before each phase, by the partitioner that it is linked to (repartition.h), and puts its clock
 * forward by what its vertices cost: rank r takes (4 - r) times less for one than a host of speed 1, give or take 2 %. Compiled by
 * repartition.sh.
 *
 *     repartition NAME:PHASES:FACTOR...
 *
 * For each phase rank 0 prints "NAME: sizes". The first rank takes FACTOR times as long. In a phase whose NAME begins
 * with "off" the ranks compute between MPI_Pcontrol(0) and MPI_Pcontrol(1), in "sub" all but rank 0 repartition by
 * themselves, and in "starved" rank 1 has no memory for the library when it repartitions. */
#include "tests/interpose/partition/repartition.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PHASE_S = 100, SECOND_NS = 1000000000 }; /* far longer than anything that really takes time */

static int world_rank, starved;
static int64_t ahead_ns; /* by which this rank's clock is ahead */

/* ---- What the library that is preloaded finds before the functions of the C library ---- */

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int code = (int)syscall(SYS_clock_gettime, clock, now);
    int64_t ns = now->tv_nsec + (clock == CLOCK_MONOTONIC ? ahead_ns : 0);
    now->tv_sec += ns / SECOND_NS;
    now->tv_nsec = ns % SECOND_NS;
    return code;
}

/* Where the kernel trusts the time-stamp counter the library does so, too, and nobody puts that forward. */
FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *) = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    return strstr(path, "clocksource") ? NULL : real(path, mode);
}

void *__libc_calloc(size_t n, size_t size);
void *calloc(size_t n, size_t size)
{
    Dl_info caller;
    if (starved && dladdr(__builtin_return_address(0), &caller) && strstr(caller.dli_fname, "heteroslice-preload"))
        return NULL;
    return __libc_calloc(n, size);
}

/* ---- The program ---- */

static void compute(int vertices, double factor)
{
    double noise = 0.02 * (2.0 * rand() / RAND_MAX - 1);
    ahead_ns += (int64_t)((1 + noise) * PHASE_S * SECOND_NS * factor * vertices / VERTICES / (4 - world_rank));
}

static void run_phase(const char *name, double factor, MPI_Comm comm)
{
    int dist[MOST_RANKS + 1], size[MOST_RANKS] = {0}, rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int r = 0; r <= ranks; r++)
        dist[r] = VERTICES * r / ranks;
    starved = world_rank == 1 && strcmp(name, "starved") == 0;
    repartition(comm, rank, ranks, dist, size);
    starved = 0;
    MPI_Allreduce(MPI_IN_PLACE, size, ranks, MPI_INT, MPI_SUM, comm);
    if (strncmp(name, "off", 3) == 0)
        MPI_Pcontrol(0);
    compute(size[rank], rank == 0 ? factor : 1);
    MPI_Pcontrol(1);
    if (rank > 0)
        return;
    printf("%s:", name);
    for (int r = 0; r < ranks; r++)
        printf(" %d", size[r]);
    printf("\n");
}

int main(int argc, char **argv)
{
    MPI_Comm others;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank > 0, 0, &others);
    srand((unsigned)world_rank + 1);
    for (int i = 1; i < argc; i++) {
        char name[32];
        int phases;
        double factor;
        if (sscanf(argv[i], "%31[a-z]:%d:%lf", name, &phases, &factor) != 3)
            MPI_Abort(MPI_COMM_WORLD, 1);
        int sub = strncmp(name, "sub", 3) == 0;
        for (int k = 0; k < phases && !(sub && world_rank == 0); k++)
            run_phase(name, factor, sub ? others : MPI_COMM_WORLD);
    }
    MPI_Comm_free(&others);
    MPI_Finalize();
    return 0;
}
