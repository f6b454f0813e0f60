/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/decision/cluster.h"
#include "tests/unit.h"
#include <heteroslice/hs_slices.h>

double cluster_step(const double *cycle, const int64_t *count)
{
    double longest = 0;
    for (int i = 0; i < RANKS; i++)
        longest = fmax(longest, cycle[i] * (double)count[i]);
    return longest;
}

cluster cluster_start(const double *cycle)
{
    static const double comm[RANKS] = {0};
    cluster c = {.move_fixed = 0.05, .left = -1, .random = {1}};
    memcpy(c.cycle, cycle, sizeof c.cycle);
    c.slices = (hs__slices){.ranks = RANKS, .units = UNITS, .minimum = 1, .model = HS_STEP_SERIAL};
    assert_int_equal(hs__slices_start(&c.slices, 1, comm, NULL), HS_OK);
    assert_int_equal(hs__decider_create(RANKS, cycle, &c.decider), HS_OK);
    assert_int_equal(hs_slices_compute(cycle, comm, RANKS, UNITS, 1, HS_STEP_SERIAL, c.count, NULL), HS_OK);
    memcpy(c.first_count, c.count, sizeof c.count);
    return c;
}

void cluster_end(cluster *c)
{
    hs__slices_end(&c->slices);
    hs__decider_free(c->decider);
}

int cluster_phase(cluster *c, const double *readings)
{
    double seen[RANKS];
    const int64_t *next = c->slices.candidate;
    c->slices.count = c->count;
    for (int i = 0; i < RANKS; i++)
        seen[i] = (readings ? readings[i] : c->cycle[i]) * (1 + c->noise * (2 * hs__random_unit(&c->random) - 1));
    hs__decide_phase phase = {ITERATIONS, seen,          c->count,     cluster_step(c->cycle, c->count),
                              c->left,    c->move_fixed, c->move_unit, NULL,
                              0,          NULL};
    c->spent += phase.step * ITERATIONS;
    if (hs__decider_phase(c->decider, &phase, &hs__slices_kind, &c->slices) != HS_OK)
        return 0;
    int64_t sum = 0;
    for (int i = 0; i < RANKS; i++)
        sum += next[i];
    assert_int_equal(sum, UNITS);
    c->spent += c->move_fixed + c->move_unit * (double)hs__moved_units_busiest(RANKS, c->count, next);
    memcpy(c->count, next, sizeof c->count);
    hs__slices_moved(&c->slices);
    hs__decider_moved(c->decider, c->move_fixed);
    c->moves++;
    return 1;
}

void cluster_phases(cluster *c, int n)
{
    for (int k = 0; k < n; k++)
        cluster_phase(c, NULL);
}
