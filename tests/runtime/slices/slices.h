/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_SLICES_H
#define HS_TESTS_SLICES_H

/* Moves that a test asks for, iterations whose seconds it tells, and allocations that fail in turn. For programs linked
 * with -Wl,--wrap=clock_gettime. */

#include "runtime/slices/move.h"
#include "tests/clock.h"
#include "tests/fail_in_turn.h"
#include "tests/mpi.h"
#include "util/random.h"

enum { MOST_RANKS = 64 };

/* The same on all ranks from the same seed; ranks without units are there, too. */
static inline void random_slices(hs__random *random, int size, int64_t units, int64_t *count)
{
    int64_t left = units;
    for (int r = 0; r < size; r++)
        count[r] = 0;
    for (int n = 0; left > 0; n++) {
        int64_t more = n == 2 * size ? left : hs__random_below(random, left + 1);
        count[hs__random_below(random, size)] += more;
        left -= more;
    }
}

/* Move to the present slices in the reverse order of ranks; slices are those, or on failure what they were. */
static inline hs_status move_reversed(void *argument)
{
    hs_layout *layout = argument;
    int64_t count[MOST_RANKS], before[MOST_RANKS];
    int size = layout->context->size;
    memcpy(before, layout->count, (size_t)size * sizeof *before);
    for (int r = 0; r < size; r++)
        count[r] = before[size - 1 - r];
    hs_status status = hs__move(layout, count);
    REQUIRE(memcmp(layout->count, status == HS_OK ? count : before, (size_t)size * sizeof *count) == 0);
    return status;
}

/* An iteration in which this rank computes for so many seconds, and no rank is ahead. */
static inline hs_status step_in_time(hs_layout *layout, double seconds)
{
    hs_compute_begin(layout);
    clock_pass(seconds);
    hs_compute_end(layout);
    clock_meet();
    hs_status status = hs_balance(layout);
    REQUIRE(status == HS_OK || status == HS_UNCHANGED);
    return status;
}

#endif
