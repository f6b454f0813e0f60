/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/parked_buffer.h"
#include <stdatomic.h>
#include <stdlib.h>

typedef struct left {
    void *memory;
    struct left *next;
} left;

static _Atomic(left *) all_left;

void hs__park_buffer(void *memory, int under_way)
{
    if (!under_way) {
        free(memory);
        return;
    }
    left *one = memory ? malloc(sizeof *one) : NULL;
    if (!one)
        return;
    *one = (left){memory, atomic_load(&all_left)};
    while (!atomic_compare_exchange_weak(&all_left, &one->next, one))
        continue;
}
