/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_MAPPING_PROBLEM_H
#define HS_PLAN_MAPPING_PROBLEM_H

#include "plan/mapping/mapping.h"

/** Build the problem from what the caller gave, all of which is checked.
 * @param[out] m  set also after a failure; freed with hs__mapping_free() */
hs_status hs__mapping_init(hs__mapping *m, const hs_platform *platform, const hs_mapping_params *params,
                           const hs_mapping_graph *graph, hs_error *error);
void hs__mapping_free(hs__mapping *m);

/** The same for a grid, whose dimensions the planner then knows. */
hs_status hs__mapping_solve(const hs_platform *platform, const hs_mapping_params *params, const hs_mapping_graph *graph,
                            int dimensions, const int *extent, int *rank, hs_mapping_cost *cost,
                            hs_mapping_cost *before, hs_error *error);

#endif
