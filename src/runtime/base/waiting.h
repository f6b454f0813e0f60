/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_WAITING_H
#define HS_RUNTIME_BASE_WAITING_H

/* How MPI calls wait (HS_WAIT). MPI libraries poll for messages, which takes the time of the rank that is waited for
 * where ranks share cores or a quota. Here a poll that found nothing is followed by a pause, in a function that the
 * library calls anyway (src/interpose/yield.c). No call is replaced and nothing is communicated: each rank decides
 * alone, and its partners need not have this library. */

#include <stdint.h>

typedef enum hs__waiting_mode {
    HS__WAITING_POLL,  /* as the library does */
    HS__WAITING_YIELD, /* let others run that are ready */
    HS__WAITING_SLEEP  /* back off as in util/backoff.h */
} hs__waiting_mode;

/** How this process waits; owned by waiting.c. */
typedef struct hs__waiting_state {
    _Atomic hs__waiting_mode mode;
    _Atomic int pauses;       /* calls that wait pause in sched_yield and in ucp_worker_progress */
    _Atomic int polls_by_ucx; /* the library was seen to poll by ucp_worker_progress, as MPICH on UCX does */
} hs__waiting_state;

extern hs__waiting_state hs__waiting;

/** What the calling thread waits for. */
typedef struct hs__waiting_call {
    uintptr_t frame; /* of the outermost call that may wait, as in runtime/watch/monitor.h; 0 when none is under way */
    int quiet_polls; /* in a row that found nothing */
    int64_t quiet_since; /* hs__ticks() when the clock was first looked at after one of them */
    int polls;           /* since the last of them, if they are counted */
} hs__waiting_call;

extern __thread hs__waiting_call hs__waiting_self __attribute__((tls_model("initial-exec")));

/** Choose by HS_WAIT, or, when preloaded, by how many ranks share the processors of this host, and begin. At the end of
 * MPI_Init. */
void hs__waiting_start(int preloaded);

/** Before MPI is finalized. */
void hs__waiting_stop(void);

/** The number of this process's layouts, and of those in which it has units, changes. While it has layouts but no units
 * it has nothing to compute, and sleeps in calls that wait, if HS_WAIT leaves the choice. Any thread. */
void hs__waiting_count_layouts(int layouts, int with_units);

/** After a poll of the calling thread that found nothing: nap, when it is time to. @return whether it was; else let others run */
int hs__waiting_nap(void);

#endif
