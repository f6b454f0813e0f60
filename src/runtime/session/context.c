/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/environment.h"
#include "runtime/base/world_handle.h"
#include "runtime/session/context.h"
#include "runtime/session/open.h"
#include "runtime/session/place.h"
#include "runtime/watch/library.h"
#include "util/assert.h"
#include "util/double_bits.h"
#include "util/message.h"
#include "util/status.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hs__context_clear(hs_context *context)
{
    context->error[0] = '\0';
}

/* Communicators end with MPI. */
static void notice_end(hs_context *context)
{
    PMPI_Finalized(&context->ended);
    context->peers.broken |= context->ended;
}

hs_status hs__context_check_mpi(hs_context *context, const char *call)
{
    int told = context->ended;
    notice_end(context);
    if (!context->ended)
        return HS_OK;
    hs__context_fail(context, HS_ERR_STATE, "%s: a call after MPI_Finalize, expected before it", call);
    if (!told)
        hs__context_log(context, HS__LOG_ERROR, "%s", context->error);
    return HS_ERR_STATE;
}

hs_status hs__context_begin(hs_context *context, const char *call)
{
    hs__context_clear(context);
    if (context->calls_back)
        return hs__context_fail(context, HS_ERR_STATE, "%s: a call by a callback, expected after it has returned",
                                call);
    hs_status status = hs__context_check_mpi(context, call);
    return status == HS_OK ? hs__gather_settle(context, call) : status;
}

void hs__context_called_back(hs_context *context, hs_status status)
{
    HS_ASSERT(context->calls_back);
    context->calls_back = 0;
    if (status == HS_OK)
        hs__context_clear(context);
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
    hs__message("rank %d: %s: %s", context->rank, names[level], line);
}

hs_status hs__refuse_null(const char *call, const char *argument)
{
    hs_error error;
    hs_status status = hs__error_null(&error, call, argument);
    hs__environment_log(HS__LOG_ERROR, "%s", error.text);
    return status;
}

const char *hs_error_text(const hs_context *context)
{
    return context ? context->error : "context is NULL, expected one that exists";
}

MPI_Comm hs_comm(const hs_context *context)
{
    return context ? context->ring : MPI_COMM_NULL;
}

/* The program may have gone to another folder, or have set the variable itself, since the options were read. */
static const char *named_platform(const hs__options *options)
{
    const char *now = hs__options_environment("HS_PLATFORM");
    return now && strcmp(now, options->platform) == 0 ? hs__environment_platform() : now;
}

hs_params hs__complete_params(const hs_params *given, const hs__options *options)
{
    hs_params params = given ? *given : (hs_params){0};
    if (params.mode == HS_BALANCE_DEFAULT)
        params.mode = (hs_balance_mode)(HS_BALANCE_OFF + options->balance);
    if (options->disable)
        params.mode = HS_BALANCE_OFF;
    if (!params.platform)
        params.platform = named_platform(options);
    if (params.platform && !params.platform[0])
        params.platform = NULL;
    if (!params.host && options->lab_host[0])
        params.host = hs__options_environment("HS_LAB_HOST");
    if (params.probe_budget == 0)
        params.probe_budget = options->probe_budget;
    if (params.timeout == 0)
        params.timeout = options->timeout;
    if (params.move_memory == 0)
        params.move_memory = options->move_memory;
    return params;
}

void hs__context_own(hs_context *context, hs__owned *object, hs__owned functions)
{
    *object = functions;
    object->next = context->owned;
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

hs_status hs__context_check_given(hs_context *context, const char *parameter, const void *pointer)
{
    return pointer ? HS_OK : hs__context_fail(context, HS_ERR_ARG, "%s is NULL, expected a pointer", parameter);
}

hs_status hs__context_check_place(hs_context *context, const hs__owned *object, const char *parameter,
                                  const void *place)
{
    if (!place)
        return hs__context_check_given(context, parameter, place);
    for (const hs__owned *other = context->owned; other; other = other->next) {
        size_t number;
        const char *kept = other->find(other, place, &number);
        if (kept)
            return hs__context_fail(context, HS_ERR_ARG, "%s is that of %s %zu already%s", parameter, kept, number,
                                    other == object ? "" : ", in another layout");
    }
    return HS_OK;
}

void hs__planner_free(hs__planner *planner)
{
    hs_platform_free(planner->platform);
    free(planner->names);
}

void hs__context_free(hs_context *context)
{
    notice_end(context);
    while (context->owned)
        context->owned->free(context->owned);
    hs__gathering_free(context);
    hs__peers_close(&context->peers);
    if (context->internal != MPI_COMM_NULL && !context->peers.broken)
        PMPI_Comm_free(&context->internal);
    if (context->ring != MPI_COMM_NULL && !context->peers.broken)
        PMPI_Comm_free(&context->ring);
    hs__rank_order_free(&context->order);
    free(context->speed);
    hs__planner_free(&context->planner);
    free(context);
}

/* The ranks in the planned order. The program's communicator keeps the handler of errors that comm has. */
static hs_status order_ranks(hs_context *context, MPI_Comm comm, int position)
{
    MPI_Comm ordered;
    MPI_Errhandler handler;
    int who;
    /* MPI has no split with a time-out: all have come as far as this, and only one that stops in it is waited for. */
    hs_status status = hs__peers_lowest(&context->peers, HS_OK, &who);
    if (status != HS_OK)
        return status;
    if (PMPI_Comm_split(context->internal, 0, position, &ordered) != MPI_SUCCESS)
        return HS_ERR_MPI;
    PMPI_Comm_free(&context->internal);
    context->internal = context->peers.comm = ordered;
    PMPI_Comm_rank(context->internal, &context->rank);
    status = hs__peers_duplicate(&context->peers, &context->ring);
    if (status != HS_OK)
        return status;
    PMPI_Comm_get_errhandler(comm, &handler);
    PMPI_Comm_set_errhandler(context->ring, handler);
    PMPI_Errhandler_free(&handler);
    return HS_OK;
}

static hs_status place(hs_context *context, MPI_Comm comm, hs_error *error)
{
    int rank = context->rank;
    hs_status status = HS_OK;
    if (context->params.mode != HS_BALANCE_OFF)
        status = hs__place(&context->peers, &context->params, &context->order, &context->planner, error);
    for (int r = 0; r < context->size; r++)
        context->speed[r] = context->order.speed ? context->order.speed[r] : 1;
    if (status == HS_OK)
        status = order_ranks(context, comm, context->order.position ? context->order.position[rank] : rank);
    return status == HS_OK ? status : hs__report_failure(context, HS__OP_INIT, status, error);
}

hs_status hs_init(MPI_Comm comm, const hs_params *params, hs_context **out, hs_error *error)
{
    fenv_t program;
    static const char *const names[HS__RECORD_VALUES] = {"mode", "model", "steps", "~work", "~halo", "~data"};
    const hs_params given = params ? *params : (hs_params){0};
    hs__record mine = {HS__OP_INIT,
                       HS_OK,
                       {given.mode, given.model, given.steps, (int64_t)hs__bits_of(given.work),
                        (int64_t)hs__bits_of(given.halo), (int64_t)hs__bits_of(given.data)},
                       {0}};
    hs_context *context = NULL;
    hs_error own_problem = {0}, problem = {0};
    if (!out)
        mine.status = hs_error_set(&own_problem, HS_ERR_ARG, 0, "context is NULL, expected a place for it");
    hs__monitor_start();
    hs__library_enter(&program);
    comm = hs__world_of(comm);
    hs_status status = hs__session_open(comm, &given, &mine, names, &own_problem, &context, &problem);
    if (status == HS_OK)
        status = place(context, comm, &problem);
    if (status == HS_OK)
        *out = context;
    else if (context)
        hs__context_free(context);
    if (status != HS_OK && error)
        *error = problem;
    hs__library_leave(&program);
    return status;
}

hs_status hs_finalize(hs_context **place)
{
    hs_context *context = place ? *place : NULL;
    if (!place)
        return hs__refuse_null(__func__, "context");
    if (!context)
        return HS_OK;
    hs__monitor_enter();
    notice_end(context); /* too late, but nothing is lost: no line about it */
    hs__record record = {HS__OP_FINALIZE, HS_OK, {0}, {0}};
    hs_status status = hs__context_begin(context, __func__);
    if (status == HS_OK)
        status = hs__agree(context, &record, NULL);
    hs__context_free(context);
    *place = NULL;
    hs__monitor_leave();
    return status;
}
