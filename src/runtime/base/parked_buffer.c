/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/parked_buffer.h"
#include <stdatomic.h>
#include <stdlib.h>

typedef struct parked {
    void *memory;
    struct parked *next;
} parked;

static _Atomic(parked *) all_parked;

void hs__park_buffer(void *memory, int under_way)
{
    if (!under_way) {
        free(memory);
        return;
    }
    parked *one = memory ? malloc(sizeof *one) : NULL;
    if (!one)
        return;
    *one = (parked){memory, atomic_load(&all_parked)};
    while (!atomic_compare_exchange_weak(&all_parked, &one->next, one))
        continue;
}
