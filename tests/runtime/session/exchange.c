/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that travel while the program goes on, and whose layout is freed or finalized meanwhile; what is sent in pieces. */
#include "runtime/session/messages.h"
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

/* Small units share a piece; a unit that is larger than one goes alone. */
static void units_go_in_pieces(hs_context *context)
{
    hs__messages messages = {.context = context};
    MPI_Datatype large;
    MPI_Type_contiguous(1 << 25, MPI_BYTE, &large);
    REQUIRE(hs__messages_plan(&messages, 1000, MPI_DOUBLE, 0, HS__SEND) == HS_OK && messages.planned == 1);
    REQUIRE(hs__messages_plan(&messages, 3, large, 0, HS__SEND) == HS_OK && messages.planned == 1 + 3);
    REQUIRE(hs__messages_plan(&messages, 1 << 23, MPI_DOUBLE, 0, HS__SEND) == HS_OK && messages.planned > 1 + 3 + 1);
    MPI_Type_free(&large);
    hs__messages_free(&messages);
}

int main(int argc, char **argv)
{
    hs_context *context;
    hs_layout *layout;
    double *data, *other;
    MPI_Init(&argc, &argv);
    hs_params params = fake_hosts(HS_BALANCE_ON);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    units_go_in_pieces(context);
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
