/* SPDX-License-Identifier: BSD-3-Clause */
/* Without memory on one rank, whichever allocation fails, no rank of the node is bound. */
#include "runtime/bind/bind.h"
#include "tests/fail_in_turn.h"

/* @return on how many ranks binding has started */
static int start_and_stop(void)
{
    hs__binding_start(MPI_COMM_WORLD);
    int changes, started = hs__bind.due != INT64_MAX, sum;
    hs__array_fails = NULL;
    MPI_Allreduce(&started, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    REQUIRE(!started || hs__binding_cpus(&changes));
    hs__binding_stop();
    REQUIRE(hs__bind.due == INT64_MAX);
    return sum;
}

int main(int argc, char **argv)
{
    int failures = 0;
    MPI_Init(&argc, &argv);
    int size = world_size(), stride = size > 4 ? size - 1 : 1;
    if (start_and_stop() == 0) {
        if (world_rank() == 0)
            puts("skipped: nothing can be bound here");
        MPI_Finalize();
        return 77;
    }
    for (int victim = 0; victim < size; victim += stride)
        for (int n = 1, fired = 1; fired; n++) { /* without the first one the others do without this rank */
            countdown = world_rank() == victim ? n : -1;
            hs__array_fails = fails;
            int started = start_and_stop();
            fired = countdown < 0;
            MPI_Bcast(&fired, 1, MPI_INT, victim, MPI_COMM_WORLD);
            REQUIRE(started == (fired ? 0 : size));
            failures += fired;
        }
    REQUIRE(failures >= 8);
    MPI_Finalize();
    return 0;
}
