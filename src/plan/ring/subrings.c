/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring/subrings.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much longer than its messages the work of a step takes, for a ring of all hosts. */
#define NEUTRAL 1e6

/* The ratios of computing to messages that memberships are planned for. */
#define MAX_COMPUTING 32.0
#define MIN_COMPUTING (1 / 128.0)
#define NEXT_RATIO (1 / 1.5)
#define NEXT_RATIO_LARGE (1 / 3.0)

/* Rings that the search for one membership evaluates, and hosts above which it evaluates fewer, for fewer ratios: what
 * the program waits for at its start. On a busy machine 24 hosts take 0.6 s, 48 take 1.2 s, 64 take 1.9 s, 140 take 3 s;
 * larger platforms, where rings of blocks are searched first, take 10 s. */
enum { BUDGET = 1000, SMALL_BUDGET = 100, LARGE = 64 };

/* The task while it is under way. */
typedef struct search {
    const hs_platform *platform;
    hs_ring_params params;
    const double *host_speed; /* by host; borrowed */
    double speed;             /* of all hosts */
    int max_count;            /* memberships */
    hs__subrings *made;
    char *member; /* [membership][position] */
    hs_error *error;
} search;

void hs__subrings_free(hs__subrings *s)
{
    if (!s)
        return;
    free(s->host);
    free(s->byte_time);
    free(s->traffic);
    free(s);
}

static size_t place_of(const hs__subrings *s, hs__ring_ends ends, int membership)
{
    return (size_t)ends * (size_t)s->count + (size_t)membership;
}

const hs__byte_time *hs__subrings_at(const hs__subrings *s, hs__ring_ends ends, int membership)
{
    return s->byte_time + place_of(s, ends, membership) * (size_t)s->size;
}

static double slowest_link(const hs_platform *platform)
{
    double slowest = INFINITY;
    for (int l = 0; l < hs_platform_links(platform); l++)
        slowest = fmin(slowest, hs_platform_link_bandwidth(platform, l));
    return slowest;
}

/* The position of a closed ring behind its narrowest path: an open ring does without that path. */
static int behind_narrowest(const hs_ring *ring)
{
    int size = hs_ring_size(ring), best = 0;
    double narrowest = INFINITY;
    for (int k = 0; k < size && hs_ring_paths(ring) > 0; k++) {
        double there = hs_ring_path_at(ring, 2 * k)->bandwidth, back = hs_ring_path_at(ring, 2 * k + 1)->bandwidth;
        if (fmin(there, back) < narrowest) {
            narrowest = fmin(there, back);
            best = (k + 1) % size;
        }
    }
    return best;
}

/* The order of all hosts, in which the messages take least time, weighted by the speeds of those who wait for them. */
static hs_status find_order(search *s, double *message_s)
{
    hs_ring *ring = NULL;
    double slowest = slowest_link(s->platform);
    hs_ring_params params = s->params;
    params.work = isfinite(slowest) ? NEUTRAL * s->speed / slowest : s->speed;
    hs_status status = hs_ring_create(s->platform, &params, &ring, s->error);
    if (status != HS_OK)
        return status;
    int size = hs_ring_size(ring), first = behind_narrowest(ring);
    s->made->host = hs__array_new((size_t)size, sizeof *s->made->host);
    *message_s = 0;
    for (int k = 0; k < size && s->made->host; k++) {
        s->made->host[k] = hs_ring_host(ring, (first + k) % size);
        *message_s += hs_ring_comm_time(ring, k) / size;
    }
    s->made->size = size;
    hs_ring_free(ring);
    return s->made->host ? HS_OK : HS_ERR_NOMEM;
}

/* Adds the members of a ring, unless they are there already. */
static void add_membership(search *s, const hs_ring *ring)
{
    size_t size = (size_t)s->made->size;
    char *added = s->member + (size_t)s->made->count * size;
    memset(added, 0, size);
    for (int k = 0; k < s->made->size; k++)
        for (int j = 0; j < hs_ring_size(ring); j++)
            added[k] |= hs_ring_host(ring, j) == s->made->host[k];
    for (int m = 0; m < s->made->count; m++)
        if (memcmp(s->member + (size_t)m * size, added, size) == 0)
            return;
    s->made->count++;
    HS_ASSERT(s->made->count <= s->max_count);
}

/* One membership for each ratio of computing to messages, as overlapped steps would have it: in serial steps messages
 * and computing add up, which makes no other memberships worth while (mean 0.1 % on random platforms). */
static hs_status find_memberships(search *s, double message_s)
{
    hs_status status = HS_OK;
    int members = s->made->size;
    hs_ring_params params = s->params;
    params.model = HS_STEP_OVERLAP;
    params.budget = members > LARGE ? SMALL_BUDGET : BUDGET;
    double next = members > LARGE ? NEXT_RATIO_LARGE : NEXT_RATIO;
    for (double ratio = MAX_COMPUTING;
         ratio > MIN_COMPUTING && message_s > 0 && members > 1 && status == HS_OK && s->made->count < s->max_count;
         ratio *= next) {
        hs_ring *ring = NULL;
        params.work = s->speed * message_s * ratio;
        status = hs_ring_create(s->platform, &params, &ring, s->error);
        if (status != HS_OK)
            return status;
        members = hs_ring_size(ring);
        add_membership(s, ring);
        hs_ring_free(ring);
    }
    return status;
}

/* The messages of one membership: from each member to the next, and back. */
typedef struct flows {
    int count;
    int *from; /* [flow] position; the receiver is the sender of the flow of the other direction, flow ^ 1 */
    hs_route *route;
    const int **links;
    size_t *crossed;
    double *rate;
    hs__pool pool; /* has all arrays */
} flows;

static void flows_free(flows *f, int room)
{
    for (int i = 0; f->route && i < room; i++)
        hs_route_free(&f->route[i]);
    hs__pool_free(&f->pool);
}

static hs_status flows_create(flows *f, size_t room)
{
    *f = (flows){0};
    f->from = hs__pool_new(&f->pool, room, sizeof *f->from);
    f->route = hs__pool_new(&f->pool, room, sizeof *f->route);
    f->links = hs__pool_new(&f->pool, room, sizeof *f->links);
    f->crossed = hs__pool_new(&f->pool, room, sizeof *f->crossed);
    f->rate = hs__pool_new(&f->pool, room, sizeof *f->rate);
    return hs__pool_status(&f->pool);
}

static hs_status add_flow(const search *s, flows *f, int from, int to)
{
    int i = f->count++;
    hs_status status = hs_platform_route(s->platform, s->made->host[from], s->made->host[to], &f->route[i]);
    f->from[i] = from;
    f->links[i] = f->route[i].links;
    f->crossed[i] = f->route[i].count;
    if (status == HS_ERR_UNREACHABLE)
        return hs_error_set(s->error, status, 0, "no route from host '%s' to '%s'",
                            hs_platform_node_id(s->platform, s->made->host[from]),
                            hs_platform_node_id(s->platform, s->made->host[to]));
    return status;
}

/* The member behind position k; -1: an open ring ends there. */
static int member_behind(const search *s, const char *member, hs__ring_ends ends, int k)
{
    int size = s->made->size;
    for (int step = 1; step < size; step++) {
        if (ends == HS__RING_OPEN && k + step >= size)
            return -1;
        if (member[(k + step) % size])
            return (k + step) % size;
    }
    return -1;
}

static hs_status add_flows(const search *s, const char *member, hs__ring_ends ends, flows *f)
{
    hs_status status = HS_OK;
    f->count = 0;
    for (int k = 0; k < s->made->size && status == HS_OK; k++) {
        int next = member[k] ? member_behind(s, member, ends, k) : -1;
        if (next < 0)
            continue;
        status = add_flow(s, f, k, next);
        if (status == HS_OK)
            status = add_flow(s, f, next, k);
    }
    return status;
}

/* Byte times of one membership, from the rates of all its messages at once. */
static hs_status time_membership(const search *s, hs__ring_ends ends, int membership, flows *f)
{
    int size = s->made->size;
    const char *member = s->member + (size_t)membership * (size_t)size;
    size_t place = place_of(s->made, ends, membership);
    hs__byte_time *time = s->made->byte_time + place * (size_t)size;
    hs_status status = add_flows(s, member, ends, f);
    if (status == HS_OK && f->count > 0)
        status = hs_platform_maxmin(s->platform, f->links, f->crossed, (size_t)f->count, f->rate);
    if (status != HS_OK)
        return status;
    for (int k = 0; k < size; k++)
        time[k] = member[k] ? (hs__byte_time){0, 0} : (hs__byte_time){INFINITY, INFINITY};
    for (int i = 0; i < f->count; i += 2) {
        double there_and_back = fmax(1 / f->rate[i], 1 / f->rate[i + 1]);
        time[f->from[i]].next = time[f->from[i + 1]].prev = there_and_back;
        s->made->traffic[place] += (double)(f->crossed[i] + f->crossed[i + 1]);
    }
    return HS_OK;
}

static hs_status time_memberships(search *s)
{
    size_t size = (size_t)s->made->size, count = HS__RING_ENDS * (size_t)s->made->count;
    flows f;
    hs_status status = flows_create(&f, 2 * size);
    s->made->byte_time = hs__array_new(count * size, sizeof *s->made->byte_time);
    s->made->traffic = hs__array_new(count, sizeof *s->made->traffic);
    if (!s->made->byte_time || !s->made->traffic)
        status = HS_ERR_NOMEM;
    for (hs__ring_ends ends = HS__RING_OPEN; ends < HS__RING_ENDS; ends++)
        for (int m = 0; m < s->made->count && status == HS_OK; m++)
            status = time_membership(s, ends, m, &f);
    flows_free(&f, (int)(2 * size));
    return status;
}

/* The memberships to begin with: all hosts, or those that are known, in their order. */
static hs_status begin_with(search *s, const hs__subrings *known, const char *member)
{
    size_t size = (size_t)s->made->size;
    HS_ASSERT(!known || (known->size == s->made->size && known->count >= 1 && known->count <= s->max_count));
    s->member = hs__array_new((size_t)s->max_count * size, 1);
    if (!s->member)
        return HS_ERR_NOMEM;
    s->made->count = known ? known->count : 1;
    if (known) {
        memcpy(s->made->host, known->host, size * sizeof *known->host);
        memcpy(s->member, member, (size_t)known->count * size);
    } else {
        memset(s->member, 1, size);
    }
    return HS_OK;
}

static hs_status create(search s, const hs__subrings *known, const char *member, hs__subrings **out)
{
    double message_s = 0;
    s.made = hs__array_new(1, sizeof *s.made);
    if (!s.made)
        return hs__error_status(s.error, HS_ERR_NOMEM);
    hs_ring_params_init(&s.params);
    s.params.halo = 1;
    s.params.speed = s.host_speed;
    for (int h = 0; h < hs_platform_hosts(s.platform); h++)
        s.speed += s.host_speed[h];
    hs_status status = find_order(&s, &message_s);
    if (status == HS_OK)
        status = begin_with(&s, known, member);
    if (status == HS_OK)
        status = find_memberships(&s, message_s);
    if (status == HS_OK)
        status = time_memberships(&s);
    free(s.member);
    if (status == HS_OK) {
        *out = s.made;
        return HS_OK;
    }
    hs__subrings_free(s.made);
    return status == HS_ERR_NOMEM ? hs__error_status(s.error, status) : status;
}

hs_status hs__subrings_create(const hs_platform *platform, const double *speed, int max_count, hs__subrings **out,
                              hs_error *error)
{
    return create((search){.platform = platform, .host_speed = speed, .max_count = max_count, .error = error}, NULL,
                  NULL, out);
}

hs_status hs__subrings_again(const hs_platform *platform, const double *speed, int max_count, const hs__subrings *known,
                             const char *member, hs__subrings **out, hs_error *error)
{
    return create((search){.platform = platform, .host_speed = speed, .max_count = max_count, .error = error}, known,
                  member, out);
}
