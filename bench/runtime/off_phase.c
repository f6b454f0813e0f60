/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of a call of hs_balance(): between two decisions, and over all calls. Run: mpirun -n 2 off_phase. CSV. */
#include <heteroslice/hs_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 9, SAMPLE = 4096, SAMPLES = 10000 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nanoseconds a call: median and mean over samples of SAMPLE calls, the same number on every rank. */
static void measure(hs_layout *layout, double *median, double *mean)
{
    static double sample[SAMPLES];
    double begun = MPI_Wtime(), last = begun;
    for (int n = 0; n < SAMPLES; n++) {
        for (int k = 0; k < SAMPLE; k++)
            if (hs_balance(layout) < 0)
                MPI_Abort(MPI_COMM_WORLD, 1);
        double now = MPI_Wtime();
        sample[n] = (now - last) / SAMPLE * 1e9;
        last = now;
    }
    *mean = (last - begun) / SAMPLES / SAMPLE * 1e9;
    qsort(sample, SAMPLES, sizeof *sample, ascending);
    *median = sample[SAMPLES / 2];
}

int main(int argc, char **argv)
{
    hs_context *context;
    hs_layout *layout;
    double *data;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hs_params params = {.mode = HS_BALANCE_ON};
    if (hs_init(MPI_COMM_WORLD, &params, &context, NULL) < 0 ||
        hs_layout_create(context, 1000, 1, HS_FIXED, &layout) < 0 ||
        hs_layout_add_array(layout, sizeof *data, 1, (void **)&data) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        puts("repeat,off_phase_ns,mean_ns");
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double median, mean;
        measure(layout, &median, &mean);
        if (rank == 0)
            printf("%d,%.2f,%.2f\n", repeat, median, mean);
    }
    hs_finalize(&context);
    MPI_Finalize();
    return 0;
}
