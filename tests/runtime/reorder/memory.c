/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that runs out while ranks are put in another order: the order stays, on all ranks, and nothing is freed twice. */
#include "tests/fail_in_turn.h"

#include "runtime/reorder/reorder.h"

static hs_status reorder(void *nothing)
{
    hs__reorder_world();
    return HS_OK;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    REQUIRE(fail_in_turn("hs__reorder_world", reorder, NULL) == 0);
    MPI_Finalize();
    return 0;
}
