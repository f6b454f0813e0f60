/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_MONITOR_H
#define HS_RUNTIME_WATCH_MONITOR_H

/* Where the time of a thread goes: inside MPI (and this library), or outside, which is computing. The wrappers of
 * src/interpose call enter and leave; so does the library at its own doors. Nothing is allocated and nothing is locked.
 *
 * A call inside a call is not seen: the outermost one remembers the stack frame it stands in, and whoever enters from a
 * deeper frame is inside it. A call that never came back, because an error handler threw an exception or jumped, is
 * forgotten as soon as its own frame or one above enters; a depth counter would stay wrong for ever. Enter and leave of
 * one call must therefore stand in one function. Stacks grow downwards on every machine MPI runs on. */

#include "runtime/base/ticks.h"
#include "runtime/watch/iterations.h"
#include <stdint.h>

typedef struct hs__monitor_times {
    int64_t compute_ns; /* outside MPI since the thread's first call, the present stretch included */
    int64_t mpi_ns;     /* inside */
    int64_t wait_ns;    /* of that, in calls that may not return before others have acted */
    int64_t calls;      /* of the program; calls made by the MPI library or this one inside another do not count */
} hs__monitor_times;

typedef struct hs__expected hs__expected; /* see repeat.h */

typedef struct hs__monitor {
    const hs__expected *next;         /* the call that is expected next; &hs__nothing_expected: none is */
    const hs__expected *yielded_from; /* what was expected when the yields below began; NULL: another call's */
    uintptr_t inside;                 /* frame of the outermost call under way; 0 when none is */
    unsigned yields;                  /* looks in vain after which others were let run, in this call or round */
    int hurried;                      /* readings are left out, see hurry.c */
    int64_t calls;
    int64_t least_wait, least_send; /* calls numbered below these may go by without a reading; 0 when not hurried */
    uint16_t *note, *last_note;     /* where the next call is noted, and the last place; NULL: calls are not noted */
    int recording;                  /* calls are recorded, so that they can be expected */
    const hs__expected *counted;    /* up to here those that came are counted */
    int64_t compute, mpi, wait;     /* ticks */
    int64_t since;                  /* ticks at the last reading; 0 before the first call */
    int64_t round;                  /* when the last call that waits began */
    int yielded;                    /* there were such in the present row of short rounds */
    int rounds;                     /* short ones in a row, or, when hurried, readings that are left */
    int blind;                      /* the last long wait was not looked at */
    int64_t looked_at, settled_at;  /* the call of the last look; of the last one that began or looked with a reading */
    int looks;                      /* in it */
    int64_t hurried_call;           /* see hs__monitor_hurried_call() */
    int64_t unseen;                 /* the last call that came as expected, whose end nobody sees; -1: none */
    int64_t few_looked;             /* when these were a few */
    int64_t settled;                /* calls at the last reading when hurried */
    int64_t inferred;               /* ticks said to be computing since nobody saw them waiting */
    int64_t pace;                   /* ticks a call, of the row of short rounds that hurrying began with */
    int64_t mpi_share, wait_share;  /* of a short stretch, in 1 / 65536 */
    int64_t first_calls, first_compute, first_mpi, first_wait; /* when the present row of short rounds began */
} __attribute__((aligned(64))) hs__monitor;

extern __thread hs__monitor hs__monitor_self __attribute__((tls_model("initial-exec")));
extern int hs__monitor_on;
extern hs__noted hs__monitor_batch; /* of the watched thread */

/** The batch of noted calls is full: look through it and begin another. */
void hs__monitor_scan(void);

/* ---- Calls that are expected, see repeat.h ---- */

extern hs__expected hs__nothing_expected __attribute__((visibility("hidden"))); /* nobody writes to it */

/** The calls up to now. */
int64_t hs__monitor_calls(const hs__monitor *m);

/** A call is not the one expected. It may be the first one of the next pass, or else none is expected any more. */
void hs__repeat_turn(hs__monitor *m, int call);

/** None is expected any more: what came is counted, noted and told. */
void hs__repeat_end(hs__monitor *m);

/** The same while the last one that came is under way. */
void hs__repeat_interrupt(hs__monitor *m);

/** The clock is read in a hurry, in a call that waits: begin to record calls, or to expect those recorded. */
void hs__repeat_consider(hs__monitor *m);

/* ---- Calls in a hurry, see hurry.c ---- */

enum {
    HS__SHORT_ROUND = 6000,   /* ticks */
    HS__SHORT_YIELD = 100000, /* ticks more for each of the first times that others were let run */
    HS__LONG_WAIT = 3000000,  /* ticks */
    HS__SHORT_ROUNDS = 64,    /* in a row */
    HS__FEW_YIELDS = 6
};

/** Whether the MPI library calls hs__monitor_look(). */
extern int hs__monitor_looks;

/** The MPI library looks in vain for what a call of this thread waits for. @return 0 */
int hs__monitor_look(void);

/* The same after HS__FEW_YIELDS, when hurried. */
void hs__monitor_look_yielding(hs__monitor *m);

/** Divide the stretch up to now, which nobody has read the clock in. */
void hs__monitor_settle(hs__monitor *m, int64_t now);

/** There were so many short rounds that readings may be left out. */
void hs__monitor_hurry(hs__monitor *m);

/** Readings are left out no more. */
void hs__monitor_calm(hs__monitor *m);

/** The end of a call that went by without a reading, when that had to end meanwhile. */
void hs__monitor_leave_calmed(hs__monitor *m);

#define HS__ALWAYS_INLINE static inline __attribute__((always_inline))

/* A row of short rounds begins here. */
HS__ALWAYS_INLINE void hs__monitor_begin_row(hs__monitor *m)
{
    m->first_calls = m->calls;
    m->first_compute = m->compute;
    m->first_mpi = m->mpi;
    m->first_wait = m->wait;
    m->yielded = 0;
}

/* A call that waits begins now: a round is from one to the next. */
HS__ALWAYS_INLINE void hs__monitor_round(hs__monitor *m, int64_t now)
{
    int64_t passed = now - m->round, yields = m->yields < HS__FEW_YIELDS ? m->yields : HS__FEW_YIELDS;
    m->round = now;
    m->yields = 0;
    if (m->hurried)
        return;
    if (passed > HS__SHORT_ROUND + yields * HS__SHORT_YIELD) {
        m->rounds = 0;
        return;
    }
    if (m->rounds == 0)
        hs__monitor_begin_row(m);
    m->yielded |= yields != 0;
    if (++m->rounds > HS__SHORT_ROUNDS)
        hs__monitor_hurry(m);
}

HS__ALWAYS_INLINE uintptr_t hs__monitor_frame(void)
{
    return (uintptr_t)__builtin_frame_address(0);
}

HS__ALWAYS_INLINE int hs__monitor_expects(const hs__monitor *m)
{
    return m->next != &hs__nothing_expected;
}

/* Whether the call is an outermost one. */
HS__ALWAYS_INLINE int hs__monitor_enters(hs__monitor *m, int call)
{
    uintptr_t frame = hs__monitor_frame();
    if (frame < m->inside || !hs__monitor_on)
        return 0;
    m->inside = frame;
    if (__builtin_expect(hs__monitor_expects(m), 0))
        hs__repeat_turn(m, call);
    return 1;
}

/* Read the clock at the beginning of a call. */
HS__ALWAYS_INLINE int64_t hs__monitor_read_before(hs__monitor *m)
{
    int64_t now = hs__ticks();
    if (m->hurried)
        hs__monitor_settle(m, now);
    else if (m->since)
        m->compute += now - m->since;
    m->settled_at = m->calls;
    return m->since = now;
}

HS__ALWAYS_INLINE void hs__monitor_enter(void)
{
    hs__monitor *m = &hs__monitor_self;
    if (!hs__monitor_enters(m, 0))
        return;
    hs__monitor_read_before(m);
    m->hurried_call = 0;
    if (m->hurried)
        hs__monitor_calm(m);
}

HS__ALWAYS_INLINE void hs__monitor_note(hs__monitor *m, int call)
{
    if (!m->note)
        return;
    *m->note = (uint16_t)call;
    if (m->note++ == m->last_note)
        hs__monitor_scan();
}

void hs__monitor_note_all(hs__monitor *m, const uint16_t *calls, size_t n);

/* The clock has been read. */
HS__ALWAYS_INLINE void hs__monitor_note_reading(hs__monitor *m)
{
    hs__noted *batch = &hs__monitor_batch;
    if (!m->note)
        return;
    size_t next = (size_t)(m->note - batch->call);
    if (batch->reading[batch->readings - 1].next != next)
        batch->readings++;
    batch->reading[batch->readings - 1] = (hs__clock_reading){m->compute, m->compute + m->mpi, next};
}

/** The same for a call of the program: it is counted. step: it is call number step, part of what repeats from iteration
 * to iteration; 0: it is not */
HS__ALWAYS_INLINE void hs__monitor_enter_call(int step)
{
    hs__monitor *m = &hs__monitor_self;
    if (!hs__monitor_enters(m, step))
        return;
    m->calls++;
    hs__monitor_read_before(m);
    if (!step)
        return;
    hs__monitor_note_reading(m);
    hs__monitor_note(m, step);
}

/** The same for call number step, which may not return before others have acted. may_hurry: readings may be left out */
HS__ALWAYS_INLINE void hs__monitor_enter_wait(int step, int may_hurry)
{
    hs__monitor *m = &hs__monitor_self;
    if (!hs__monitor_enters(m, step))
        return;
    m->calls++;
    int64_t now = hs__monitor_read_before(m);
    if (may_hurry)
        hs__monitor_round(m, now);
    else if (m->hurried)
        hs__monitor_calm(m);
    if (m->hurried && m->note && !hs__monitor_expects(m))
        hs__repeat_consider(m);
    hs__monitor_note_reading(m);
    hs__monitor_note(m, step);
}

HS__ALWAYS_INLINE int hs__monitor_goes_by(hs__monitor *m, int64_t least)
{
    uintptr_t frame = hs__monitor_frame();
    if (__builtin_expect(m->calls >= least || frame < m->inside, 0))
        return 0;
    m->inside = frame;
    m->calls++;
    return 1;
}

/** Whether a call that may not return before others have acted goes by without a reading: then it is an outermost one
 * and is counted. */
HS__ALWAYS_INLINE int hs__monitor_wait_goes_by(int step)
{
    hs__monitor *m = &hs__monitor_self;
    if (!hs__monitor_goes_by(m, m->least_wait))
        return 0;
    m->yields = 0;
    hs__monitor_note(m, step);
    return 1;
}

HS__ALWAYS_INLINE void hs__monitor_wait_gone_by(void)
{
    hs__monitor *m = &hs__monitor_self;
    m->inside = 0;
    if (__builtin_expect(!m->hurried, 0))
        hs__monitor_leave_calmed(m);
}

/** The same for a call that soon returns. Somebody may wait for its message, so what has time is done afterwards. */
HS__ALWAYS_INLINE int hs__monitor_send_goes_by(void)
{
    hs__monitor *m = &hs__monitor_self;
    return hs__monitor_goes_by(m, m->least_send);
}

HS__ALWAYS_INLINE void hs__monitor_send_gone_by(int step)
{
    hs__monitor_wait_gone_by();
    if (step)
        hs__monitor_note(&hs__monitor_self, step);
}

/** Whether the call that stands in this function is the outermost one. */
HS__ALWAYS_INLINE int hs__monitor_outermost(void)
{
    return hs__monitor_self.inside == hs__monitor_frame();
}

/* Read the clock at the end of a call. @return ticks since the last reading */
HS__ALWAYS_INLINE int64_t hs__monitor_read_after(hs__monitor *m)
{
    int64_t now = hs__ticks(), passed = now - m->since;
    m->mpi += passed;
    m->since = now;
    m->inside = 0;
    return passed;
}

HS__ALWAYS_INLINE void hs__monitor_leave(void)
{
    if (hs__monitor_outermost())
        hs__monitor_read_after(&hs__monitor_self);
}

/** Of a call that may not return before others have acted. */
HS__ALWAYS_INLINE void hs__monitor_leave_wait(void)
{
    hs__monitor *m = &hs__monitor_self;
    if (hs__monitor_outermost())
        m->wait += hs__monitor_read_after(m);
}

/** Of a call that looks again and again whether others have acted. */
HS__ALWAYS_INLINE void hs__monitor_leave_look(void)
{
    hs__monitor *m = &hs__monitor_self;
    if (!hs__monitor_outermost())
        return;
    int64_t passed = hs__monitor_read_after(m);
    m->wait += passed;
    if (passed > HS__LONG_WAIT)
        m->blind = m->looked_at != m->calls && !m->yields;
}

/* A call that came as expected begins with no yields, but nobody saw it begin. */
HS__ALWAYS_INLINE void hs__monitor_begin_yields(hs__monitor *m)
{
    if (!hs__monitor_expects(m) || m->yielded_from == m->next)
        return;
    m->yielded_from = m->next;
    m->yields = 0;
}

/** Whether a call is under way. */
HS__ALWAYS_INLINE int hs__monitor_in_call(const hs__monitor *m)
{
    return m->inside || hs__monitor_expects(m) || m->unseen == m->calls;
}

/** The number of the call of the program that is under way and that, when it looked first, was in a hurry; 0: none is.
 */
HS__ALWAYS_INLINE int64_t hs__monitor_hurried_call(void)
{
    hs__monitor *m = &hs__monitor_self;
    if (!hs__monitor_in_call(m))
        return 0;
    if (m->hurried)
        m->hurried_call = m->calls;
    return m->hurried_call == m->calls ? m->calls : 0;
}

/** The MPI library looks in vain and then lets others run. @return whether it has done so a few times at most, in a
 * call that had no reading */
HS__ALWAYS_INLINE int hs__monitor_yield(void)
{
    hs__monitor *m = &hs__monitor_self;
    hs__monitor_begin_yields(m);
    m->yields++;
    if (!m->hurried || !hs__monitor_in_call(m))
        return 0;
    if (__builtin_expect(m->yields < HS__FEW_YIELDS, 1))
        return 1;
    if (hs__monitor_expects(m))
        hs__repeat_interrupt(m);
    hs__monitor_look_yielding(m);
    return 0;
}

/** A call of the program that answers at once, such as MPI_Comm_rank: counted, but no clock is read. */
HS__ALWAYS_INLINE void hs__monitor_enter_local(void)
{
    hs__monitor *m = &hs__monitor_self;
    if (hs__monitor_enters(m, 0))
        m->calls++;
}

HS__ALWAYS_INLINE void hs__monitor_leave_local(void)
{
    if (hs__monitor_self.inside == hs__monitor_frame())
        hs__monitor_self.inside = 0;
}

/** Begin to account. The calling thread's first stretch of computing begins here, another thread's at the end of its
 * first call. Does nothing when it has begun. */
void hs__monitor_start(void);

/** No longer account; a call under way still ends well. */
void hs__monitor_stop(void);

/** Account again after a stop. The stretch between belongs to nothing. */
void hs__monitor_resume(void);

/** Note the calling thread's calls and find its iterations. The thread that initialises MPI. */
void hs__monitor_watch(void);

/** What was found up to now, with the calls of the batch under way. The watched thread. */
const hs__iterations *hs__monitor_iterations(void);

/** The calling thread's times up to now. */
void hs__monitor_read(hs__monitor_times *times);

#endif
