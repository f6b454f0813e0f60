/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TIMELINE_EVENTS_H
#define HS_TIMELINE_EVENTS_H

/* What one thread of the process, the one that initialises MPI, did when (HS_TRACE). Only that thread calls what is here.
 *
 * The memory is bounded. When it is full, the shortest calls and phases are left out, those to come, too: what takes long is there
 * from the whole run. */

#include <stddef.h>
#include <stdint.h>

typedef enum hs__event_kind {
    HS__EVENT_CALL,    /* of MPI; number: the function's */
    HS__EVENT_PHASE,   /* marked by MPI_Pcontrol; number: the level */
    HS__EVENT_MOVE,    /* of a layout */
    HS__EVENT_DECISION /* whether to move, at one moment */
} hs__event_kind;

/** Of two that overlap one lies within the other, unless a phase was marked within a call. */
typedef struct hs__event {
    int64_t begun, ended; /* ticks; in files nanoseconds of rank 0's clock */
    int32_t kind, number;
    double now, best; /* of a decision: seconds a step, at present and with the best layout */
} hs__event;

enum { HS__EVENTS_MAX = 1 << 18 };

/** The process's events; events.c owns them. */
typedef struct hs__events {
    hs__event *event; /* [HS__EVENTS_MAX]; NULL while nothing is recorded */
    int64_t shortest; /* calls and phases of fewer ticks are left out */
    size_t n;
    int64_t left_out;
    int64_t phase_begun;
    int32_t phase; /* level of the one under way; 0: none */
} hs__events;

extern hs__events hs__events_self __attribute__((visibility("hidden")));

/** Begin to record. @return 0, or -1 when memory is out */
int hs__events_start(void);

/** Close the phase under way.
 * @return the events in the order of their begins, those that contain others first; the caller ends them by hs__events_free() */
hs__events *hs__events_stop(int64_t now);
void hs__events_free(void);

/** Add an event, recording or not. */
void hs__events_add(const hs__event *event);

/** A phase begins now, and the one before it ends. */
void hs__events_phase(int level, int64_t now);

/** A call ended that took so many ticks, recording or not. */
void hs__events_call(int number, int64_t ticks, int64_t ended);

#endif
