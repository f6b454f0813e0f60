/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/agree.h"
#include "runtime/base/backoff.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/context.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/clock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* After a time-out the ranks that are there say so; a rank that is silent this much longer is missing. */
#define ROLL_CALL_NS 500000000
#define ROLL_CALL_TAG 1

/* Sent at a time by hs__share(). */
enum { SHARED_BYTES = 4096 };

#define OPERATION_NAME(name, text) text,
static const char *const operation_names[] = {HS__OPERATION_LIST(OPERATION_NAME)};
#undef OPERATION_NAME

const char *hs__operation_name(int32_t operation)
{
    return operation_names[operation];
}

hs_status hs__wait_requests(double seconds, int count, MPI_Request *requests, MPI_Status *statuses)
{
    int64_t start = hs__clock_ns(), limit = hs__clock_span_ns(seconds);
    hs_status status = HS_OK;
    for (;;) {
        int one = MPI_UNDEFINED, done = 0;
        MPI_Status received;
        int code = PMPI_Testany(count, requests, &one, &done, &received);
        if (code != MPI_SUCCESS)
            status = HS_ERR_MPI;
        if (code != MPI_SUCCESS && (one == MPI_UNDEFINED || requests[one] != MPI_REQUEST_NULL))
            return HS_ERR_MPI; /* not known of which */
        if (done && one == MPI_UNDEFINED)
            return status;
        if (one != MPI_UNDEFINED && statuses)
            statuses[one] = received;
        if (one != MPI_UNDEFINED)
            start = hs__clock_ns();
        if (hs__clock_ns() - start > limit)
            return HS_ERR_TIMEOUT;
        if (!done)
            hs__backoff_since(start);
    }
}

hs_status hs__wait_all(hs_context *context, int count, MPI_Request *requests)
{
    hs_status status = hs__wait_requests(context->params.timeout, count, requests, NULL);
    return status == HS_ERR_MPI ? hs__context_fail(context, status, "MPI failed in a wait") : status;
}

hs_status hs__gathering_create(hs_context *context)
{
    context->gathering.request = MPI_REQUEST_NULL;
    context->gathering.all = hs__array_new((size_t)context->size + 1, sizeof *context->gathering.all);
    context->gathering.shared = hs__array_new(1, SHARED_BYTES);
    return context->gathering.all && context->gathering.shared ? HS_OK : HS_ERR_NOMEM;
}

void hs__gathering_free(hs_context *context)
{
    hs__park_buffer(context->gathering.shared, context->gathering.broken);
    hs__park_buffer(context->gathering.all, context->gathering.request != MPI_REQUEST_NULL);
}

static hs_status refuse(hs_context *context)
{
    return hs__context_fail(context, HS_ERR_STATE, "an earlier collective call has failed");
}

static hs_status start(hs_context *context, const hs__record *mine, const char *const *names)
{
    hs__gathering *g = &context->gathering;
    if (g->broken)
        return refuse(context);
    HS_ASSERT(g->request == MPI_REQUEST_NULL);
    hs__record *sent = &g->all[context->size]; /* outlives the context when a rank never comes */
    *sent = *mine;
    g->names = names;
    g->travels = 0;
    int code =
        PMPI_Iallgather(sent, sizeof *sent, MPI_BYTE, g->all, sizeof *sent, MPI_BYTE, context->internal, &g->request);
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

/* Appends "3, 5" for the ranks marked; at most a few are written out. */
static void list_ranks(const char *marked, int size, char *text, size_t room)
{
    int listed = 0;
    text[0] = '\0';
    for (int r = 0; r < size; r++) {
        if (!marked[r])
            continue;
        size_t used = strlen(text);
        if (++listed > 8) {
            snprintf(text + used, room - used, ", ...");
            return;
        }
        snprintf(text + used, room - used, "%s%d", listed > 1 ? ", " : "", r);
    }
}

/* After a time-out each rank sends a message to all others and receives theirs for a moment. Fills missing[]. */
static void call_roll(hs_context *context, char *missing)
{
    static const char here = 1;
    MPI_Request request;
    for (int r = 0; r < context->size; r++)
        if (r != context->rank &&
            PMPI_Isend(&here, 1, MPI_BYTE, r, ROLL_CALL_TAG, context->internal, &request) == MPI_SUCCESS)
            PMPI_Request_free(&request);
    memset(missing, 1, (size_t)context->size);
    missing[context->rank] = 0;
    for (int64_t start = hs__clock_ns(); hs__clock_ns() - start < ROLL_CALL_NS;) {
        int flag = 0;
        MPI_Status status;
        PMPI_Iprobe(MPI_ANY_SOURCE, ROLL_CALL_TAG, context->internal, &flag, &status);
        if (flag) {
            char byte;
            PMPI_Recv(&byte, 1, MPI_BYTE, status.MPI_SOURCE, ROLL_CALL_TAG, context->internal, MPI_STATUS_IGNORE);
            missing[status.MPI_SOURCE] = 0;
        } else {
            hs__backoff_since(start);
        }
    }
}

hs_status hs__report_missing(hs_context *context, int32_t operation)
{
    hs__gathering *g = &context->gathering;
    char ranks[80] = "";
    char *missing = malloc((size_t)context->size);
    int speaker = 0; /* the lowest rank that is there prints the message */
    g->broken = 1;
    if (missing) {
        call_roll(context, missing);
        list_ranks(missing, context->size, ranks, sizeof ranks);
        while (missing[speaker])
            speaker++;
    }
    if (missing && !ranks[0])
        hs__context_fail(context, HS_ERR_TIMEOUT, "%s: not done within %g s, though all ranks are there",
                         operation_names[operation], context->params.timeout);
    else
        hs__context_fail(context, HS_ERR_TIMEOUT, "%s: rank %s did not arrive within %g s", operation_names[operation],
                         ranks[0] ? ranks : "(unknown)", context->params.timeout);
    free(missing);
    if (context->rank == speaker)
        hs__context_log(context, HS__LOG_ERROR, "%s", context->error);
    else
        nanosleep(&(struct timespec){.tv_nsec = ROLL_CALL_NS}, NULL); /* a program that aborts now would cut it short */
    return HS_ERR_TIMEOUT;
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
        list_ranks(marked, context->size, ranks, room);
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
        context->gathering.broken = 1; /* the ranks are no longer in step */
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
    g->owner = NULL;
    HS_ASSERT(status != HS_OK || g->request == MPI_REQUEST_NULL);
    HS_ASSERT(status != HS_OK || memcmp(&g->all[context->rank], &g->all[context->size], sizeof *g->all) == 0);
    if (status == HS_OK)
        status = check_records(context);
    if (status == HS_ERR_MISMATCH && g->travels)
        g->broken = 1;
    return status;
}

hs_status hs__gather_settle(hs_context *context)
{
    hs__gathering *g = &context->gathering;
    void *owner = g->owner;
    if (g->broken)
        return refuse(context);
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

double hs__gathered_least(const hs_context *context, int which)
{
    double least = context->gathering.all[0].time[which];
    for (int r = 1; r < context->size; r++)
        least = context->gathering.all[r].time[which] < least ? context->gathering.all[r].time[which] : least;
    return least;
}

/* By way of memory that outlives the call when the root is silent. */
static hs_status share_piece(hs_context *context, int root, char *bytes, size_t count)
{
    hs__gathering *g = &context->gathering;
    MPI_Request request;
    if (g->broken)
        return refuse(context);
    memcpy(g->shared, bytes, count);
    hs_status status = HS_ERR_MPI;
    if (PMPI_Ibcast(g->shared, (int)count, MPI_BYTE, root, context->internal, &request) == MPI_SUCCESS)
        status = hs__wait_requests(context->params.timeout, 1, &request, NULL);
    if (status == HS_OK) {
        memcpy(bytes, g->shared, count);
        return HS_OK;
    }
    g->broken = 1;
    return hs__context_fail(context, status, status == HS_ERR_TIMEOUT ? "rank %d is silent" : "rank %d: MPI failed",
                            root);
}

hs_status hs__share(hs_context *context, int root, void *bytes, size_t count)
{
    hs_status status = HS_OK;
    for (size_t done = 0; done < count && status == HS_OK; done += SHARED_BYTES)
        status =
            share_piece(context, root, (char *)bytes + done, count - done < SHARED_BYTES ? count - done : SHARED_BYTES);
    return status;
}
