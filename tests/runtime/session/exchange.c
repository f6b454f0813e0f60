/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that travel while the program goes on, and whose layout is freed or finalized meanwhile. */
#include "tests/mpi.h"

enum { UNITS = 100 };

/* The first step of a layout begins an exchange, which the second one would end. */
static hs_layout *begin_exchange(hs_context *context, double **data)
{
    hs_layout *layout;
    REQUIRE(hs_layout_create(context, UNITS, 1, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, sizeof **data, 1, (void **)data) == HS_OK);
    if (world_rank() == 0)
        usleep(2000); /* the others' records wait */
    REQUIRE(hs_balance(layout) == HS_UNCHANGED);
    return layout;
}

int main(int argc, char **argv)
{
    hs_context *context;
    hs_layout *layout;
    double *data, *other;
    MPI_Init(&argc, &argv);
    hs_params params = fake_hosts(HS_BALANCE_ON);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    for (int k = 0; k < 20; k++) {
        layout = begin_exchange(context, &data);
        hs_layout_free(layout);
    }
    layout = begin_exchange(context, &data);
    for (int k = 0; k < 50; k++)
        REQUIRE(hs_balance(layout) >= 0);
    REQUIRE(hs_layout_slice(layout).count > 0);
    layout = begin_exchange(context, &other);
    hs_layout_free(layout);
    REQUIRE(hs_finalize(&context) == HS_OK);

    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    begin_exchange(context, &data);
    REQUIRE(hs_finalize(&context) == HS_OK);
    REQUIRE(data == NULL);
    forget_hosts(&params);
    MPI_Finalize();
    return 0;
}
