/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/open.h"
#include "runtime/base/environment.h"
#include "util/array.h"
#include "util/reserved.h"
#include <math.h>
#include <stdio.h>

static hs_status check_params(const hs_params *p, hs_error *error)
{
    if (p->mode < HS_BALANCE_OFF || p->mode > HS_BALANCE_ON)
        return hs_error_set(error, HS_ERR_ARG, 0, "mode is %d, expected an hs_balance_mode", (int)p->mode);
    if (!(p->probe_budget > 0) || !isfinite(p->probe_budget))
        return hs_error_set(error, HS_ERR_ARG, 0, "probe_budget is %g s, expected above 0", p->probe_budget);
    if (!(p->timeout > 0) || !isfinite(p->timeout))
        return hs_error_set(error, HS_ERR_ARG, 0, "timeout is %g s, expected above 0", p->timeout);
    if (!(p->work >= 0) || !isfinite(p->work))
        return hs_error_set(error, HS_ERR_ARG, 0, "work is %g, expected 0 or more", p->work);
    if (!(p->halo >= 0) || !isfinite(p->halo))
        return hs_error_set(error, HS_ERR_ARG, 0, "halo is %g bytes, expected 0 or more", p->halo);
    if (!(p->data >= 0) || !isfinite(p->data))
        return hs_error_set(error, HS_ERR_ARG, 0, "data is %g bytes, expected 0 or more", p->data);
    if (p->steps < 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "steps is %lld, expected 0 or more", (long long)p->steps);
    if (p->model != HS_STEP_SERIAL && p->model != HS_STEP_OVERLAP)
        return hs_error_set(error, HS_ERR_ARG, 0, "model is %d, expected an hs_step_model", (int)p->model);
    if (!(p->move_memory > 0 && p->move_memory <= 1))
        return hs_error_set(error, HS_ERR_ARG, 0, "move_memory is %g, expected above 0, up to 1", p->move_memory);
    return hs__reserved_check(p->reserved, sizeof p->reserved / sizeof *p->reserved, error);
}

/* ---- All ranks are there ---- */

/* Write why the call fails on all ranks: the rank that failed sends its text to the others. */
static hs_status share_failure(hs__peers *peers, hs_status status, int who, const char *call, hs_error *error)
{
    char text[sizeof error->text];
    int rank;
    PMPI_Comm_rank(peers->comm, &rank);
    snprintf(text, sizeof text, "%s", error->text[0] ? error->text : hs_status_text(status));
    hs_status shared = who < 0 ? status : hs__peers_share(peers, who, text, sizeof text);
    if (shared == HS_ERR_TIMEOUT)
        return hs__peers_report_missing(peers, call, error);
    if (who >= 0)
        hs_error_set(error, status, 0, "%s: rank %d: %.200s", call, who, text);
    else
        hs_error_set(error, status, 0, "%s: %s", call, hs_status_text(status));
    if (rank == who || (who < 0 && rank < 2))
        hs__environment_log(HS__LOG_ERROR, "%s", error->text);
    return status;
}

/* The same verdict on all ranks, the lowest status, and on HS_OK a communicator of our own. Needs no memory that could
 * be missing. */
static hs_status come_together(MPI_Comm comm, double seconds, hs_status mine, const char *call, MPI_Comm *internal,
                               hs_error *error)
{
    hs__peers peers;
    int who;
    (void)hs__peers_open(&peers, comm, seconds, 0);
    hs_status status = hs__peers_lowest(&peers, mine, &who);
    if (status == HS_OK && (status = hs__peers_duplicate(&peers, internal)) != HS_OK)
        who = -1;
    if (status != HS_OK)
        status = share_failure(&peers, status, who, call, error);
    hs__peers_close(&peers);
    return status;
}

/* ---- The context ---- */

static hs_context *context_new(MPI_Comm comm)
{
    hs_context *context = hs__array_new(1, sizeof *context);
    if (!context)
        return NULL;
    context->ring = context->internal = MPI_COMM_NULL;
    context->log = hs__environment()->log;
    PMPI_Comm_rank(comm, &context->rank);
    PMPI_Comm_size(comm, &context->size);
    context->speed = hs__array_new((size_t)context->size, sizeof *context->speed);
    if (context->speed && hs__peers_open(&context->peers, MPI_COMM_NULL, 0, 1) == HS_OK &&
        hs__gathering_create(context) == HS_OK)
        return context;
    hs__context_free(context);
    return NULL;
}

/* All ranks take rank 0's settings, except those that this rank's program has given. */
static hs_status take_settings(hs_context *context, const hs_params *given)
{
    hs_params *own = &context->params;
    struct {
        double probe_budget, timeout, move_memory;
        int mode, has_platform;
    } common = {own->probe_budget, own->timeout, own->move_memory, own->mode, own->platform != NULL};
    hs_status status = hs__share(context, 0, &common, sizeof common);
    if (status != HS_OK || context->rank == 0)
        return status;
    own->mode = (hs_balance_mode)common.mode;
    own->probe_budget = common.probe_budget;
    own->move_memory = common.move_memory;
    if (!given || given->timeout == 0)
        own->timeout = context->peers.timeout = common.timeout;
    if (!common.has_platform)
        own->platform = NULL;
    else if (!own->platform)
        own->platform = ""; /* rank 0 reads it */
    return HS_OK;
}

/* The first agreement on a communicator of our own. */
static hs_status meet(hs_context *context, const hs_params *given, const hs__record *mine, const char *const *names)
{
    PMPI_Comm_set_errhandler(context->internal, MPI_ERRORS_RETURN);
    context->peers.comm = context->internal;
    context->peers.timeout = context->params.timeout;
    hs_status status = hs__agree(context, mine, names);
    return status == HS_OK ? take_settings(context, given) : status;
}

hs_status hs__session_open(MPI_Comm comm, const hs_params *given, const hs__record *mine, const char *const *names,
                           const hs_error *problem, hs_context **out, hs_error *error)
{
    const char *call = hs__operation_name(mine->operation);
    const hs_params params = hs__complete_params(given, hs__environment());
    int rank;
    MPI_Comm internal;
    hs_status status = hs__peers_check(comm, call, error);
    if (status != HS_OK) {
        hs__environment_log(HS__LOG_ERROR, "%s", error->text);
        return status;
    }
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0)
        hs__environment_complain();
    hs_context *context = context_new(comm);
    hs_status own = (hs_status)mine->status;
    *error = problem ? *problem : (hs_error){0};
    if (own == HS_OK)
        own = check_params(&params, error);
    if (own == HS_OK && !context)
        own = HS_ERR_NOMEM;
    double seconds = params.timeout > 0 && isfinite(params.timeout) ? params.timeout : hs__environment()->timeout;
    status = come_together(comm, seconds, own, call, &internal, error);
    if (status == HS_OK) {
        context->params = params;
        context->internal = internal;
        status = meet(context, given, mine, names);
        if (status != HS_OK)
            hs_error_set(error, status, 0, "%s", context->error);
    }
    if (status == HS_OK)
        *out = context;
    else if (context)
        hs__context_free(context);
    return status;
}
