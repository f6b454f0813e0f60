/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/sites.h"
#include "util/assert.h"
#include "util/hash.h"

/* The process. A hash table; at most half of the slots are used. */
static struct {
    int noted, n;
    int64_t left_out;
    hs__site slot[HS__SITE_SLOTS];
} self;

void hs__sites_start(void)
{
    self.noted = 1;
}

int hs__sites_noted(void)
{
    return self.noted;
}

/* Its slot, or the one for it. A place that calls by a pointer may call several functions. */
static hs__site *find(uintptr_t caller, int number)
{
    size_t k = hs__hash_spread(caller ^ (uint64_t)number << 48) % HS__SITE_SLOTS;
    while (self.slot[k].calls > 0 && (self.slot[k].caller != caller || self.slot[k].number != number))
        k = (k + 1) % HS__SITE_SLOTS;
    return &self.slot[k];
}

void hs__sites_call(int number, int64_t ticks, const void *caller)
{
    if (!self.noted)
        return;
    hs__site *site = find((uintptr_t)caller, number);
    if (site->calls == 0 && self.n == HS__SITES_MAX) {
        self.left_out++;
        return;
    }
    if (site->calls == 0) {
        self.n++;
        *site = (hs__site){.caller = (uintptr_t)caller, .number = number};
    }
    site->calls++;
    site->ticks += ticks;
    HS_ASSERT(self.n <= HS__SITES_MAX);
}

const hs__site *hs__sites_slots(void)
{
    return self.slot;
}

int64_t hs__sites_left_out(void)
{
    return self.left_out;
}
