/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_FAIL_IN_TURN_H
#define HS_TESTS_FAIL_IN_TURN_H

/* Allocations of a call fail in turn, on every rank (of seven: on the first and the last): all ranks get the same status.
 * Every one of the first THOROUGH fails; of the thousands that planners make after them, samples do, ever farther apart. */

#include "tests/mpi.h"
#include "util/array.h"

enum { THOROUGH = 30 };

/* Allocations of this rank until one fails; < 0: none does. */
static int countdown = -1;

static inline int fails(void)
{
    return countdown >= 0 && countdown-- == 0;
}

/* All ranks have the same status. */
static inline int same_everywhere(hs_status status)
{
    int own = status, lowest, highest;
    MPI_Allreduce(&own, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return lowest == highest;
}

/* Calls again and again, with a later allocation each time, until none is left to fail. @return how many calls failed */
static inline int fail_in_turn(const char *name, hs_status (*call)(void *), void *argument)
{
    int failures = 0, size = world_size(), step = size > 4 ? size - 1 : 1;
    for (int victim = 0; victim < size; victim += step)
        for (int n = 0, fired = 1; fired; n += 1 + n / THOROUGH) {
            countdown = world_rank() == victim ? n : -1;
            hs__array_fails = fails;
            hs_status status = call(argument);
            hs__array_fails = NULL;
            fired = countdown < 0;
            MPI_Bcast(&fired, 1, MPI_INT, victim, MPI_COMM_WORLD);
            int same = same_everywhere(status);
            if (!same)
                fprintf(stderr, "%s, allocation %d of rank %d: rank %d got %d\n", name, n, victim, world_rank(),
                        status);
            REQUIRE(same);
            REQUIRE(status == HS_OK || (fired && status == HS_ERR_NOMEM));
            failures += status != HS_OK;
        }
    return failures;
}

#endif
