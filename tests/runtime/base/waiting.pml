/* SPDX-License-Identifier: BSD-3-Clause */
/* N ranks that wait for each other in CALLS calls on a communicator of the library's: src/runtime/base/peers.c and
 * src/runtime/session/agree.c.
 *
 * In each call all send to all, into a buffer that the context keeps for the next call. MPI writes there at any time once
 * both ranks have begun the call, also when the one has given up. A rank gives up when its time-out passes, which some
 * ranks have and others do not, or when it hears that another calls the roll; then it calls the roll itself, and the lowest
 * of those that answer says who is missing. One rank stops at any moment; what it sent just before reaches some ranks and
 * not others. Without LATE a time-out passes only when somebody will never come. Pauses between two looks, HS_WAIT's among
 * them, end by themselves and are no step of their own.
 *
 * Checked: a rank waits for ever only where no living rank that waits has a time-out, MPI never writes into memory that was
 * freed or that the next call uses, and without LATE one rank, no more, says who is missing. DEAF, where ranks do not listen
 * for the roll, UNPARKED, where who gives up frees its buffer, and HASTY, where who gives up makes the next call all the
 * same, each break one of these. */

#define N 4
#define CALLS 2
#define ALL ((1 << N) - 1)
#define BIT(r) (1 << (r))

#define IDLE 0
#define USED 1   /* lent to MPI */
#define PARKED 2 /* left to MPI */
#define FREED 3

byte buffer[N];
byte begun[N];   /* calls */
byte roll[N];    /* who has called the roll and is heard here */
byte limited;    /* who has a time-out */
byte waiting;
byte undone;     /* whose last call has not ended: a message may still come */
byte stopped;    /* by a crash */
byte gave_up;
byte ended;
byte crashes, speakers, over;

#ifdef LATE
#define TIME_PASSES true
#define ROLL_ENDS(r) true
#else
#define TIME_PASSES (stopped != 0 || gave_up != 0)
#define ROLL_ENDS(r) ((roll[r] | BIT(r) | stopped | ended) == ALL)
#endif

#ifdef DEAF
#define HEARS(r) false
#else
#define HEARS(r) (roll[r] != 0)
#endif

/* A message of rank r's to rank s, of the last call that s has begun. */
#define COMES(s, r) (r != s && begun[r] >= begun[s])
#define COME(s) (begun[0] >= begun[s] && begun[1] >= begun[s] && begun[2] >= begun[s] && begun[3] >= begun[s])

/* It comes too late for the call, and meets other memory. */
#define STRAYS(s) \
    ((undone & BIT(s)) && buffer[s] == FREED && (COMES(s, 0) || COMES(s, 1) || COMES(s, 2) || COMES(s, 3)))

active proctype mpi()
{
end:
    d_step { STRAYS(0) || STRAYS(1) || STRAYS(2) || STRAYS(3) -> assert(false) }
}

/* Until everybody's message has come. */
inline wait(r)
{
    if
    :: d_step { crashes < 1 -> crashes++; stopped = stopped | BIT(r); waiting = waiting & ~BIT(r) } -> goto end
    :: d_step { COME(r) -> buffer[r] = IDLE; waiting = waiting & ~BIT(r); undone = undone & ~BIT(r) }
    :: d_step { (limited & BIT(r)) && TIME_PASSES || HEARS(r) ->
                waiting = waiting & ~BIT(r); gave_up = gave_up | BIT(r) }
    :: timeout -> assert((waiting & limited) == 0 && gave_up == 0); goto end
    fi
}

inline call_roll(r)
{
    d_step {
        k = 0;
        do
        :: k < N -> roll[k] = roll[k] | (k != r -> BIT(r) : 0); k++
        :: else -> break
        od;
        k = 0
    }
    d_step {
        ROLL_ENDS(r) ->
        do
        :: !((roll[r] | BIT(r)) & BIT(k)) -> k++
        :: else -> break
        od;
        speakers = speakers + (k == r)
    }
}

proctype rank(byte r)
{
    byte k;

    do
    :: begun[r] == CALLS -> break
    :: else ->
        if
        :: d_step { crashes < 1 -> crashes++; stopped = stopped | BIT(r) } -> goto end
        :: d_step { true -> assert(buffer[r] == IDLE);
                    buffer[r] = USED; begun[r]++; waiting = waiting | BIT(r); undone = undone | BIT(r) }
        fi;
        wait(r);
        if
        :: gave_up & BIT(r) ->
#ifndef HASTY
            call_roll(r);
            break
#else
            skip
#endif
        :: else
        fi
    od;
    atomic {
#ifndef UNPARKED
        buffer[r] = (buffer[r] == USED -> PARKED : FREED);
#else
        buffer[r] = FREED;
#endif
        ended = ended | BIT(r)
    }
end:
    over++
}

init {
    byte r = 0;
    atomic {
        if
        :: limited = BIT(0)
        :: limited = BIT(0) | BIT(1)
        :: limited = ALL & ~BIT(N - 1)
        :: limited = ALL
        fi;
        do
        :: r < N -> run rank(r); r++
        :: else -> break
        od
    }
#ifndef LATE
    (over == N);
    assert(speakers == (gave_up != 0))
#endif
}
