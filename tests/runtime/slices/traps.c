/* SPDX-License-Identifier: BSD-3-Clause */
/* A solver that traps exceptions of floating-point arithmetic, where the C library can, as after gfortran's -ffpe-trap: measured,
 * cut and balanced, none is trapped, and none of the library's is left to it. */
#define _GNU_SOURCE
#include "tests/mpi.h"
#include <fenv.h>

enum { ROWS = 1000, ROW_BYTES = 8, ITERATIONS = 60, TRAPPED = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

static void compute(void)
{
    double until = MPI_Wtime() + 2e-3 * (world_rank() % 2);
    while (MPI_Wtime() < until)
        continue;
}

int main(int argc, char **argv)
{
    hs_context *context;
    hs_layout *layout;
    double *rows;
    MPI_Init(&argc, &argv);
#ifdef __GLIBC__
    feenableexcept(TRAPPED);
#endif
    feclearexcept(FE_ALL_EXCEPT);
    REQUIRE(hs_init(MPI_COMM_WORLD, NULL, &context, NULL) == HS_OK);
    REQUIRE(hs_layout_create(context, ROWS, 1, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, ROW_BYTES, 1, (void **)&rows) == HS_OK);
    for (int k = 0; k < ITERATIONS; k++) {
        hs_compute_begin(layout);
        compute();
        hs_compute_end(layout);
        REQUIRE(hs_balance(layout) >= HS_OK);
    }
    REQUIRE(hs_finalize(&context) == HS_OK);
    REQUIRE(fetestexcept(TRAPPED) == 0);
#ifdef __GLIBC__
    REQUIRE(fegetexcept() == 0 || fegetexcept() == TRAPPED); /* 0: the processor traps none */
#endif
    MPI_Finalize();
    return 0;
}
