/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/boxes/boxes.h"

#include "util/array.h"
#include "util/status.h"
#include <stdlib.h>

/* Every host has one place at most, and no box without a place. */
static hs_status check_places(const hs_boxes *plan, hs_error *error)
{
    int places = hs__boxes_places(plan);
    char *seen = hs__array_new((size_t)plan->hosts, 1);
    hs_status status = seen ? HS_OK : HS_ERR_NOMEM;
    for (int k = 0; status == HS_OK && k < places; k++) {
        int host = plan->host[k];
        if (host < 0 || host >= plan->hosts || seen[host]++)
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "place %d: host %d is out of range or has another place",
                                  k, host);
    }
    for (int i = 0; status == HS_OK && i < plan->hosts; i++)
        if (!seen[i] && hs__box_cells(&plan->box[i]) > 0)
            status = hs_error_set(error, HS_ERR_INTERNAL, 0, "host %d has cells but no place", i);
    free(seen);
    return status;
}

hs_status hs_boxes_check(const hs_boxes *plan, const double *cycle_time, const double *halo_time, hs_step_model model,
                         hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(plan, error);
    hs_status status = check_places(plan, error);
    if (status == HS_OK)
        status = hs__boxes_tile(&plan->domain, plan->box, plan->hosts, error);
    double step_time = plan->halo_s
                           ? hs__boxes_step_waiting(plan->box, cycle_time, plan->halo_s, plan->hosts, model)
                           : hs__boxes_step(&plan->domain, plan->box, cycle_time, halo_time, plan->hosts, model);
    if (status == HS_OK && plan->step_time != step_time)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the step takes %g s, not %g s", step_time, plan->step_time);
    return status;
}
