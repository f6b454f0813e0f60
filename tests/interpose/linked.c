/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is linked to the library, and may be started with it preloaded as well. */
#include <heteroslice/hs_runtime.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    hs_context *context;
    hs_layout *layout;
    double *data;
    int rank, calls = 0;
    MPI_Init(&argc, &argv);
    calls++, MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hs_params params = {.probe_budget = 0.05};
    int failed = hs_init(MPI_COMM_WORLD, &params, &context, NULL) < 0 ||
                 hs_layout_create(context, 100, 1, HS_FIXED, &layout) < 0 ||
                 hs_layout_add_array(layout, sizeof *data, 1, (void **)&data) < 0;
    for (int k = 0; k < 50 && !failed; k++) {
        calls++, MPI_Barrier(hs_comm(context));
        failed = hs_balance(layout) < 0;
    }
    if (failed)
        MPI_Abort(MPI_COMM_WORLD, 1);
    hs_finalize(&context);
    printf("rank %d of 2: %d calls\n", rank, calls);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
