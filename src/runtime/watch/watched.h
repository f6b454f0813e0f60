/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_WATCHED_H
#define HS_RUNTIME_WATCH_WATCHED_H

/* What one thread of the process, the one that initialises MPI, calls: the time in each function, and the iterations in
 * the order of its calls. Functions are known by numbers. */

#include "runtime/watch/iterations.h"

typedef struct hs__function_time {
    int64_t count, ticks;
} hs__function_time;

enum { HS__FUNCTIONS = 512 }; /* their numbers are below */

/** Watch the calling thread from here on. */
void hs__watch(void);

/** Tell its calls to the timeline and to the call sites as well, where these are recorded. */
void hs__watch_closely(void);

/** A timed call of this thread ended after so many ticks in it; of a thread that is not watched only call sites are
 * told. polls: it is no part of an iteration, since how often a loop polls varies. caller: where the program goes on
 * after it. */
void hs__watch_note(int number, int64_t ticks, int polls, const void *caller);

/** Of the watched thread's functions; [HS__FUNCTIONS]. */
const hs__function_time *hs__watch_functions(void);

/** Calls in them all, each with two readings of the clock. */
int64_t hs__watch_calls(void);

/** The iterations up to now, asked by the watched thread. */
const hs__iterations *hs__watch_iterations(void);

#endif
