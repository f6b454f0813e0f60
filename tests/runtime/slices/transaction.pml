/* SPDX-License-Identifier: BSD-3-Clause */
/* A move and the call behind it, on N ranks: src/runtime/session/agree.c and src/runtime/slices/move.c.
 *
 * An agreement is done for a rank once all have sent; units have arrived once those ranks have sent that had any for it,
 * which may be none. A rank that waits in vain gives up and refuses every later call. It may do so as soon as somebody
 * will never send; with LATE also while all are well, since a rank may be late by more than the time-out. One rank
 * crashes at any moment; what it sent just before reaches some ranks and not others, so who waits for it may be done or
 * give up.
 *
 * Checked: nobody waits for ever, and who ends the next call knows that all ranks hold the same layout and were told the
 * same of the move. With UNCONFIRMED the ranks do not agree again once the data are there, which breaks it.
 *
 * With RECORDED only steps are taken that runs of the library took, in their order, and an assertion fails where the last
 * of them has been taken: the run is a path of the model. traced.sh defines it before this file, with rows of WIDTH steps,
 * each row filled with OVER, in recorded[]; the environment's RECORD is the row's number. */

#ifndef N
#define N 4
#endif
#define ALL ((1 << N) - 1)
#define BIT(r) (1 << (r))

#ifdef LATE
#define CAN_GIVE_UP true
#else
#define CAN_GIVE_UP (stopped != 0)
#endif

#define AGREE 0   /* the new buffers are there */
#define DATA 1    /* units travel */
#define CONFIRM 2 /* all units are there */
#define NEXT 3    /* the next call of the program */

byte sent[4];   /* [exchange]: who has sent */
byte failed[4]; /* who sent that it failed */
byte stopped;   /* who never sends again: crashed, or gave up and refuses every call */
byte gave_up;
byte moved;     /* who holds the new layout, and was told of success */
byte refused;   /* who was told of failure */
byte crashes;
bit damaged;    /* arrays are not what they were, as the sums of all ranks show */

/* What a rank does that others may see, or its program. */
#define SEND 0
#define SEND_FAILURE 1
#define DONE 2     /* all are well */
#define FAILED 3   /* all are there, and one has failed */
#define GIVE_UP 4
#define CRASH 5
#define MOVED 6
#define REFUSED 7
#define STEP(r, k, what) (((r) * 4 + (k)) * 8 + (what))

#ifdef RECORDED
short at;
#define MAY(r, k, what) (recorded[at] == STEP(r, k, what))
#define TAKE at++
proctype end_of_record() { d_step { recorded[at] == OVER -> assert(recorded[at] != OVER) } }
#else
#define MAY(r, k, what) true
#define TAKE skip
#endif

inline send(r, k, mine_failed)
{
    failed[k] = failed[k] | (mine_failed -> BIT(r) : 0);
    sent[k] = sent[k] | BIT(r)
}

/* Messages with units may all have come while others are still to be sent to other ranks. */
#define ARRIVED(k) (k == DATA || sent[k] == ALL)

/* A rank crashes before it sends, or behind, when who hears of it is open: the others may be done or give up. */
inline exchange(r, k, mine_failed, ok)
{
    if
    :: d_step { crashes < 1 && MAY(r, k, CRASH) -> TAKE; crashes++; stopped = stopped | BIT(r) } -> goto end
    :: d_step { crashes < 1 && MAY(r, k, CRASH) -> TAKE; crashes++; send(r, k, mine_failed); stopped = stopped | BIT(r) } ->
       goto end
    :: d_step { MAY(r, k, SEND + mine_failed) -> TAKE; send(r, k, mine_failed) }
    fi;
    if
    :: d_step { ARRIVED(k) && (failed[k] || k == CONFIRM && damaged) && MAY(r, k, FAILED) -> TAKE; ok = 0 }
    :: d_step { ARRIVED(k) && !(failed[k] || k == CONFIRM && damaged) && MAY(r, k, DONE) -> TAKE; ok = 1 }
    :: d_step { CAN_GIVE_UP && MAY(r, k, GIVE_UP) -> TAKE; stopped = stopped | BIT(r); gave_up = gave_up | BIT(r); ok = 0 }
    fi
}

inline tell(r, k, ok)
{
    if
    :: d_step { ok && MAY(r, k, MOVED) -> TAKE; moved = moved | BIT(r) }
    :: d_step { !ok && MAY(r, k, REFUSED) -> TAKE; refused = refused | BIT(r) }
    fi
}

proctype rank(byte r)
{
    bit ok, lacks_memory, message_failed;

    if
    :: lacks_memory = 0
    :: lacks_memory = 1
    fi;
    exchange(r, AGREE, lacks_memory, ok);
    if
    :: !ok -> goto told
    :: else
    fi;

    exchange(r, DATA, 0, ok);
    if
    :: !ok -> goto told
    :: else
    fi;
    if
    :: message_failed = 0
    :: message_failed = 1
    fi;

#ifndef UNCONFIRMED
    exchange(r, CONFIRM, message_failed, ok);
#else
    ok = !message_failed;
#endif

told:
    tell(r, CONFIRM, ok);
    if
    :: gave_up & BIT(r) -> goto end
    :: else
    fi;
    exchange(r, NEXT, 0, ok);
    if
    :: ok -> assert(moved == ALL && refused == 0 || moved == 0 && refused == ALL)
    :: else
    fi;
end:
    skip
}

init {
    byte r = 0;
    atomic {
#ifdef RECORDED
        c_code { now.at = WIDTH * atoi(getenv("RECORD")); };
        run end_of_record();
#endif
        if
        :: damaged = 0
        :: damaged = 1
        fi;
        do
        :: r < N -> run rank(r); r++
        :: else -> break
        od
    }
}
