/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/handles.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>

/* Slots on the way to an entry must stay in use, or a search would end before it. */
enum { EMPTY, REMOVED, SMALLEST = 64 };

struct hs__handle_slots {
    size_t mask; /* there are mask + 1, a power of two */
    size_t used; /* that are not EMPTY: at most half of them, so that every search ends */
    hs__handle_slots *outgrown;
    hs__handle slot[];
};

static size_t place(const hs__handle_slots *s, uintptr_t handle)
{
    return (size_t)(((uint64_t)handle * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & s->mask;
}

static uintptr_t read_handle(const hs__handle *slot)
{
    return __atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE);
}

static void write_handle(hs__handle *slot, uintptr_t handle)
{
    __atomic_store_n(&slot->handle, handle, __ATOMIC_RELEASE);
}

/* The slot of the handle; else the one where its search ends, which is EMPTY. */
static size_t search(const hs__handle_slots *s, uintptr_t handle)
{
    size_t i = place(s, handle);
    for (uintptr_t there; (there = read_handle(&s->slot[i])) != EMPTY && there != handle;)
        i = (i + 1) & s->mask;
    return i;
}

const hs__handle *hs__handles_find(const hs__handles *table, uintptr_t handle)
{
    const hs__handle_slots *s = __atomic_load_n(&table->slots, __ATOMIC_ACQUIRE);
    if (!s)
        return NULL;
    const hs__handle *found = &s->slot[search(s, handle)];
    return read_handle(found) == handle ? found : NULL;
}

/* Of a handle that is not there. */
static void add(hs__handle_slots *s, const hs__handle *entry)
{
    size_t i = place(s, entry->handle);
    while (s->slot[i].handle != EMPTY && s->slot[i].handle != REMOVED)
        i = (i + 1) & s->mask;
    s->used += s->slot[i].handle == EMPTY;
    s->slot[i].kept = entry->kept;
    s->slot[i].bytes = entry->bytes;
    write_handle(&s->slot[i], entry->handle);
}

/* Whether every entry is found where its search ends, and as many slots are used as are counted. */
static int is_consistent(const hs__handle_slots *s)
{
    size_t used = 0;
    for (size_t i = 0; i <= s->mask; i++) {
        uintptr_t handle = s->slot[i].handle;
        used += handle != EMPTY;
        if (handle != EMPTY && handle != REMOVED && search(s, handle) != i)
            return 0;
    }
    return used == s->used && 2 * used <= s->mask + 1;
}

/* Doubles the room; the outgrown slots together are never more than the present ones. */
static int grow(hs__handles *table)
{
    hs__handle_slots *old = table->slots;
    size_t room = old ? 2 * (old->mask + 1) : SMALLEST;
    hs__handle_slots *s = hs__array_new(1, sizeof *s + room * sizeof s->slot[0]);
    if (!s)
        return -1;
    HS_ASSERT((room & (room - 1)) == 0);
    s->mask = room - 1;
    s->outgrown = old;
    for (size_t i = 0; old && i <= old->mask; i++)
        if (old->slot[i].handle != EMPTY && old->slot[i].handle != REMOVED)
            add(s, &old->slot[i]);
    HS_ASSERT(is_consistent(s) && (!old || is_consistent(old)));
    __atomic_store_n(&table->slots, s, __ATOMIC_RELEASE);
    return 0;
}

int hs__handles_put(hs__handles *table, const hs__handle *entry)
{
    hs__handle *known = (hs__handle *)hs__handles_find(table, entry->handle);
    if (known) {
        known->kept = entry->kept;
        known->bytes = entry->bytes;
        return 0;
    }
    if ((!table->slots || 2 * (table->slots->used + 1) > table->slots->mask) && grow(table) != 0)
        return -1;
    add(table->slots, entry);
    HS_ASSERT(2 * table->slots->used <= table->slots->mask + 1); /* so every search ends */
    HS_ASSERT(hs__handles_find(table, entry->handle)->kept == entry->kept);
    return 0;
}

/* Whether the search for some entry passes this slot. */
static int is_passed(const hs__handle_slots *s, size_t slot)
{
    for (size_t i = (slot + 1) & s->mask; s->slot[i].handle != EMPTY; i = (i + 1) & s->mask) {
        size_t passed = (i - place(s, s->slot[i].handle)) & s->mask;
        if (s->slot[i].handle != REMOVED && passed >= ((i - slot) & s->mask))
            return 1;
    }
    return 0;
}

void hs__handles_remove(hs__handles *table, uintptr_t handle)
{
    if (!hs__handles_find(table, handle))
        return;
    hs__handle_slots *s = table->slots;
    size_t i = search(s, handle);
    HS_ASSERT(handle != EMPTY && handle != REMOVED);
    write_handle(&s->slot[i], REMOVED);
    for (; s->slot[i].handle == REMOVED && !is_passed(s, i); i = (i - 1) & s->mask) {
        write_handle(&s->slot[i], EMPTY);
        s->used--;
    }
    HS_ASSERT(!hs__handles_find(table, handle));
}

void hs__handles_free(hs__handles *table)
{
    HS_ASSERT(!table->slots || is_consistent(table->slots));
    for (hs__handle_slots *s = table->slots, *outgrown; s; s = outgrown) {
        outgrown = s->outgrown;
        free(s);
    }
    *table = (hs__handles){0};
}
