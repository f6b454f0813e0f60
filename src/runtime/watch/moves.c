/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/moves.h"
#include <stdatomic.h>

static struct {
    _Atomic int64_t count, ns;
} self;

void hs__moves_add(int64_t ns)
{
    atomic_fetch_add_explicit(&self.count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&self.ns, ns, memory_order_relaxed);
}

hs__moves hs__moves_made(void)
{
    return (hs__moves){atomic_load_explicit(&self.count, memory_order_relaxed),
                       atomic_load_explicit(&self.ns, memory_order_relaxed)};
}
