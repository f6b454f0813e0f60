/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_REPEAT_H
#define HS_RUNTIME_WATCH_REPEAT_H

/* Calls that come again as they came. Programs repeat their calls from iteration to iteration, down to the arguments.
 * Where they do so in a hurry (see hurry.c), the next one is expected, and a call that is the expected one costs a few
 * comparisons: it is counted, noted, and accounted for with all others when the clock is read again, or when something
 * else comes. So nothing is lost but one thing: a call that fails counts like one that goes well.
 *
 * The watched thread only. */

#include "runtime/watch/monitor.h"

enum {
    HS__MOST_EXPECTED = 256, /* calls between two readings of the clock */
    HS__LEAST_EXPECTED = 16
};

/** A call of the program. */
struct hs__expected {
    int call;             /* its number in calls.txt and 1; 0: no call is like this one */
    int to, count;        /* of its message, as for hs__traffic_send() */
    uintptr_t comm, type; /* the handles the program gave */
};

/** Whether this call, whose arguments tell nothing, is expected; then it is counted. */
HS__ALWAYS_INLINE int hs__repeat_comes_again(int call)
{
    const hs__expected *e = hs__monitor_self.next;
    if (__builtin_expect(e->call != call, 0))
        return 0;
    hs__monitor_self.next = e + 1;
    return 1;
}

/** The same down to the arguments. */
HS__ALWAYS_INLINE int hs__repeat_comes(int call, int to, int count, uintptr_t comm, uintptr_t type)
{
    const hs__expected *e = hs__monitor_self.next;
    if (__builtin_expect(e->comm != comm || e->type != type || e->count != count || e->to != to, 0))
        return 0;
    return hs__repeat_comes_again(call);
}

/** What is told of a call that came as expected, when nothing is expected any more: what it was recorded with, and how
 * often it came. */
extern void (*hs__repeat_told)(void *account, int64_t bytes, int64_t times);

/** A call that was not expected, when calls are recorded. account: where its messages count, if they do, bytes: of one;
 * both are as good for all that come again, whatever becomes of the handles. */
void hs__repeat_record(const hs__expected *call, void *account, int64_t bytes);

/** What is recorded is not what will come again: a call whose message may be another size next time, for instance. */
void hs__repeat_do_not_record(void);

#endif
