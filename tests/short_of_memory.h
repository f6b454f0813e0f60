/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_SHORT_OF_MEMORY_H
#define HS_TESTS_SHORT_OF_MEMORY_H

/* Allocations that fail, in unit tests. What a failed call does not free is for the sanitizers to see. */

#include "tests/unit.h"
#include "util/array.h"
#include <heteroslice/hs_status.h>

/** Allocations until one fails. */
static int allocations_left;

static inline int allocation_fails(void)
{
    return allocations_left-- == 0;
}

/** From now on `n` allocations succeed and the next one fails, until memory_is_back(). */
static inline void memory_lasts(int n)
{
    allocations_left = n;
    hs__array_fails = allocation_fails;
}

/** @return whether an allocation has failed */
static inline int memory_is_back(void)
{
    hs__array_fails = NULL;
    return allocations_left < 0;
}

/** Calls again and again, each allocation failing in turn: every time HS_ERR_NOMEM is the answer, and in the end HS_OK or
 * HS_UNCHANGED. @return how many allocations the call makes */
static inline int fail_each_allocation(hs_status (*call)(const void *), const void *argument)
{
    for (int n = 0;; n++) {
        memory_lasts(n);
        hs_status status = call(argument);
        if (!memory_is_back()) {
            assert_true(status >= HS_OK);
            return n;
        }
        assert_int_equal(status, HS_ERR_NOMEM);
    }
}

#endif
