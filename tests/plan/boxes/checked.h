/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PLAN_BOXES_CHECKED_H
#define HS_TESTS_PLAN_BOXES_CHECKED_H

#include "plan/boxes/boxes.h"
#include "tests/unit.h"
#include "util/random.h"

/** A plan that has been made and checked. The caller frees it. */
static inline hs_boxes *plan_as(const hs_boxes_domain *d, const double *cycle, const double *halo, int hosts,
                                const hs_boxes_params *params)
{
    hs_boxes *plan = NULL;
    hs_error error = {0};
    if (hs_boxes_create(d, cycle, halo, hosts, params, &plan, &error) != HS_OK)
        fail_msg("%s", error.text);
    if (hs_boxes_check(plan, cycle, halo, params ? params->model : HS_STEP_SERIAL, &error) != HS_OK)
        fail_msg("%s", error.text);
    return plan;
}

/** Hosts whose speeds differ by up to six, and links of which the slowest takes `dear` seconds a halo cell. */
static inline void draw(hs__random *random, double *cycle, double *halo, int hosts, double dear)
{
    for (int i = 0; i < hosts; i++) {
        cycle[i] = 0.2 + hs__random_unit(random);
        halo[i] = dear * hs__random_unit(random);
    }
}

#endif
