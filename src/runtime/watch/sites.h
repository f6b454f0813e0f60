/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_SITES_H
#define HS_RUNTIME_WATCH_SITES_H

/* Where the program calls from (HS_SITES): the time of each function by the place that called it. Calls of the watched thread
 * and of others are kept apart, since only the former are in the time of its functions: it has a table of its own, and the
 * others take turns at theirs.
 *
 * The memory is bounded: calls from places that come when it is full are counted and no more. */

#include <stdint.h>

/** Where the function that this stands in returns to. */
#define HS__CALLER __builtin_extract_return_addr(__builtin_return_address(0))

typedef struct hs__site {
    uintptr_t caller; /* what the call returns to */
    int number;       /* the function's */
    int other;        /* the calls are those of other threads than the watched one */
    int64_t calls, ticks;
} hs__site;

enum { HS__SITES_MAX = 1024, HS__SITE_SLOTS = 4 * HS__SITES_MAX }; /* places in a table; of both, half of them unused */

/** Begin to note. */
void hs__sites_start(void);

/** Note nothing from here on; for the watched thread. @return whether calls were noted */
int hs__sites_stop(void);

/** A call of the watched thread ended after so many ticks, noting or not. */
void hs__sites_call(int number, int64_t ticks, const void *caller);

/** The same of any other thread. */
void hs__sites_call_other(int number, int64_t ticks, const void *caller);

/** All sites, in no order, for when noting has stopped; [HS__SITE_SLOTS], unused ones have no calls. */
const hs__site *hs__sites_slots(void);

/** Calls of other sites. */
int64_t hs__sites_left_out(void);

#endif
