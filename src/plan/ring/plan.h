/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_PLAN_H
#define HS_PLAN_RING_PLAN_H

/* The finished plan: a copy of the best ring that stands on its own. */

#include "plan/ring/problem.h"

typedef struct hs__ring_member {
    int host;
    int64_t units;
    double share, compute_time, comm_time;
} hs__ring_member;

struct hs_ring {
    int size, paths, hosts;
    hs__ring_member *member;
    hs_ring_path *path;
    int *links; /* of all paths, one behind the other */
    double step_time, lower_bound;
    double *by_size; /* [q], 1 <= q <= hosts */
    int64_t evaluations;
    hs__pool pool;
};

/** Make the plan of problem->best; lower_bound is left 0. */
hs_status hs__ring_plan(hs__ring_problem *problem, hs_ring **plan);

#endif
