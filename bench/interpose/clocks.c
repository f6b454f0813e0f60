/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks moments and says when they were: clocks MARKS. Each rank prints "RANK BEFORE AFTER", in nanoseconds of
 * CLOCK_MONOTONIC, for each phase that it begins, ten a second. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int argc, char **argv)
{
    int rank, marks = argc > 1 ? atoi(argv[1]) : 50;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < marks; k++) {
        usleep(100000);
        MPI_Pcontrol(17); /* its code and data are in the caches, so that the readings are close */
        long long before = now_ns();
        MPI_Pcontrol(16);
        printf("%d %lld %lld\n", rank, before, now_ns());
    }
    MPI_Finalize();
    return 0;
}
