/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/environment.h"
#include "runtime/base/world_handle.h"
#include "runtime/session/context.h"
#include "runtime/session/place.h"
#include "runtime/watch/monitor.h"
#include "util/array.h"
#include <heteroslice/hs_version.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void hs__context_clear(hs_context *context)
{
    context->error[0] = '\0';
}

hs_status hs__context_begin(hs_context *context)
{
    hs__context_clear(context);
    return hs__gather_settle(context);
}

hs_status hs__context_fail(hs_context *context, hs_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context->error, sizeof context->error, format, arguments);
    va_end(arguments);
    return status;
}

void hs__context_log(const hs_context *context, hs__log_level level, const char *format, ...)
{
    static const char *const names[] = {HS__CHOICES_LOG};
    char line[512];
    if ((int)level > context->log)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "heteroslice: rank %d: %s: %s\n", context->rank, names[level], line);
}

const char *hs_error_text(const hs_context *context)
{
    return context->error;
}

MPI_Comm hs_comm(const hs_context *context)
{
    return context->ring;
}

hs_params hs__complete_params(const hs_params *given, const hs__options *options)
{
    hs_params params = given ? *given : (hs_params){0};
    if (params.mode == HS_BALANCE_DEFAULT)
        params.mode = (hs_balance_mode)(HS_BALANCE_OFF + options->balance);
    if (options->disable)
        params.mode = HS_BALANCE_OFF;
    if (!params.platform)
        params.platform = hs__options_environment("HS_PLATFORM");
    if (params.platform && !params.platform[0])
        params.platform = NULL;
    if (!params.host && options->lab_host[0])
        params.host = hs__options_environment("HS_LAB_HOST");
    if (params.probe_budget == 0)
        params.probe_budget = options->probe_budget;
    if (params.timeout == 0)
        params.timeout = options->timeout;
    return params;
}

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
    if (p->model != HS_STEP_SERIAL && p->model != HS_STEP_OVERLAP)
        return hs_error_set(error, HS_ERR_ARG, 0, "model is %d, expected an hs_step_model", (int)p->model);
    for (size_t i = 0; i < sizeof p->reserved / sizeof *p->reserved; i++)
        if (p->reserved[i] != 0)
            return hs_error_set(error, HS_ERR_ARG, 0, "reserved[%zu] is %lld, expected 0 by version %s of the library",
                                i, (long long)p->reserved[i], hs_library_version());
    return HS_OK;
}

/* All ranks learn of the first rank whose parameters are bad, and whether the modes and models agree. */
static hs_status agree_on_params(MPI_Comm comm, const hs_params *params, hs_error *error)
{
    hs_error mine = {0, ""};
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    int status = check_params(params, &mine);
    int verdict[5] = {status ? rank : size, params->mode, -(int)params->mode, params->model, -(int)params->model};
    int common[5];
    if (PMPI_Allreduce(verdict, common, 5, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS)
        return hs_error_set(error, HS_ERR_MPI, 0, "MPI_Allreduce failed");
    if (common[0] < size) {
        PMPI_Bcast(&mine, sizeof mine, MPI_BYTE, common[0], comm);
        PMPI_Bcast(&status, 1, MPI_INT, common[0], comm);
        return hs_error_set(error, (hs_status)status, 0, "hs_init: rank %d: %s", common[0], mine.text);
    }
    if (common[1] != -common[2])
        return hs_error_set(error, HS_ERR_MISMATCH, 0, "hs_init: the ranks passed different modes");
    if (common[3] != -common[4])
        return hs_error_set(error, HS_ERR_MISMATCH, 0, "hs_init: the ranks passed different step models");
    return HS_OK;
}

void hs__context_own(hs_context *context, hs__owned *object, void (*free)(hs__owned *object))
{
    *object = (hs__owned){context->owned, free};
    context->owned = object;
}

void hs__context_disown(hs_context *context, const hs__owned *object)
{
    hs__owned **place = &context->owned;
    while (*place && *place != object)
        place = &(*place)->next;
    if (*place)
        *place = object->next;
}

void hs__context_free(hs_context *context)
{
    while (context->owned)
        context->owned->free(context->owned);
    hs__gathering_free(context);
    if (context->internal != MPI_COMM_NULL && !context->gathering.broken)
        PMPI_Comm_free(&context->internal);
    if (context->ring != MPI_COMM_NULL && !context->gathering.broken)
        PMPI_Comm_free(&context->ring);
    free(context->speed);
    hs__memberships_free(&context->memberships);
    free(context);
}

/* Splits the ring communicator off in the planned order; everything of ours then returns errors instead of aborting. */
static hs_status make_communicators(hs_context *context, MPI_Comm comm, int position, hs_error *error)
{
    if (PMPI_Comm_split(comm, 0, position, &context->ring) != MPI_SUCCESS ||
        PMPI_Comm_dup(context->ring, &context->internal) != MPI_SUCCESS)
        return hs_error_set(error, HS_ERR_MPI, 0, "hs_init: MPI cannot make a communicator");
    PMPI_Comm_set_errhandler(context->internal, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(context->ring, &context->rank);
    PMPI_Comm_size(context->ring, &context->size);
    if (hs__gathering_create(context) != HS_OK)
        return hs_error_set(error, HS_ERR_NOMEM, 0, "hs_init: out of memory");
    return HS_OK;
}

static hs_status start(hs_context *context, MPI_Comm comm, hs_error *error)
{
    int position;
    PMPI_Comm_rank(comm, &position);
    hs_status status = agree_on_params(comm, &context->params, error);
    if (status == HS_OK && context->params.mode != HS_BALANCE_OFF)
        status = hs__place(comm, &context->params, &position, &context->speed, &context->memberships, error);
    return status == HS_OK ? make_communicators(context, comm, position, error) : status;
}

hs_status hs_init(MPI_Comm comm, const hs_params *params, hs_context **out, hs_error *error)
{
    int rank, initialized = 0;
    PMPI_Initialized(&initialized);
    if (!initialized)
        return hs_error_set(error, HS_ERR_STATE, 0, "hs_init: MPI_Init must come first");
    hs_context *context = hs__array_new(1, sizeof *context);
    if (!context)
        return hs_error_set(error, HS_ERR_NOMEM, 0, "hs_init: out of memory");
    hs__monitor_start();
    hs__monitor_enter();
    context->ring = context->internal = MPI_COMM_NULL;
    context->gathering.request = MPI_REQUEST_NULL;
    comm = hs__world_of(comm);
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0)
        hs__environment_complain();
    context->log = hs__environment()->log;
    context->params = hs__complete_params(params, hs__environment());
    hs_error problem = {0};
    hs_status status = start(context, comm, &problem);
    if (status == HS_OK) {
        *out = context;
    } else {
        if (rank == 0)
            hs__context_log(context, HS__LOG_ERROR, "%s", problem.text);
        if (error)
            *error = problem;
        hs__context_free(context);
    }
    hs__monitor_leave();
    return status;
}

hs_status hs_finalize(hs_context **place)
{
    hs_context *context = *place;
    if (!context)
        return HS_OK;
    hs__monitor_enter();
    hs__record record = {HS__OP_FINALIZE, HS_OK, {0}, {0}};
    hs_status status = hs__context_begin(context);
    if (status == HS_OK)
        status = hs__agree(context, &record, NULL);
    hs__context_free(context);
    *place = NULL;
    hs__monitor_leave();
    return status;
}
