/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BALANCE_H
#define HS_RUNTIME_BALANCE_H

/* Phases: measure one, exchange records while the program continues, decide, move. The same for every kind of
 * layout; what differs is what a unit is and how units move. */

#include "plan/decision/decide.h"
#include "plan/decision/move_cost.h"
#include "plan/decision/planning.h"
#include "plan/decision/slices.h"
#include "runtime/balance/computing.h"
#include "runtime/balance/idle.h"
#include "runtime/balance/length.h"
#include "runtime/session/context.h"

/** A kind of layout, to the balancer. */
typedef struct hs__balance_kind {
    hs__operation operation; /* what people call it by */
    hs__decide_kind decide;
    /** The slices that hs replay can plan anew; NULL: this kind has none. */
    const hs__slices *(*slices)(const void *layout);
    /** Bytes of a unit over all that is registered. */
    double (*unit_bytes)(void *layout);
    /** Move to the candidate. Collective; nothing can fail after its last agreement, which tells HS__MOVE_SECONDS.
     * @return HS_OK; errors: nothing has moved on any rank */
    hs_status (*carry_out)(void *layout);
    /** How many iterations records travel before they are waited for, or a phase if that is shorter. */
    int64_t lag;
    /** How much this rank has learned of what its units weigh, >= 0; NULL: nothing is learned. Local, once a phase. */
    double (*news)(void *layout);
    /** Use what was learned. Collective.
     * @param[in]     news   by rank, of which at least one is above 0
     * @param[in,out] cycle  measured seconds a unit (of weight) by rank; then a unit of the new weight
     * @return HS_OK; HS_ERR_NOMEM, HS_ERR_MPI, HS_ERR_TIMEOUT: weights are what they were */
    hs_status (*learn)(void *layout, const double *news, double *cycle);
    /** Messages take what the context's memberships say now. NULL: this kind does not plan by them. Needs no memory; with slices
     * only. */
    void (*replan)(void *layout);
} hs__balance_kind;

/** Where the measuring of a layout stands. Times in nanoseconds of hs__clock_ns(). */
typedef struct hs__phase_state {
    int64_t until;       /* the iteration that ends the phase */
    int64_t begun;       /* the one with which it began */
    int64_t length;      /* how many iterations phases take at present; 0 at first */
    int64_t wall_ns;     /* clock at its begin */
    int64_t overhead_ns; /* spent in this library since the last one was reported */
    int64_t library_ns;  /* of the time since its begin: not the program's */
    int64_t iterations;  /* of the phase that was just reported */
    int collecting;      /* its records are under way: the next call decides */
    int delivered;       /* they are in records[] already */
    double work;         /* weight held x iterations, up to iteration work_until: weights may change within a phase */
    int64_t work_until;
} hs__phase_state;

/** Messages that have become slower, or faster, by a link that is not known yet. */
typedef struct hs__suspicion {
    double step_s;  /* seconds a step more than before; 0: nothing is suspected */
    double loss_s;  /* seconds since then, whatever the direction */
    double price_s; /* that measuring has to be worth; 0: what it costs at first */
    int64_t since;  /* iteration */
} hs__suspicion;

/** What has been done so far, as in hs_layout_stats. */
typedef struct hs__balance_counts {
    int64_t iterations, phases, moves;
    double decide_s, move_s, compute_s;
} hs__balance_counts;

/** The part of a layout that balances it. */
typedef struct hs__balancer {
    hs_context *context;
    const hs__balance_kind *kind;
    void *layout;         /* handed to the kind's functions */
    const int64_t *units; /* of every rank; borrowed, and always those at present */
    const double *load;   /* weight that every rank holds; NULL: every unit weighs 1; borrowed, and always at present */
    double held;          /* what this rank has held since phase.work_until */
    int periodic;         /* the last rank with units is a neighbour of the first; of slices */
    int64_t horizon;      /* iterations the program will make; 0: not known */
    hs__decider *decider; /* NULL unless the mode is HS_BALANCE_ON and there is more than one rank; owned */
    hs__record *records;  /* of every rank, of the last phase reported; NULL with decider; owned */
    double *cycle;        /* cycle times in them; likewise */
    double *news;         /* and what was learned; likewise */
    hs__phase_state phase;
    hs__computing computing;
    hs__phase_length length;
    hs__idle idle;
    int64_t move_ns;           /* spent moving, to be left out of that */
    int64_t accounted_ns;      /* what the call under way took of the phase is accounted up to this moment */
    int64_t accounted_move_ns; /* move_ns then */
    double byte_s;             /* what a byte of a move takes, as links were measured; 0: not known */
    hs__move_cost move_cost;   /* 0 until a move was measured */
    hs__planning planning;     /* of kinds whose plans take time; the same on all ranks */
    hs__suspicion suspicion;   /* the same on all ranks */
    int plans;                 /* context->planner.plans by which the layout plans */
    int warned_blind;          /* warned that no MPI call was seen */
    int turns;                 /* phases in which threads took turns */
    int told_off;              /* told that balancing is off, and not yet that it is on again */
    int logged;                /* its number in the log of decisions; 0: not logged */
    int counted, working;      /* as one of this process's layouts, and as one with units for it */
    hs__balance_counts counts;
} hs__balancer;

/** Fill in context, kind, layout, units, periodic and horizon first.
 * @param[in] cycle  first guess by rank as in hs__decider_create(); copied
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__balancer_start(hs__balancer *balancer, const double *cycle);

/** Free what the balancer owns. */
void hs__balancer_end(hs__balancer *balancer);

/** Start measuring afresh: after creation and after a move that was asked for. */
void hs__balancer_restart(hs__balancer *balancer);

/** The units have other weights from now on.
 * @param[in] load    weight that every rank holds; borrowed, kept up to date by the layout when units move
 * @param[in] weight  [units], for the log */
void hs__balancer_weigh(hs__balancer *balancer, const double *load, int64_t units, const double *weight);

/** An iteration has ended. Collective. @return HS_UNCHANGED: nothing moved; HS_OK: units moved; errors as hs_balance()
 */
hs_status hs__balancer_step(hs__balancer *balancer);

/** A byte takes so long from now on, as links were measured again: what moves were seen to cost changes with it. */
void hs__balancer_set_byte_time(hs__balancer *balancer, double byte_s);

/** Whether the next hs__balancer_step() may move. */
int hs__balancer_may_move(const hs__balancer *balancer);

/** All ranks have computed the same: agree that all had the memory to do so. Collective.
 * @return HS_OK; HS_UNCHANGED: nothing was found; HS_ERR_NOMEM and other errors on all ranks */
hs_status hs__balancer_agree(const hs__balancer *balancer, hs_status mine);

/** As hs__decide_kind.plan of a kind whose plans take time: plan a candidate if that is worth while by now. Collective.
 * @param[in]  now   seconds of a step as the units are held
 * @param[out] best  and in the candidate, if any, or at least
 * @param[in]  make  plans it, and tells what a step takes in it; the same on all ranks but for memory
 * @return HS_OK, also where nothing was planned; else as hs__balancer_agree(): there is no candidate on any rank */
hs_status hs__balancer_plan(hs__balancer *balancer, const hs__decide_phase *phase, const double *cycle, double now,
                            double *best, hs_status (*make)(void *layout, const double *cycle, double *step));

#endif
