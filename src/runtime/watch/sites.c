/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/sites.h"
#include "util/assert.h"
#include "util/hash.h"
#include <pthread.h>

/* The process. Two hash tables, the watched thread's first, then that of the others; at most half of their slots are used. */
enum { SLOTS = HS__SITE_SLOTS / 2 };

static struct {
    _Atomic int noted;
    pthread_mutex_t turn; /* at the table of the others */
    int n[2];
    int64_t left_out[2];
    hs__site slot[HS__SITE_SLOTS];
} self = {.turn = PTHREAD_MUTEX_INITIALIZER};

void hs__sites_start(void)
{
    self.noted = 1;
}

int hs__sites_stop(void)
{
    pthread_mutex_lock(&self.turn);
    int noted = self.noted;
    self.noted = 0;
    pthread_mutex_unlock(&self.turn);
    return noted;
}

/* Its slot, or the one for it. A place that calls by a pointer may call several functions. */
static inline hs__site *find(int number, uintptr_t caller, int other)
{
    hs__site *slot = &self.slot[other * SLOTS];
    size_t k = hs__hash_spread(caller ^ (uint64_t)number << 48) % SLOTS;
    while (slot[k].calls > 0 && (slot[k].caller != caller || slot[k].number != number))
        k = (k + 1) % SLOTS;
    return &slot[k];
}

/* Apart, so that a call from a known place needs no stack frame. */
static __attribute__((noinline)) void add_first(hs__site *site, int number, int64_t ticks, uintptr_t caller, int other)
{
    HS_ASSERT(self.n[other] <= HS__SITES_MAX);
    if (self.n[other] == HS__SITES_MAX) {
        self.left_out[other]++;
        return;
    }
    self.n[other]++;
    *site = (hs__site){.caller = caller, .number = number, .other = other, .calls = 1, .ticks = ticks};
}

static inline void add(int number, int64_t ticks, uintptr_t caller, int other)
{
    hs__site *site = find(number, caller, other);
    if (site->calls > 0) {
        site->calls++;
        site->ticks += ticks;
    } else
        add_first(site, number, ticks, caller, other);
}

void hs__sites_call(int number, int64_t ticks, const void *caller)
{
    if (self.noted)
        add(number, ticks, (uintptr_t)caller, 0);
}

void hs__sites_call_other(int number, int64_t ticks, const void *caller)
{
    if (!self.noted)
        return;
    pthread_mutex_lock(&self.turn);
    if (self.noted)
        add(number, ticks, (uintptr_t)caller, 1);
    pthread_mutex_unlock(&self.turn);
}

const hs__site *hs__sites_slots(void)
{
    return self.slot;
}

int64_t hs__sites_left_out(void)
{
    return self.left_out[0] + self.left_out[1];
}
