/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_WAITING_H
#define HS_INTERPOSE_WAITING_H

/* Blocking calls that pause while they wait. Where nothing has to be shared nothing is replaced, so that it costs
 * nothing. Open MPI can be told to call sched_yield each time it has looked in vain, and yield.c pauses there. For
 * other libraries, and for programs that are linked to this one, calls become their twins that do not block; collective
 * calls on all ranks or on none, because the two do not match. */

#include "interpose/forward.h"
#include "runtime/base/waiting.h"
#include "runtime/watch/monitor.h"
#include <mpi.h>

/** A call that can wait politely. */
typedef struct hs__waiting_call {
    hs__function polite;   /* NULL: this call cannot */
    hs__function blocking; /* what it stands in front of, once it is in use */
    int is_collective;
} hs__waiting_call;

/* Of wrap_waiting.c: one entry a function of calls.txt. */
extern hs__waiting_call hs__waiting_calls[];

/** Whether this rank's messages, and all ranks' collective calls, wait politely. */
extern int hs__waiting_messages, hs__waiting_collectives;

/** What a thread waits in. */
typedef struct hs__waiting_place {
    uintptr_t frame; /* of the outermost call that may wait, as in runtime/watch/monitor.h; 0 when none is under way */
    hs__pause pause;
} hs__waiting_place;

extern __thread hs__waiting_place hs__waiting_self __attribute__((tls_model("initial-exec")));

HS__ALWAYS_INLINE void hs__waiting_begin(void)
{
    hs__waiting_place *place = &hs__waiting_self;
    if (!hs__waiting_in_yield || hs__monitor_frame() < place->frame)
        return;
    place->frame = hs__monitor_frame();
    place->pause.begun = 0;
    place->pause.looks = 0;
}

HS__ALWAYS_INLINE void hs__waiting_end(void)
{
    if (hs__waiting_in_yield && hs__waiting_self.frame == hs__monitor_frame())
        hs__waiting_self.frame = 0;
}

/** Choose, by HS_WAIT or, when preloaded, by how many ranks share a processor, and replace calls where there is need.
 * At the end of MPI_Init; collective. */
void hs__waiting_take(int preloaded);

/** Before MPI is finalized. */
void hs__waiting_leave(void);

/** Whether all ranks of a communicator began with this program: others may have chosen otherwise. */
int hs__waiting_all_here(MPI_Comm comm);

#endif
