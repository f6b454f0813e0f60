/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DECISION_DECIDE_H
#define HS_PLAN_DECISION_DECIDE_H

/* When to move units between ranks. Pure arithmetic on what the ranks reported: no MPI, no clock, so that every rank
 * comes to the same decision and a test can replay any history. Where to is the affair of a kind of layout: slices
 * (slices.h) or rectangles of blocks (blocks.h).
 *
 * Model. Rank i needs cycle[i] seconds a unit, or where units have weights a unit of weight; the kind says what a step
 * takes, T, and at best, T_best. Where speeds depend on the size of what a rank holds, that is at pace 1, which the kind
 * defines. cycle[i] is the mean over a window that begins at the rank's last change of speed. A
 * reading far from the mean is only suspected; a second one in a row, on the same side, starts a new window with both: so
 * a burst of one phase changes nothing, and a lasting change is believed after two phases.
 *
 * Rule (ski rental). Each phase the old layout lasts costs its loss, (T - T_best) x iterations. Units move once the
 * loss since the gain appeared reaches the cost of moving: a change of speeds costs at most twice what hindsight would
 * pay for it, whenever it ends. Where speeds change again and again between n levels, no rule that does not know the
 * future can promise less than 2 n - 1 times hindsight (Borodin, Linial, Saks 1992); bench/decision/traces measures what
 * this one takes. When it is known how many iterations are left, units stay if these cannot earn the cost. Gains within
 * the noise of the readings do not count. A move that brought less than half of its promise doubles the price of the
 * next one, up to HS__DECIDE_MAX_CAUTION; one that kept it halves the price again. Once HS__DECIDE_GIVE_UP moves more
 * have broken their promise than kept it, and moving cost more than it brought, balancing is off: nothing moves until the
 * loss since a gain appeared reaches what moving cost more than it brought, times the same factor. Then one move is tried,
 * and it is off again, for longer, if that one breaks its promise, too.
 *
 * What a move brought. Steps after it may be longer because work has grown, which breaks no promise. Of the ranks that
 * computed before and after it, let a be the sum of |log| of how their seconds have changed, b that of their cycle times:
 * f = a / (a + b) is 1 when computing followed the units, and 0 when every rank takes as long as before. Then f times the
 * seconds by which the longest computation exceeds what its units took before the move are the work's growth, and do not
 * count. Where f is nearly 0 all cycle times have changed, yet no speed has: the promise is broken. A move within two
 * phases of new weights is not judged, as the steps before it had other weights.
 *
 * Part of the way. While the whole, of gain G and price P, does not pay yet, a part of gain g and price p pays when its
 * share of the loss, g / G, has reached p. Of the parts which leave 1/2, 1/4 ... of G, the one of most gain that pays is
 * moved. What remains of the loss then counts for the rest, which has a price q. With e = p + q - P, what two moves cost
 * more than one: where p + e <= P g / G, and 2 e are added to the loss that remains, a change of speeds still costs at
 * most twice min(P, loss), as without parts: both moves and the losses before them add up to 2 P. So it is one part a
 * change, and only of that price. */

#include "plan/decision/drift.h"
#include <heteroslice/hs_status.h>
#include <stdint.h>

enum { HS__DECIDE_MAX_CAUTION = 64, HS__DECIDE_JUDGE_PHASES = 2, HS__DECIDE_GIVE_UP = 3, HS__DECIDE_FRESH_PHASES = 3 };

/* A phase lasts at least so long: enough scheduler ticks and quota periods for a steady reading. */
#define HS__DECIDE_SHORTEST_PHASE_S 0.2

/* A gain below this share of the step is not worth a plan, whatever the noise. */
#define HS__DECIDE_LEAST_GAIN 0.02

/** What may be asked to be otherwise, to see what would have been. */
typedef struct hs__decide_rule {
    double least_gain; /* 0 to 1 in place of HS__DECIDE_LEAST_GAIN */
    double cost;       /* factor of what moving costs. 0: moves for every gain; INFINITY: never moves */
} hs__decide_rule;

typedef struct hs__decider hs__decider;

/** One phase as the ranks reported it. */
typedef struct hs__decide_phase {
    int64_t iterations; /* >= 1 */
    const double *
        cycle; /* seconds a unit (of weight) of ranks with units; of the others their present cycle over their first guess,
                   <= 0 when they do not know */
    const int64_t *units; /* that each rank held */
    double step;          /* wall-clock seconds an iteration took */
    int64_t left;         /* iterations still to come; < 0: not known */
    double move_fixed;    /* seconds any move costs */
    double move_unit;     /* seconds more for each unit that the busiest rank sends and receives */
    const double *load;   /* weight that each rank holds now; NULL: every unit weighs 1 */
    double unit_bytes;    /* of all that is registered; 0: not known */
    const double *comm;   /* seconds of each rank's messages as bandwidths promise; NULL: not known */
} hs__decide_phase;

/** The weight that rank i holds. */
static inline double hs__phase_load(const hs__decide_phase *phase, int i)
{
    return phase->load ? phase->load[i] : (double)phase->units[i];
}

/** What to hold on the way to the candidate. */
typedef struct hs__decide_part {
    double step;   /* seconds */
    int64_t moved; /* units that the busiest rank sends and receives on the way there */
    int64_t left;  /* and from there to the candidate */
} hs__decide_part;

/** A kind of layout, to the decider. */
typedef struct hs__decide_kind {
    /** How fast each rank is at the size that it holds, over its speed at pace 1; before plan(). What the decider believes, and
     * hands to the other functions, are the cycle times at pace 1: a slice of another size is no change of speed.
     * @return [ranks], > 0, lent until the next call; NULL: 1. NULL in place of the function likewise */
    const double *(*pace)(void *layout, const hs__decide_phase *phase);
    /** A rank's cycle time at pace 1 has become so many times what it was, just after it came to hold another size.
     * @return 1: the size explains it, and pace() does from now on, what it lent included; 0: it does not. NULL: never */
    int (*explains)(void *layout, int rank, double factor);
    /** Find what to hold under these cycle times and keep it as the candidate.
     * @param[in]  phase      the phase that has just ended
     * @param[in]  cycle      seconds a unit by rank, > 0; INFINITY: takes no units
     * @param[out] now, best  seconds of a step as the units are held now, and in the candidate
     * @return HS_OK; HS_UNCHANGED (nothing can be found); HS_ERR_NOMEM: on all ranks that decide together, or on none */
    hs_status (*plan)(void *layout, const hs__decide_phase *phase, const double *cycle, double *now, double *best);
    /** Units that the busiest rank sends and receives on the way to the candidate; 0: it is what is held now. */
    int64_t (*traffic)(const void *layout);
    /** Find what to hold of which a step takes at most so long, and few units move; after plan(). NULL: always the whole.
     * @return HS_OK; HS_UNCHANGED (nothing can be found): the same on all ranks that decide together */
    hs_status (*part)(void *layout, const double *cycle, double step, hs__decide_part *part);
    /** The part found last is the candidate. */
    void (*take_part)(void *layout, const double *cycle);
} hs__decide_kind;

/** @param[in] cycle  first guess, seconds a unit, array of length ranks, > 0; INFINITY: never takes units; copied
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__decider_create(int ranks, const double *cycle, hs__decider **decider);
void hs__decider_free(hs__decider *decider);

/** Before the first phase. */
void hs__decider_set_rule(hs__decider *decider, const hs__decide_rule *rule);

/** The units have other weights from now on: steps before and after cannot be compared.
 * @param[in] first_time  so far every unit weighed 1: cycle times are not per unit any more, and are forgotten */
void hs__decider_weigh(hs__decider *decider, int first_time);

/** Messages take other times from now on, by links that were measured again. */
void hs__decider_replan(hs__decider *decider);

/** Take in one phase and decide.
 * @param[in] layout  handed to the kind's functions
 * @return HS_OK: move to the candidate; HS_UNCHANGED: stay; HS_ERR_NOMEM */
hs_status hs__decider_phase(hs__decider *decider, const hs__decide_phase *phase, const hs__decide_kind *kind,
                            void *layout);

/** What moving has cost and brought. */
typedef struct hs__balance_sheet {
    int moves;
    double cost;      /* seconds */
    double brought;   /* seconds that steps took less than before the last move, until a speed changed */
    double off_until; /* > 0: balancing is off until it would have saved so many seconds */
    double seconds;   /* of all phases decided upon */
    double lost;      /* of them, what the best slices known at the time would have saved */
} hs__balance_sheet;

const hs__balance_sheet *hs__decider_sheet(const hs__decider *decider);

/** A move that was decided has taken so many seconds. */
void hs__decider_moved(hs__decider *decider, double seconds);

/** The rank for which something grew most. */
typedef struct hs__change {
    int rank;
    double factor; /* > 1; 0: nothing grew, or it is not known */
} hs__change;

/** What the last phase came to, for people and logs; zero where it did not come so far. */
typedef struct hs__decision {
    double now, best;     /* seconds of a step, present and candidate */
    double loss, price;   /* seconds lost since the gain appeared, and that moving costs */
    double error;         /* relative, of the least known speed */
    int64_t moved;        /* units that the busiest rank would send and receive */
    hs__decide_part part; /* a part of the way is moved, .moved > 0 */
    double part_price;    /* what has to be lost for it */
    hs__change slower,
        heavier;     /* since units moved last: seconds a unit of weight, weight held; where units have weights */
    hs__drift drift; /* a lasting change that was just found */
} hs__decision;

const hs__decision *hs__decider_last(const hs__decider *decider);

/** Seconds a unit by rank at pace 1, as believed after the last phase; lent. */
const double *hs__decider_cycles(const hs__decider *decider);

/** The same as first guessed; lent. */
const double *hs__decider_guess(const hs__decider *decider);

/** The speeds that ranks have shown, for a first guess at other units.
 * @param[in]     scale  [ranks] of which the ranks that have been measured keep the geometric mean, >= 0; NULL: 1
 * @param[in,out] speed  [ranks] those of these ranks change; 0 stays 0 */
void hs__decider_speeds(const hs__decider *decider, const double *scale, double *speed);

/** 1 when a great change of speed waits to be confirmed: the next phase should be short. */
int hs__decider_hurries(const hs__decider *decider);

#endif
