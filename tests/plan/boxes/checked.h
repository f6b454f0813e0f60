/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PLAN_BOXES_CHECKED_H
#define HS_TESTS_PLAN_BOXES_CHECKED_H

#include "plan/boxes/boxes.h"
#include "tests/short_of_memory.h"
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

/** Memory runs out at each allocation in turn of a plan of six hosts. @return how often it was tried until it was made */
static inline int tries_until_made(const hs_boxes_domain *d)
{
    const double cycle[] = {1, 2, 3, 4, 5, 6};
    hs_boxes *plan = NULL;
    int k = 0;
    hs_status status;
    do {
        memory_lasts(k++);
        status = hs_boxes_create(d, cycle, cycle, 6, NULL, &plan, NULL);
        memory_is_back();
        assert_true(status == HS_OK || (status == HS_ERR_NOMEM && !plan));
    } while (status != HS_OK);
    hs_boxes_free(plan);
    return k;
}

#endif
