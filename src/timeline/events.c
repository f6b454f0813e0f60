/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/events.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>

/* Ticks: what the first events to be left out are shorter than. */
enum { FIRST_SHORTEST = 256 };

hs__events hs__events_self;

int hs__events_start(void)
{
    hs__events *self = &hs__events_self;
    self->event = hs__array_new(HS__EVENTS_MAX, sizeof *self->event);
    return self->event ? 0 : -1;
}

/* Moves and decisions are few, and stay. */
static int is_too_short(const hs__events *self, const hs__event *e)
{
    return (e->kind == HS__EVENT_CALL || e->kind == HS__EVENT_PHASE) && e->ended - e->begun < self->shortest;
}

static void leave_out(hs__events *self)
{
    size_t kept = 0;
    for (size_t k = 0; k < self->n; k++)
        if (!is_too_short(self, &self->event[k]))
            self->event[kept++] = self->event[k];
    self->left_out += (int64_t)(self->n - kept);
    self->n = kept;
}

/* Until half of the memory is free, or all calls and phases are gone. */
static void make_room(hs__events *self)
{
    while (self->n > HS__EVENTS_MAX / 2 && self->shortest < INT64_MAX / 2) {
        self->shortest = self->shortest > 0 ? 2 * self->shortest : FIRST_SHORTEST;
        leave_out(self);
    }
}

void hs__events_add(const hs__event *event)
{
    hs__events *self = &hs__events_self;
    if (!self->event)
        return;
    HS_ASSERT(event->begun <= event->ended && self->n <= HS__EVENTS_MAX);
    if (self->n == HS__EVENTS_MAX)
        make_room(self);
    if (self->n < HS__EVENTS_MAX && !is_too_short(self, event))
        self->event[self->n++] = *event;
    else
        self->left_out++;
}

void hs__events_call(int number, int64_t ticks, int64_t ended)
{
    hs__events_add(&(hs__event){.begun = ended - ticks, .ended = ended, .kind = HS__EVENT_CALL, .number = number});
}

void hs__events_phase(int level, int64_t now)
{
    hs__events *self = &hs__events_self;
    if (self->phase)
        hs__events_add(
            &(hs__event){.begun = self->phase_begun, .ended = now, .kind = HS__EVENT_PHASE, .number = self->phase});
    self->phase = level;
    self->phase_begun = now;
}

static int by_begin(const void *a, const void *b)
{
    const hs__event *x = a, *y = b;
    if (x->begun != y->begun)
        return x->begun < y->begun ? -1 : 1;
    if (x->ended != y->ended)
        return x->ended > y->ended ? -1 : 1;
    return y->kind - x->kind;
}

hs__events *hs__events_stop(int64_t now)
{
    hs__events *self = &hs__events_self;
    hs__events_phase(0, now);
    if (self->event)
        qsort(self->event, self->n, sizeof *self->event, by_begin);
    return self;
}

void hs__events_free(void)
{
    free(hs__events_self.event);
    hs__events_self = (hs__events){0};
}
