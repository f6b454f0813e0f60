/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run learns meanwhile: speeds from reports, and new shares for the items that are still at the root. */
#include "runtime/farm/master.h"
#include "runtime/farm/remaining.h"
#include "util/assert.h"
#include <math.h>

/* New shares must end this much sooner: measured speeds always differ a little from those of the plan. */
static const double MIN_GAIN = 0.98;

/* Seconds of computing after which evidence counts half. */
static const double HALF_LIFE = 0.25;

void hs__master_take_report(hs__master *m, int rank, const hs__farm_report *report, double now_s)
{
    hs__worker *worker = &m->worker[rank];
    double fade = exp2(-report->seconds / HALF_LIFE);
    worker->items = fade * worker->items + report->items;
    worker->seconds = fade * worker->seconds + report->seconds;
    if (worker->items > 0 && worker->seconds > 0)
        m->farm->cycle_time[rank] = worker->seconds / worker->items;
    worker->busy_s += report->seconds;
    worker->done += (int64_t)report->items;
    worker->alive_s = worker->busy_from_s = now_s;
    HS_ASSERT(worker->done <= worker->assigned);
}

double hs__master_backlog(const hs__master *m, int rank, double now_s)
{
    const hs__worker *worker = &m->worker[rank];
    double seconds = (double)(worker->assigned - worker->done) * m->farm->cycle_time[rank];
    return fmax(seconds - (rank == m->farm->root ? 0.0 : now_s - worker->busy_from_s), 0.0);
}

static void estimate_backlogs(hs__master *m, double now_s)
{
    hs_farm *farm = m->farm;
    for (int r = 0; r < farm->size; r++) {
        m->correction.busy[r] = fmax(hs__master_backlog(m, r, now_s), farm->latency[r]); /* until more can have come */
        m->correction.cycle_time[r] = hs__farm_computes(farm, r) ? farm->cycle_time[r] : INFINITY;
    }
}

int64_t hs__master_planned(const hs__master *m, int rank)
{
    int64_t sum = 0;
    for (int k = m->sending.round; k < m->farm->plan.rounds; k++)
        sum += m->farm->plan.chunk[k * m->farm->size + rank];
    return sum;
}

/* Divide count items among the installments that follow, in proportion to what was planned for them. */
static void replan_chunks(hs__master *m, int r, int64_t count)
{
    const hs__farm_plan *plan = &m->farm->plan;
    int size = m->farm->size, rounds = plan->rounds - m->sending.round;
    int64_t planned = hs__master_planned(m, r), passed = 0, given = 0;
    for (int k = 0; k < rounds; k++) {
        int64_t *chunk = &plan->chunk[(m->sending.round + k) * size + r];
        passed += *chunk;
        double part = planned > 0 ? (double)passed / (double)planned : (double)(k + 1) / rounds;
        int64_t up_to = k == rounds - 1 ? count : llround(part * (double)count);
        *chunk = up_to - given;
        given = up_to;
        HS_ASSERT(*chunk >= 0);
    }
}

void hs__master_correct(hs__master *m, double now_s)
{
    hs_farm *farm = m->farm;
    int64_t n = m->job->n - m->next;
    int at_once = farm->plan.at_once;
    hs__remaining remaining = {.ranks = farm->size,
                               .busy = m->correction.busy,
                               .cycle_time = m->correction.cycle_time,
                               .comm_time = farm->comm_time,
                               .rounds = at_once ? hs__farm_pieces(farm, n) : farm->plan.rounds - m->sending.round,
                               .one_port = !at_once};
    estimate_backlogs(m, now_s);
    for (int r = 0; r < farm->size; r++)
        m->correction.share[r] = (double)hs__master_planned(m, r);
    double planned = hs__remaining_end(&remaining, m->correction.share);
    if (hs__remaining_share(&remaining, n, m->correction.by_comm_time, m->correction.share) > MIN_GAIN * planned)
        return;
    hs__remaining_round(farm->size, m->correction.share, n, m->correction.count);
    for (int r = 0; r < farm->size; r++)
        replan_chunks(m, r, m->correction.count[r]);
    m->correction.made++;
    HS_ASSERT_SOUND(hs__master_check, m);
}
