/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/agree.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/context.h"
#include "runtime/watch/monitor.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>
#include <string.h>

#define OPERATION_NAME(name, text) text,
static const char *const operation_names[] = {HS__OPERATION_LIST(OPERATION_NAME)};
#undef OPERATION_NAME

const char *hs__operation_name(int32_t operation)
{
    return operation_names[operation];
}

hs_status hs__wait_all(hs_context *context, int count, MPI_Request *requests)
{
    hs__monitor_enter(); /* a wait for other ranks is no computing of the program's */
    hs_status status = hs__peers_wait(&context->peers, 0, count, requests, NULL);
    hs__monitor_leave();
    return status == HS_ERR_MPI ? hs__context_fail(context, status, "MPI failed in a wait") : status;
}

hs_status hs__gathering_create(hs_context *context)
{
    context->gathering.request = MPI_REQUEST_NULL;
    context->gathering.all = hs__array_new((size_t)context->size + 1, sizeof *context->gathering.all);
    return context->gathering.all ? HS_OK : HS_ERR_NOMEM;
}

void hs__gathering_free(hs_context *context)
{
    hs__park_buffer(context->gathering.all, context->gathering.request != MPI_REQUEST_NULL);
}

static hs_status refuse(hs_context *context, const char *call)
{
    return hs__context_fail(context, HS_ERR_STATE, "%s: an earlier collective call has failed", call);
}

static hs_status start(hs_context *context, const hs__record *mine, const char *const *names)
{
    hs__gathering *g = &context->gathering;
    if (context->peers.broken)
        return refuse(context, hs__operation_name(mine->operation));
    HS_ASSERT(g->request == MPI_REQUEST_NULL);
    hs__record *sent = &g->all[context->size]; /* outlives the context when a rank never comes */
    *sent = *mine;
    g->names = names;
    g->travels = 0;
    int code =
        PMPI_Iallgather(sent, sizeof *sent, MPI_BYTE, g->all, sizeof *sent, MPI_BYTE, context->internal, &g->request);
    context->peers.broken |= code != MPI_SUCCESS;
    return code == MPI_SUCCESS ? HS_OK : hs__context_fail(context, HS_ERR_MPI, "MPI_Iallgather failed");
}

hs_status hs__gather_start(hs_context *context, const hs__record *mine, const char *const *names, void *owner,
                           hs__deliver *deliver)
{
    hs__gathering *g = &context->gathering;
    hs_status status = start(context, mine, names);
    HS_ASSERT(owner && (status != HS_OK || !g->owner)); /* one owner at a time */
    if (status == HS_OK) {
        g->travels = 1;
        g->owner = owner;
        g->deliver = deliver;
    }
    return status;
}

void hs__gather_disown(hs_context *context, const void *owner)
{
    if (context->gathering.owner == owner)
        context->gathering.owner = NULL;
}

hs_status hs__report_missing(hs_context *context, int32_t operation)
{
    hs_error error;
    hs__peers_report_missing(&context->peers, operation_names[operation], &error);
    return hs__context_fail(context, HS_ERR_TIMEOUT, "%s", error.text);
}

hs_status hs__report_failure(hs_context *context, int32_t operation, hs_status status, hs_error *error)
{
    if (status == HS_ERR_TIMEOUT && !error->text[0])
        return hs__peers_report_missing(&context->peers, operation_names[operation], error);
    if (status == HS_ERR_TIMEOUT)
        return status;
    const hs_error why = *error;
    hs_error_set(error, status, 0, "%s: %.230s", operation_names[operation],
                 why.text[0] ? why.text : hs_status_text(status));
    if (context->rank == 0)
        hs__context_log(context, HS__LOG_ERROR, "%s", error->text);
    return status;
}

/* Field -1 is the operation, 0 and up are the values. */
static int64_t field_at(const hs__record *record, int field)
{
    return field < 0 ? record->operation : record->value[field];
}

/* The value most ranks hold; ties go to the lowest rank's. */
static int64_t majority(const hs_context *context, int field)
{
    const hs__record *all = context->gathering.all;
    int best_votes = 0;
    int64_t best = field_at(&all[0], field);
    for (int r = 0; r < context->size; r++) {
        int votes = 0;
        for (int s = 0; s < context->size; s++)
            votes += field_at(&all[s], field) == field_at(&all[r], field);
        if (votes > best_votes) {
            best_votes = votes;
            best = field_at(&all[r], field);
        }
    }
    return best;
}

/* Marks who differs from the majority; returns one of them, or -1 when all agree. */
static int odd_ranks(const hs_context *context, int field, char *ranks, size_t room, int64_t *common)
{
    const hs__record *all = context->gathering.all;
    int odd = -1;
    for (int r = 1; r < context->size && odd < 0; r++)
        odd = field_at(&all[r], field) != field_at(&all[0], field) ? r : -1;
    if (odd < 0)
        return -1;
    *common = majority(context, field);
    char *marked = calloc((size_t)context->size, 1);
    for (int r = context->size - 1; r >= 0; r--)
        if (field_at(&all[r], field) != *common) {
            odd = r;
            if (marked)
                marked[r] = 1;
        }
    ranks[0] = '\0';
    if (marked)
        hs__list_ranks(marked, context->size, ranks, room);
    free(marked);
    return odd;
}

/* The ranks at fault print the text on stderr; all keep it. */
static hs_status mismatch(hs_context *context, int field)
{
    const hs__gathering *g = &context->gathering;
    int at_fault = field_at(&g->all[context->rank], field) != majority(context, field);
    if (at_fault)
        hs__context_log(context, HS__LOG_ERROR, "%s", context->error);
    return HS_ERR_MISMATCH;
}

static hs_status check_records(hs_context *context)
{
    const hs__record *all = context->gathering.all;
    const char *const *names = context->gathering.names;
    char ranks[80];
    int64_t common;
    int odd = odd_ranks(context, -1, ranks, sizeof ranks, &common);
    if (odd >= 0) {
        hs__context_fail(context, HS_ERR_MISMATCH, "rank %s called %s where the others called %s", ranks,
                         operation_names[all[odd].operation], operation_names[common]);
        context->peers.broken = 1; /* the ranks are no longer in step */
        return mismatch(context, -1);
    }
    for (int r = 0; r < context->size; r++)
        if (all[r].status < 0)
            return hs__context_fail(context, (hs_status)all[r].status, "%s: rank %d: %s",
                                    operation_names[all[r].operation], r, hs_status_text((hs_status)all[r].status));
    for (int field = 0; names && field < HS__RECORD_VALUES; field++) {
        if (!names[field] || (odd = odd_ranks(context, field, ranks, sizeof ranks, &common)) < 0)
            continue;
        if (names[field][0] == '~')
            hs__context_fail(context, HS_ERR_MISMATCH, "%s: rank %s passed another %s than the others",
                             operation_names[all[odd].operation], ranks, names[field] + 1);
        else
            hs__context_fail(context, HS_ERR_MISMATCH, "%s: rank %s passed %s %lld where the others passed %lld",
                             operation_names[all[odd].operation], ranks, names[field], (long long)all[odd].value[field],
                             (long long)common);
        return mismatch(context, field);
    }
    return HS_OK;
}

hs_status hs__gather_finish(hs_context *context)
{
    hs__gathering *g = &context->gathering;
    hs_status status = hs__wait_all(context, 1, &g->request);
    if (status == HS_ERR_TIMEOUT)
        return hs__report_missing(context, g->all[context->size].operation);
    context->peers.broken |= status != HS_OK; /* other ranks may have all records, and go on without this one */
    g->owner = NULL;
    HS_ASSERT(status != HS_OK || g->request == MPI_REQUEST_NULL);
    HS_ASSERT(status != HS_OK || memcmp(&g->all[context->rank], &g->all[context->size], sizeof *g->all) == 0);
    if (status == HS_OK)
        status = check_records(context);
    if (status == HS_ERR_MISMATCH && g->travels)
        context->peers.broken = 1;
    return status;
}

hs_status hs__gather_settle(hs_context *context, const char *call)
{
    hs__gathering *g = &context->gathering;
    void *owner = g->owner;
    if (context->peers.broken)
        return refuse(context, call);
    if (g->request == MPI_REQUEST_NULL)
        return HS_OK;
    hs_status status = hs__gather_finish(context);
    if (status == HS_OK && owner)
        g->deliver(owner, g->all);
    return status;
}

static int first_failed(const hs_context *context)
{
    int r = 0;
    while (r < context->size && context->gathering.all[r].status >= 0)
        r++;
    return r;
}

hs_status hs__agree(hs_context *context, const hs__record *mine, const char *const *names)
{
    char own[sizeof context->error];
    memcpy(own, context->error, sizeof own);
    hs_status status = start(context, mine, names);
    if (status == HS_OK)
        status = hs__gather_finish(context);
    if (status >= 0 || status != mine->status)
        return status;
    /* This rank knows more of its own failure than the others do; of several such ranks the first one prints it. */
    if (own[0])
        memcpy(context->error, own, sizeof own);
    if (first_failed(context) == context->rank)
        hs__context_log(context, HS__LOG_ERROR, "%s", context->error);
    return status;
}

double hs__gathered_most(const hs_context *context, int which)
{
    double most = context->gathering.all[0].time[which];
    for (int r = 1; r < context->size; r++)
        most = context->gathering.all[r].time[which] > most ? context->gathering.all[r].time[which] : most;
    return most;
}

hs_status hs__share(hs_context *context, int root, void *bytes, size_t count)
{
    if (context->peers.broken)
        return refuse(context, hs__operation_name(context->gathering.all[context->size].operation));
    hs__monitor_enter();
    hs_status status = hs__peers_share(&context->peers, root, bytes, count);
    hs__monitor_leave();
    if (status == HS_ERR_TIMEOUT)
        return hs__report_missing(context, context->gathering.all[context->size].operation);
    return status == HS_OK ? status : hs__context_fail(context, status, "rank %d: MPI failed", root);
}
