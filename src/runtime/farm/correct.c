/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run learns on its way: speeds from reports, and new shares for the items that are still at the root. */
#include "runtime/farm/master.h"
#include "runtime/farm/remaining.h"
#include <math.h>

/* Sharing anew must end this much sooner: measured speeds are never quite those planned with. */
static const double WORTH = 0.98;

/* Seconds of computing after which evidence counts half. */
static const double HALF_LIFE = 0.25;

void hs__master_hear(hs__master *m, int rank, const hs__farm_report *report, double now_s)
{
    hs__worker *hand = &m->hand[rank];
    double fade = exp2(-report->seconds / HALF_LIFE);
    hand->items = fade * hand->items + report->items;
    hand->seconds = fade * hand->seconds + report->seconds;
    if (hand->items > 0 && hand->seconds > 0)
        m->farm->cycle_time[rank] = hand->seconds / hand->items;
    hand->done += (int64_t)report->items;
    hand->computing_s += report->seconds;
    hand->seen_s = hand->alive_s = now_s;
}

double hs__master_backlog(const hs__master *m, int rank, double now_s)
{
    const hs__worker *hand = &m->hand[rank];
    double left = (double)(hand->sent - hand->done) * m->farm->cycle_time[rank];
    return fmax(left - (rank == m->farm->root ? 0.0 : now_s - hand->seen_s), 0.0);
}

static void guess_busy(hs__master *m, double now_s)
{
    hs_farm *farm = m->farm;
    for (int r = 0; r < farm->size; r++) {
        m->busy[r] = hs__master_backlog(m, r, now_s);
        m->cycle_time[r] = farm->cycle_time[r];
    }
    if (farm->facts.root_role == HS_FARM_ROOT_IDLE && farm->size > 1)
        m->cycle_time[farm->root] = INFINITY;
}

/* Items of rank r in installments from the present one on. */
static int64_t left_of(const hs__master *m, int r)
{
    int64_t sum = 0;
    for (int k = m->round; k < m->farm->plan.rounds; k++)
        sum += m->farm->plan.chunk[k * m->farm->size + r];
    return sum;
}

/* Cuts count items into the further installments, in proportion to what was planned for them. */
static void cut(hs__master *m, int r, int64_t count)
{
    const hs__farm_plan *plan = &m->farm->plan;
    int size = m->farm->size, rounds = plan->rounds - m->round;
    int64_t planned = left_of(m, r), passed = 0, given = 0;
    for (int k = 0; k < rounds; k++) {
        int64_t *chunk = &plan->chunk[(m->round + k) * size + r];
        passed += *chunk;
        double part = planned > 0 ? (double)passed / (double)planned : (double)(k + 1) / rounds;
        int64_t up_to = k == rounds - 1 ? count : llround(part * (double)count);
        *chunk = up_to - given;
        given = up_to;
    }
}

void hs__master_correct(hs__master *m, double now_s)
{
    hs_farm *farm = m->farm;
    int64_t n = m->job->n - m->next;
    hs__remaining rest = {.ranks = farm->size,
                          .busy = m->busy,
                          .cycle_time = m->cycle_time,
                          .comm_time = farm->comm_time,
                          .rounds = farm->plan.at_once ? hs__farm_pieces(farm, n) : farm->plan.rounds - m->round,
                          .port_time = farm->plan.at_once ? farm->port_time : 0.0};
    guess_busy(m, now_s);
    for (int r = 0; r < farm->size; r++)
        m->share[r] = (double)left_of(m, r);
    double planned = hs__remaining_end(&rest, m->share);
    if (hs__remaining_share(&rest, n, m->by_comm_time, m->share) > WORTH * planned)
        return;
    hs__remaining_round(farm->size, m->share, n, m->count);
    for (int r = 0; r < farm->size; r++)
        cut(m, r, m->count[r]);
    m->corrections++;
}
