/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_COUNTERS_H
#define HS_RUNTIME_BASE_COUNTERS_H

/* Hardware counters, from PAPI where build and machine have it, of the process's first thread: PAPI knows no other thread
 * unless the program has told it, and has no locks. PAPI lets one set of counters run at a time, so ours run no longer
 * than they must: while they do a program's own PAPI_start() fails, and while its own run ours count nothing. */

typedef struct hs__counters hs__counters;

/** What was counted between start and stop; 0 what was not. */
typedef struct hs__counted {
    double instructions, cycles;
} hs__counted;

/** @return NULL when there are none, or in another thread; to be closed */
hs__counters *hs__counters_open(void);

/** Nothing runs with NULL, or in another thread. */
void hs__counters_start(hs__counters *counters);

/** After a start, whether it succeeded or not. */
hs__counted hs__counters_stop(hs__counters *counters);

/** NULL: nothing. */
void hs__counters_close(hs__counters *counters);

#endif
