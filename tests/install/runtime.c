/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's program for the installed runtime library: the loop of the README, without computing. */
#include <heteroslice/hs_runtime.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    hs_context *context;
    hs_layout *layout;
    hs_params params = {.mode = HS_BALANCE_OFF};
    double *data;
    int64_t units = 0;
    MPI_Init(&argc, &argv);
    if (hs_init(MPI_COMM_WORLD, &params, &context, NULL) != HS_OK ||
        hs_layout_create(context, 30, 1, HS_FIXED, &layout) != HS_OK ||
        hs_layout_add_array(layout, sizeof *data, 1, (void **)&data) != HS_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int k = 0; k < 10; k++)
        hs_balance(layout);
    int64_t mine = hs_layout_slice(layout).count;
    int rank;
    MPI_Comm_rank(hs_comm(context), &rank);
    MPI_Reduce(&mine, &units, 1, MPI_INT64_T, MPI_SUM, 0, hs_comm(context));
    if (rank == 0)
        printf("%lld units\n", (long long)units);
    hs_finalize(&context);
    MPI_Finalize();
    return 0;
}
