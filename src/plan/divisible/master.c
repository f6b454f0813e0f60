/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of the master: every host is tried (divisible-load-notes-2012, section 3). On a bus with real loads the
 * fastest wins, since alpha_1 + alpha_2 = (c + w_1 + w_2) / (c w_1 + w_1 w_2) per second grows when the smaller w is
 * w_1; on stars and with whole items it need not. */
#include "plan/divisible/plan.h"
#include "util/array.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void comm_from(const hs_divisible_params *params, int master, double *comm)
{
    for (int i = 0; i < params->hosts; i++)
        comm[i] = i == master ? 0.0 : fmax(params->comm_time[master], params->comm_time[i]);
}

hs_status hs_divisible_choose_master(const hs_divisible_params *params, int *master, double *comm_time, hs_error *error)
{
    hs_status status = hs__divisible_check_params(params, error);
    if (status != HS_OK)
        return status;
    if (!master)
        return hs_error_set(error, HS_ERR_ARG, 0, "no place for the master");
    double *comm = hs__array_new((size_t)params->hosts, sizeof *comm), best = INFINITY;
    if (!comm)
        return hs__error_status(error, HS_ERR_NOMEM);
    int chosen = 0;
    hs_divisible_params trial = *params;
    trial.comm_time = comm;
    for (int m = 0; m < params->hosts && status == HS_OK; m++) {
        hs_divisible *plan = NULL;
        comm_from(params, m, comm);
        status = hs_divisible_create(&trial, &plan, error);
        if (status == HS_OK && hs_divisible_makespan(plan) < best) {
            best = hs_divisible_makespan(plan);
            chosen = m;
        }
        hs_divisible_free(plan);
    }
    if (status == HS_OK) {
        *master = chosen;
        comm_from(params, chosen, comm);
        if (comm_time)
            memcpy(comm_time, comm, (size_t)params->hosts * sizeof *comm);
    }
    free(comm);
    return status;
}
