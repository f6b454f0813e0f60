/* SPDX-License-Identifier: BSD-3-Clause */
/* A move and the call behind it, on N ranks: src/runtime/session/agree.c and src/runtime/slices/move.c.
 *
 * An exchange is done for a rank once all have sent. A rank that waits in vain gives up and refuses every later call. It
 * may do so as soon as somebody will never send; with LATE also while all are well, since a rank may be late by more
 * than the time-out. One rank crashes at any moment; what it sent just before reaches some ranks and not others, so who
 * waits for it may be done or give up.
 *
 * Checked: nobody waits for ever, and who ends the next call knows that all ranks hold the same layout and were told the
 * same of the move. With UNCONFIRMED the ranks do not agree again once the data are there, which breaks it. */

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

inline send(r, k, mine_failed)
{
    failed[k] = failed[k] | (mine_failed -> BIT(r) : 0);
    sent[k] = sent[k] | BIT(r)
}

/* A rank crashes before it sends, or behind, when who hears of it is open: the others may be done or give up. */
inline exchange(r, k, mine_failed, ok)
{
    if
    :: d_step { crashes < 1 -> crashes++; stopped = stopped | BIT(r) } -> goto end
    :: d_step { crashes < 1 -> crashes++; send(r, k, mine_failed); stopped = stopped | BIT(r) } -> goto end
    :: d_step { true -> send(r, k, mine_failed) }
    fi;
    if
    :: d_step { sent[k] == ALL -> ok = (failed[k] == 0) }
    :: d_step { CAN_GIVE_UP -> stopped = stopped | BIT(r); gave_up = gave_up | BIT(r); ok = 0 }
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
    :: !ok -> refused = refused | BIT(r); goto next
    :: else
    fi;

    exchange(r, DATA, 0, ok);
    if
    :: !ok -> refused = refused | BIT(r); goto next
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
    if
    :: ok -> moved = moved | BIT(r)
    :: else -> refused = refused | BIT(r)
    fi;

next:
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
        do
        :: r < N -> run rank(r); r++
        :: else -> break
        od
    }
}
