/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_ITERATIONS_H
#define HS_RUNTIME_WATCH_ITERATIONS_H

/* Iterations of a program that says nothing: stretches of its MPI calls that repeat. A stretch counts when it stands
 * there at least three times in a row; of several periods the one that goes on longest is taken, of those the shortest.
 * Calls that ask whether something has come are no part of it, since their number changes from time to time. */

#include "util/speed_window.h"
#include <stddef.h>
#include <stdint.h>

enum {
    HS__EVENTS = 4096,       /* calls looked at together */
    HS__LONGEST_PERIOD = 512 /* calls of one iteration */
};

/** Ticks up to the end of a call, since some moment. */
typedef struct hs__clock_reading {
    int64_t compute; /* ticks computed */
    int64_t time;    /* ticks in all */
} hs__clock_reading;

/** Calls of the program. The numbers stand together, since they are what is searched. */
typedef struct hs__noted {
    size_t n;
    uint16_t call[HS__EVENTS]; /* which functions, and from where: equal for equal ones */
    hs__clock_reading reading[HS__EVENTS];
} hs__noted;

typedef struct hs__iterations {
    int64_t count;           /* iterations seen */
    int64_t compute, time;   /* ticks in them */
    int64_t period;          /* calls of one, of the longest stretch so far */
    int64_t longest;         /* calls of that stretch */
    int64_t drifts;          /* changes of compute time that a second reading confirmed */
    int pause, waits;        /* batches to leave out after batches without any, and how many of them are left */
    hs__speed_window window; /* compute ticks of one iteration */
    double first, last;      /* the same: of the first reading, of the last */
} hs__iterations;

/** Look through the calls in their order and add what repeats in them. Where nothing repeats, up to 15 of 16 batches
 * are left out.
 * Cost:       O(n) where all is repetition, at most O(n HS__LONGEST_PERIOD). */
void hs__iterations_scan(hs__iterations *it, const hs__noted *batch);

#endif
