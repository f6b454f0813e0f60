/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PLAN_DECISION_CLUSTER_H
#define HS_TESTS_PLAN_DECISION_CLUSTER_H

/* A cluster on paper: true cycle times that the test changes, and the slices that the decider chose. */

#include "plan/decision/slices.h"
#include "util/random.h"

enum { RANKS = 4, UNITS = 1000, ITERATIONS = 10 };

typedef struct cluster {
    double cycle[RANKS], noise;
    int64_t count[RANKS];
    double move_fixed, move_unit;
    int64_t left;
    hs__slices slices;
    hs__decider *decider;
    hs__random random;
    int moves;
    double spent; /* seconds in steps and moves */
    int64_t first_count[RANKS];
} cluster;

/** Slices by these cycle times, which the decider knows; moves cost 0.05 s. */
cluster cluster_start(const double *cycle);
void cluster_end(cluster *c);

/** Seconds of a step: messages take none. */
double cluster_step(const double *cycle, const int64_t *count);

/** One phase under readings[] (the truth when NULL). @return 1 when slices moved */
int cluster_phase(cluster *c, const double *readings);

/** Phases under the truth. */
void cluster_phases(cluster *c, int n);

#endif
