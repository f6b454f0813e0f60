/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/pointers.h"
#include "util/assert.h"
#include <string.h>

/* How many arrays like array a point to what it was given. */
static int64_t count_holders(hs__pointer_of *pointer, const void *layout, size_t n, size_t a)
{
    hs__pointer own = pointer(layout, a);
    int64_t holders = 0;
    for (size_t b = 0; b < n; b++) {
        hs__pointer other = pointer(layout, b);
        holders += other.now == own.given && memcmp(other.like, own.like, sizeof own.like) == 0;
    }
    HS_ASSERT(holders >= (own.now == own.given));
    return holders;
}

int hs__pointers_hold(hs__pointer_of *pointer, const void *layout, size_t n, size_t a)
{
    hs__pointer own = pointer(layout, a);
    return own.now == own.given || count_holders(pointer, layout, n, a) > 0;
}

hs_status hs__pointers_check(hs_context *context, const char *noun, hs__pointer_of *pointer, const void *layout,
                             size_t n)
{
    int swapped = 0;
    for (size_t a = 0; a < n && !swapped; a++)
        swapped = pointer(layout, a).given && pointer(layout, a).now != pointer(layout, a).given;
    for (size_t a = 0; a < n && swapped; a++) {
        hs__pointer own = pointer(layout, a);
        int64_t holders = own.given ? count_holders(pointer, layout, n, a) : 1;
        if (holders != 1)
            return hs__context_fail(
                context, HS_ERR_ARG,
                "the program changed pointers: %lld like that of %s %zu point to what this was given, "
                "%p, expected 1: they may only be swapped",
                (long long)holders, noun, a, own.given);
    }
    return HS_OK;
}
