/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulated steps of a plan. The plan lets all messages share the links at once and adds up the two of a member;
 * here a message takes part in the sharing from when it is sent until it has arrived, so others speed up when it ends.
 * Time goes from event to event: a member has computed, or a message has arrived. */
#include "plan/ring/plan.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>

typedef enum phase { COMPUTING, SENDING, WAITING } phase;

typedef struct actor {
    phase phase;
    int64_t step;    /* the step it is in */
    double computed; /* when it has computed, seconds */
} actor;

typedef struct flight {
    int64_t sent, arrived; /* messages so far; at most one is on its way */
    double left;           /* bytes to go; < 0: the receiver is not there yet */
    double ready;          /* when its latency is over */
} flight;

typedef struct simulation {
    const hs_platform *platform;
    const hs_ring_params *params;
    const hs_ring *ring;
    double now;
    actor *actor;      /* [size] */
    flight *flight;    /* [paths] */
    int *moving;       /* [paths], messages that share the links now */
    const int **links; /* [paths], theirs */
    size_t *counts;
    double *rate;
    size_t count;
} simulation;

static int receiver_of(const simulation *p, int f)
{
    return f % 2 ? f / 2 : (f / 2 + 1) % p->ring->size;
}

/* The path from position k to the one before. */
static int back_of(const simulation *p, int k)
{
    return 2 * ((k + p->ring->size - 1) % p->ring->size) + 1;
}

static void send(simulation *p, int f)
{
    p->flight[f].sent++;
    p->flight[f].left = -1;
}

static void begin_step(simulation *p, int k)
{
    p->actor[k].phase = COMPUTING;
    p->actor[k].computed = p->now + p->ring->member[k].compute_time;
    if (p->params->model == HS_STEP_OVERLAP && p->ring->paths > 0) {
        send(p, 2 * k);
        send(p, back_of(p, k));
    }
}

static int has_all(const simulation *p, int k)
{
    int64_t step = p->actor[k].step;
    int ahead = 2 * k, back = back_of(p, k), paths = p->ring->paths;
    return paths == 0 || (p->flight[ahead].arrived > step && p->flight[back].arrived > step &&
                          p->flight[ahead + 1].arrived > step && p->flight[back - 1].arrived > step);
}

/* Takes position k as far as it gets now; 0 when it does not move. */
static int step_position(simulation *p, int k, int64_t steps)
{
    actor *a = &p->actor[k];
    if (a->step == steps)
        return 0;
    if (a->phase == COMPUTING && a->computed <= p->now) {
        int sends = p->params->model == HS_STEP_SERIAL && p->ring->paths > 0;
        a->phase = sends ? SENDING : WAITING;
        if (sends)
            send(p, 2 * k);
        return 1;
    }
    if (a->phase == SENDING && p->flight[2 * k].arrived > a->step) {
        a->phase = WAITING;
        send(p, back_of(p, k));
        return 1;
    }
    if (a->phase == WAITING && has_all(p, k)) {
        a->step++;
        if (a->step < steps)
            begin_step(p, k);
        return 1;
    }
    return 0;
}

/* Starts the messages whose receivers have reached their step. */
static void start_transfers(simulation *p)
{
    for (int f = 0; f < p->ring->paths; f++) {
        flight *m = &p->flight[f];
        if (m->sent == m->arrived || m->left >= 0 || p->actor[receiver_of(p, f)].step < m->arrived)
            continue;
        m->left = p->params->halo;
        m->ready = p->now + (p->params->latency == HS_RING_LATENCY_ADDED ? p->ring->path[f].latency : 0.0);
    }
}

static hs_status share_links(simulation *p)
{
    p->count = 0;
    for (int f = 0; f < p->ring->paths; f++)
        if (p->flight[f].sent > p->flight[f].arrived && p->flight[f].left >= 0 && p->flight[f].ready <= p->now) {
            p->moving[p->count] = f;
            p->links[p->count] = p->ring->path[f].links;
            p->counts[p->count++] = p->ring->path[f].count;
        }
    return hs_platform_maxmin(p->platform, p->links, p->counts, p->count, p->rate);
}

static double arrival(const simulation *p, size_t i)
{
    double left = p->flight[p->moving[i]].left;
    return p->now + (left > 0 ? left / p->rate[i] : 0.0);
}

/* Advances to the next event; 0 when there is none. */
static int advance(simulation *p, int64_t steps)
{
    double next = INFINITY;
    for (int k = 0; k < p->ring->size; k++)
        if (p->actor[k].step < steps && p->actor[k].phase == COMPUTING)
            next = fmin(next, p->actor[k].computed);
    for (int f = 0; f < p->ring->paths; f++)
        if (p->flight[f].sent > p->flight[f].arrived && p->flight[f].left >= 0 && p->flight[f].ready > p->now)
            next = fmin(next, p->flight[f].ready);
    for (size_t i = 0; i < p->count; i++)
        next = fmin(next, arrival(p, i));
    if (isinf(next))
        return 0;
    HS_ASSERT(next >= p->now);
    for (size_t i = 0; i < p->count; i++) {
        flight *m = &p->flight[p->moving[i]];
        if (arrival(p, i) <= next + 1e-12 * (next - p->now)) /* those that arrive together by all but rounding */
            m->arrived++;
        else
            m->left -= p->rate[i] * (next - p->now);
        HS_ASSERT(m->left >= -1e-6 * p->params->halo);
    }
    p->now = next;
    return 1;
}

/* Whether all positions have done their steps: none waits for a message that is never sent. */
static int all_done(const simulation *p, int64_t steps)
{
    for (int k = 0; k < p->ring->size; k++)
        if (p->actor[k].step != steps)
            return 0;
    return 1;
}

static hs_status simulate(simulation *p, int64_t steps)
{
    hs_status status = HS_OK;
    for (int k = 0; k < p->ring->size; k++)
        begin_step(p, k);
    do {
        for (int moved = 1; moved;) {
            moved = 0;
            for (int k = 0; k < p->ring->size; k++)
                moved |= step_position(p, k, steps);
        }
        start_transfers(p);
        status = share_links(p);
    } while (status == HS_OK && advance(p, steps));
    HS_ASSERT(status != HS_OK || all_done(p, steps));
    return status;
}

hs_status hs_ring_simulate(const hs_platform *platform, const hs_ring_params *params, const hs_ring *ring,
                           int64_t steps, double *step_time)
{
    hs__pool pool = {0};
    if (!platform || !params || !ring || !step_time || steps < 1 || !(params->halo >= 0) || isinf(params->halo))
        return HS_ERR_ARG;
    size_t paths = (size_t)ring->paths;
    simulation p = {.platform = platform,
                    .params = params,
                    .ring = ring,
                    .actor = hs__pool_new(&pool, (size_t)ring->size, sizeof *p.actor),
                    .flight = hs__pool_new(&pool, paths, sizeof *p.flight),
                    .moving = hs__pool_new(&pool, paths, sizeof *p.moving),
                    .links = hs__pool_new(&pool, paths, sizeof *p.links),
                    .counts = hs__pool_new(&pool, paths, sizeof *p.counts),
                    .rate = hs__pool_new(&pool, paths, sizeof *p.rate)};
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK)
        status = simulate(&p, steps);
    if (status == HS_OK)
        *step_time = p.now / (double)steps;
    hs__pool_free(&pool);
    return status;
}
