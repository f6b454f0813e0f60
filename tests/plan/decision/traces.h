/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PLAN_DECISION_TRACES_H
#define HS_TESTS_PLAN_DECISION_TRACES_H

/* Runs on paper of a few ranks whose speeds change, decided by the decider, and what never moving and hindsight take
 * for the same speeds. Hindsight knows all speeds and all work beforehand and moves among the best slices of every level, or of
 * every fourth phase where work wanders. */

#include <stdint.h>

typedef enum trace_family {
    TRACE_STEADY,    /* noise only */
    TRACE_BURSTS,    /* now and then one phase at other speeds */
    TRACE_PERIODIC,  /* two levels in turn */
    TRACE_RANDOM,    /* a new level now and then */
    TRACE_ADVERSARY, /* another level as soon as units have moved */
    TRACE_FIXED,     /* each rank takes the same time whatever it holds: balancing cannot help */
    TRACE_DECLARED,  /* speeds stay, work wanders, and weights are declared every fifth phase */
    TRACE_WANDERS,   /* work wanders, and is never declared */
    TRACE_FAMILIES
} trace_family;

typedef struct trace_outcome {
    double total, never, hindsight; /* seconds of all phases and moves */
    double moving;                  /* of total, moves */
    double phase;                   /* the longest one of the run */
    int moves;
    int off; /* balancing was off at the end */
} trace_outcome;

trace_outcome trace_run(trace_family family, uint64_t seed);

/** The last two families: speeds stay, and work wanders.
 * @param[in] declare_every  phases from one declaration of weights to the next; 0: weights are never declared */
trace_outcome wandering_run(int declare_every, uint64_t seed);

#endif
