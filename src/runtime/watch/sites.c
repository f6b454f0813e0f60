/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/sites.h"
#include "util/assert.h"
#include "util/hash.h"
#include <pthread.h>

/* The process. A hash table; at most half of the slots are used. */
static struct {
    _Atomic int noted;
    pthread_mutex_t turn; /* for what follows */
    int n;
    int64_t left_out;
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

static int is_same(const hs__site *a, const hs__site *b)
{
    return a->caller == b->caller && a->number == b->number && a->other == b->other;
}

/* Its slot, or the one for it. A place that calls by a pointer may call several functions. */
static hs__site *find(const hs__site *wanted)
{
    size_t k = hs__hash_spread(wanted->caller ^ (uint64_t)wanted->number << 48) % HS__SITE_SLOTS;
    while (self.slot[k].calls > 0 && !is_same(&self.slot[k], wanted))
        k = (k + 1) % HS__SITE_SLOTS;
    return &self.slot[k];
}

static void add(const hs__site *call)
{
    hs__site *site = find(call);
    if (site->calls == 0 && self.n == HS__SITES_MAX) {
        self.left_out++;
        return;
    }
    if (site->calls == 0) {
        self.n++;
        *site = *call;
        return;
    }
    site->calls++;
    site->ticks += call->ticks;
}

void hs__sites_call(int number, int64_t ticks, const void *caller, int other)
{
    if (!self.noted)
        return;
    pthread_mutex_lock(&self.turn);
    if (self.noted)
        add(&(hs__site){.caller = (uintptr_t)caller, .number = number, .other = other, .calls = 1, .ticks = ticks});
    HS_ASSERT(self.n <= HS__SITES_MAX);
    pthread_mutex_unlock(&self.turn);
}

const hs__site *hs__sites_slots(void)
{
    return self.slot;
}

int64_t hs__sites_left_out(void)
{
    return self.left_out;
}
