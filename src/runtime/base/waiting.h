/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_WAITING_H
#define HS_RUNTIME_BASE_WAITING_H

/* How to wait for a message where ranks share cores or a quota. MPI libraries look again and again, which takes the
 * time of the rank that is waited for; here a look is followed by a pause. */

#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stdint.h>

typedef enum hs__waiting_mode {
    HS__WAITING_POLL,  /* look again at once */
    HS__WAITING_YIELD, /* let others run that are ready */
    HS__WAITING_SLEEP  /* sleep, longer and longer */
} hs__waiting_mode;

/** How many ranks of a communicator share how many processors of this host. */
typedef struct hs__waiting_room {
    int ranks;
    double processors; /* cores they are bound to, no more than their control groups' quotas give; may be a fraction */
} hs__waiting_room;

/** Count; collective over comm. @return HS_OK; HS_ERR_MPI; HS_ERR_NOMEM */
hs_status hs__waiting_count(MPI_Comm comm, hs__waiting_room *room);

/** How this process waits from now on. A nap is an eighth of the time waited so far, or up to a quarter where a
 * processor has to carry many ranks, but at most 50 us for each rank a processor has to carry, within 0.1 and 1 ms.
 * Before the first nap others are let run for 20 us; for 400 us as long as answers use to come within these, which is
 * so where ranks exchange many short messages: naps would make every such wait as long as a nap. */
void hs__waiting_set(hs__waiting_mode mode, const hs__waiting_room *room);

/** Open MPI can be told to call sched_yield each time it has looked in vain: tell it so, and pause there when the mode
 * is to sleep. @return whether it is that library */
int hs__waiting_make_yield(void);

/** Calls that wait pause in sched_yield and in ucp_worker_progress. */
extern int hs__waiting_in_yield;

/** The library was seen to look by ucp_worker_progress, as MPICH on UCX does. */
extern int hs__waiting_sees_looks;

/** Whether nothing is left to compute for this process. Meanwhile it sleeps in calls that wait, if the library can be
 * told to yield or is seen to look, and HS_WAIT leaves the choice. */
void hs__waiting_rest(int resting);

/** One wait: begins as all zeros. */
typedef struct hs__pause {
    int64_t begun; /* nanoseconds of the wall clock; 0: has not paused yet */
    int64_t eager; /* so long others are let run before the first nap */
    int looks;     /* in vain, before the first nap */
} hs__pause;

/** Pause after a look that found nothing; any thread. */
void hs__pause_once(hs__pause *pause);

/* The clock is read after so many looks, since most waits have fewer, until the first nap. */
enum { HS__UNTIMED_LOOKS = 4 };

/** Whether the pause after another look, for a process that sleeps in sched_yield, is nothing but to let others run. */
static inline int hs__pause_yields(hs__pause *pause)
{
    return ++pause->looks % HS__UNTIMED_LOOKS != 0;
}

/** The pause after any other look. */
void hs__pause_longer(hs__pause *pause);

#endif
