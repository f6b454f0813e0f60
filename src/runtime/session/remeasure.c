/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/remeasure.h"
#include "plan/links/links.h"
#include "platform/platform.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/probe/stream.h"
#include "runtime/session/place.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/clock.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds of a slice of a flow, of which the first fills queues, and those that are watched. */
static const double slice = 30e-3;
enum { WATCHED_SLICES = 3 };

typedef struct task {
    hs_context *context;
    int hosts, *first;         /* of the ring, and each one's first rank; owned */
    hs__stream_memory *memory; /* owned, left to MPI when peers are broken */
    double *rate;              /* [rounds][host] that arrived there; owned */
} task;

static hs_status task_create(task *t, hs_context *context)
{
    size_t ranks = (size_t)context->size;
    *t = (task){.context = context,
                .first = hs__array_new(ranks, sizeof *t->first),
                .memory = hs__array_new(1, sizeof *t->memory),
                .rate = hs__array_new(HS__LINK_MAX_ROUNDS * ranks, sizeof *t->rate)};
    return t->first && t->memory && t->rate ? HS_OK : HS_ERR_NOMEM;
}

static void task_free(task *t)
{
    free(t->first);
    free(t->rate);
    hs__park_buffer(t->memory, t->context->peers.broken);
}

static hs_status agree(task *t, hs_status mine, double rate)
{
    hs__record record = {HS__OP_REMEASURE, mine, {0}, {rate}};
    return hs__agree(t->context, &record, NULL);
}

/* The ranks of a host stand together. */
static hs_status share_hosts(task *t)
{
    const hs__rank_order *order = &t->context->order;
    int planner = t->context->planner.rank;
    for (int r = 0; r < t->context->size && t->context->rank == planner; r++)
        if (isfinite(order->byte_s[r]) && (r == 0 || order->host[r] != order->host[r - 1]))
            t->first[t->hosts++] = r;
    hs_status status = hs__share(t->context, planner, &t->hosts, sizeof t->hosts);
    return status == HS_OK ? hs__share(t->context, planner, t->first, (size_t)t->context->size * sizeof *t->first)
                           : status;
}

/* This rank's part in a round. @param[out] rate  of what arrived; 0: nothing was to */
static hs_status exchange(task *t, int round, double *rate)
{
    *rate = 0;
    for (int h = 0; h < t->hosts; h++) {
        int partner = hs__link_partner(t->hosts, round, h);
        if (t->first[h] != t->context->rank || partner == h)
            continue;
        const hs__stream stream = {.peers = &t->context->peers,
                                   .peer = t->first[partner],
                                   .slice = slice,
                                   .most = WATCHED_SLICES,
                                   .begin = hs__clock_wall(),
                                   .memory = t->memory};
        return hs__stream_run(&stream, stream.peer, &stream.peer, 1, rate);
    }
    return HS_OK;
}

static hs_status fail(hs_context *context, hs_status status)
{
    if (status == HS_ERR_TIMEOUT)
        return hs__report_missing(context, HS__OP_REMEASURE);
    return hs__context_fail(context, status, "%s: %s", hs__operation_name(HS__OP_REMEASURE), hs_status_text(status));
}

/* All rounds; each begins when the one before has ended on all ranks. */
static hs_status measure(task *t)
{
    int rounds = hs__link_rounds(t->hosts);
    hs_status status = HS_OK;
    for (int k = 0; k < rounds && status == HS_OK; k++) {
        double rate;
        status = exchange(t, k, &rate);
        t->context->peers.broken |= status != HS_OK; /* what was posted is under way */
        if (status != HS_OK)
            return fail(t->context, status);
        status = agree(t, HS_OK, rate);
        for (int h = 0; h < t->hosts && status == HS_OK; h++)
            t->rate[k * t->hosts + h] = t->context->gathering.all[t->first[h]].time[0];
    }
    return status;
}

/* On the rank that has the platform. */
static hs_status explain(const task *t, hs__link_change *change)
{
    const int *host = t->context->order.host;
    int rounds = hs__link_rounds(t->hosts), n = 0;
    int *first = hs__array_new((size_t)rounds + 1, sizeof *first);
    hs__link_flow *flow = hs__array_new((size_t)rounds * (size_t)t->hosts + 1, sizeof *flow);
    hs_status status = first && flow ? HS_OK : HS_ERR_NOMEM;
    for (int k = 0; k < rounds && status == HS_OK; k++) {
        for (int h = 0; h < t->hosts; h++) {
            int partner = hs__link_partner(t->hosts, k, h);
            if (partner != h)
                flow[n++] = (hs__link_flow){host[t->first[partner]], host[t->first[h]], t->rate[k * t->hosts + h]};
        }
        first[k + 1] = n;
    }
    if (status == HS_OK)
        status = hs__link_explain(t->context->planner.platform, rounds, first, flow, change);
    free(first);
    free(flow);
    return status;
}

static hs__link_found describe(const hs_platform *platform, const hs__link_change *change)
{
    hs__link_found found = {0};
    if (change->link < 0)
        return found;
    found.named = 1;
    found.shared = change->twin >= 0;
    found.before = change->before;
    found.after = change->after;
    snprintf(found.id, sizeof found.id, "%s", hs_platform_link_id(platform, change->link));
    size_t length = strlen(found.id);
    if (found.shared && length > 3 && strcmp(found.id + length - 3, "_UP") == 0)
        found.id[length - 3] = '\0'; /* as the file names both halves */
    if (change->host >= 0)
        snprintf(found.host, sizeof found.host, "%s", hs_platform_node_id(platform, change->host));
    return found;
}

static void set_bandwidth(hs_platform *platform, const hs__link_change *change, int after)
{
    if (!platform || change->link < 0)
        return;
    hs__platform_set_bandwidth(platform, change->link, after ? change->after : change->before);
    if (change->twin >= 0)
        hs__platform_set_bandwidth(platform, change->twin, after ? change->twin_after : change->twin_before);
}

/* The planner names the link, and all ranks get memberships by it. */
static hs_status conclude(task *t, hs__link_found *found)
{
    hs_platform *platform = t->context->planner.platform;
    hs__link_change change = {.link = -1};
    hs__link_found own = {0};
    hs_status status = platform ? explain(t, &change) : HS_OK;
    status = agree(t, status, 0);
    if (status != HS_OK)
        return status;
    if (platform)
        own = describe(platform, &change);
    status = hs__share(t->context, t->context->planner.rank, &own, sizeof own);
    if (status != HS_OK || !own.named)
        return status == HS_OK ? HS_UNCHANGED : status;
    set_bandwidth(platform, &change, 1);
    status = hs__place_again(t->context);
    if (status == HS_OK) {
        *found = own;
        return HS_OK;
    }
    set_bandwidth(platform, &change, 0);
    return fail(t->context, status);
}

hs_status hs__remeasure(hs_context *context, hs__link_found *found)
{
    task t;
    if (context->order.memberships == 0)
        return HS_UNCHANGED;
    hs_status status = agree(&(task){.context = context}, task_create(&t, context), 0);
    if (status == HS_OK)
        status = share_hosts(&t);
    if (status == HS_OK)
        status = measure(&t);
    if (status == HS_OK)
        status = conclude(&t, found);
    task_free(&t);
    return status;
}
