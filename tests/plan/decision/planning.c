/* SPDX-License-Identifier: BSD-3-Clause */
/* When a plan is made that takes time: the rule by hand, and what it comes to over many phases. */
#include "plan/decision/planning.h"
#include "tests/unit.h"
#include "util/random.h"
#include <math.h>

enum { RANKS = 4, UNITS = 100 };

static const double even[RANKS] = {1, 1, 1, 1};
static const int64_t units[RANKS] = {25, 25, 25, 25};

static hs__decide_phase phase_of(int64_t iterations, int64_t left)
{
    return (hs__decide_phase){.iterations = iterations, .units = units, .left = left};
}

/* Whether one is due, and the least step. */
static int asks(const hs__planning *p, const double *cycle, double now, double *best)
{
    hs__decide_phase phase = phase_of(1, -1);
    return hs__planning_is_due(p, &phase, cycle, now, best);
}

static void no_step_is_shorter(void **state)
{
    hs__planning p;
    double best;
    assert_int_equal(hs__planning_start(&p, RANKS), HS_OK);
    asks(&p, even, 40, &best);
    assert_true(best == 25);
    asks(&p, (const double[]){1, 1, INFINITY, INFINITY}, 80, &best);
    assert_true(best == 50);

    const double three[] = {1, 1, 1, INFINITY};
    hs__planning_made(&p, three, 36);
    asks(&p, three, 40, &best);
    assert_true(best == 36);
    asks(&p, (const double[]){0.9, 1, 1, INFINITY}, 40, &best);
    assert_true(fabs(best - 0.9 * 36) < 1e-12);
    asks(&p, (const double[]){2, 2, 2, INFINITY}, 90, &best);
    assert_true(fabs(best - UNITS / 1.5) < 1e-12);
    asks(&p, even, 40, &best); /* one that took no units comes back: nothing is known of such plans */
    assert_true(best == 25);
    hs__planning_end(&p);
}

static void nothing_is_due_without_a_gain(void **state)
{
    hs__planning p;
    double best;
    assert_int_equal(hs__planning_start(&p, RANKS), HS_OK);
    assert_false(asks(&p, even, 25, &best));
    assert_true(best == 25);
    assert_false(asks(&p, even, 25.4, &best));
    assert_true(best == 25.4);
    assert_true(asks(&p, even, 26, &best));
    assert_true(best == 25);
    hs__planning_end(&p);
}

static void plans_are_paid_by_losses(void **state)
{
    hs__planning p;
    double best;
    assert_int_equal(hs__planning_start(&p, RANKS), HS_OK);
    hs__planning_took(&p, 30);
    hs__decide_phase phase = phase_of(5, -1);
    assert_false(hs__planning_is_due(&p, &phase, even, 30, &best)); /* 5 x 5 s */
    hs__planning_decided(&p, &(hs__decision){.loss = 25}, 0);
    assert_true(hs__planning_is_due(&p, &phase, even, 30, &best));
    phase.left = 5;
    assert_false(hs__planning_is_due(&p, &phase, even, 30, &best)); /* what is left cannot earn it */
    phase.left = 6;
    assert_true(hs__planning_is_due(&p, &phase, even, 30, &best));

    /* It was made, and does not pay before 100 s are lost. */
    hs__planning_made(&p, even, 26);
    hs__planning_decided(&p, &(hs__decision){.loss = 50, .price = 100}, 0);
    phase.left = -1;
    assert_false(hs__planning_is_due(&p, &phase, even, 30, &best)); /* 50 + 5 x 4 */
    phase.iterations = 13;
    assert_true(hs__planning_is_due(&p, &phase, even, 30, &best)); /* 50 + 13 x 4 */

    /* It would have paid, and yet nothing moved: not before as much again is lost as a plan takes. */
    hs__planning_made(&p, even, 26);
    hs__planning_decided(&p, &(hs__decision){.loss = 102, .price = 90}, 0);
    phase.iterations = 7;
    assert_false(hs__planning_is_due(&p, &phase, even, 30, &best)); /* 102 + 7 x 4 < 132 */
    phase.iterations = 8;
    assert_true(hs__planning_is_due(&p, &phase, even, 30, &best));

    /* After a move all begins anew. */
    hs__planning_decided(&p, &(hs__decision){.loss = 140, .price = 90}, 1);
    phase.iterations = 7;
    assert_false(hs__planning_is_due(&p, &phase, even, 30, &best));
    hs__planning_end(&p);
}

/* ---- A program whose best plan is 10 % above the bound of all plans, and takes 20 steps to make. ---- */

#define WORSE 1.1
#define TAKES (20 * WORSE * UNITS / RANKS)

typedef struct program {
    double cycle[RANKS]; /* of the hosts */
    double held, held_for[RANKS];
    hs__planning planning;
    int candidate, plans;
    double best;
} program;

static double bound(const double *cycle)
{
    double speed = 0;
    for (int i = 0; i < RANKS; i++)
        speed += 1 / cycle[i];
    return UNITS / speed;
}

/* The sizes stay what they are for other speeds. */
static double held_step(const program *g, const double *cycle)
{
    double step = 0;
    for (int i = 0; i < RANKS; i++)
        step = fmax(step, g->held * cycle[i] / g->held_for[i]);
    return step;
}

static hs_status plan(void *layout, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    program *g = layout;
    g->candidate = 0;
    *now = held_step(g, cycle);
    if (!hs__planning_is_due(&g->planning, phase, cycle, *now, best))
        return HS_OK;
    g->plans++;
    g->candidate = 1;
    g->best = *best = fmin(WORSE * bound(cycle), *now);
    hs__planning_took(&g->planning, TAKES);
    hs__planning_made(&g->planning, cycle, *best);
    return HS_OK;
}

static int64_t traffic(const void *layout)
{
    return ((const program *)layout)->candidate;
}

/* Phases of five steps. @return seconds that steps, plans and moves took */
static double phases(program *g, hs__decider *decider, hs__random *random, int count, double noise)
{
    static const hs__decide_kind kind = {.plan = plan, .traffic = traffic};
    double seconds = 0;
    for (int k = 0; k < count; k++) {
        double reading[RANKS];
        for (int i = 0; i < RANKS; i++)
            reading[i] = g->cycle[i] * (1 + noise * (2 * hs__random_unit(random) - 1));
        hs__decide_phase phase = phase_of(5, -1);
        phase.cycle = reading;
        phase.step = held_step(g, g->cycle);
        phase.move_fixed = phase.step;
        int plans = g->plans;
        hs_status status = hs__decider_phase(decider, &phase, &kind, g);
        seconds += 5 * phase.step + (g->plans - plans) * TAKES;
        hs__planning_decided(&g->planning, hs__decider_last(decider), status == HS_OK);
        if (status != HS_OK)
            continue;
        hs__decider_moved(decider, phase.move_fixed);
        seconds += phase.move_fixed;
        g->held = g->best;
        for (int i = 0; i < RANKS; i++)
            g->held_for[i] = hs__decider_cycles(decider)[i];
    }
    return seconds;
}

static void planning_takes_little_of_long_runs(void **state)
{
    program g = {.cycle = {1, 1, 1, 1}, .held = WORSE * UNITS / RANKS, .held_for = {1, 1, 1, 1}};
    hs__random random = {.state = 2611};
    hs__decider *decider;
    assert_int_equal(hs__planning_start(&g.planning, RANKS), HS_OK);
    assert_int_equal(hs__decider_create(RANKS, even, &decider), HS_OK);
    hs__planning_took(&g.planning, TAKES);
    double ideal = WORSE * UNITS / RANKS, steady = phases(&g, decider, &random, 2000, 0.03);
    assert_true(g.plans >= 1);
    assert_true(steady < 1.01 * 2000 * 5 * ideal);

    /* A host becomes half as fast, for 200 phases: the time lost before moving and planning is paid about twice at most. */
    g.cycle[0] = 2;
    g.plans = 0;
    double changed = phases(&g, decider, &random, 200, 0.03), then = WORSE * bound(g.cycle);
    assert_true(g.plans >= 1 && g.plans <= 4);
    assert_true(changed < 200 * 5 * then + 3 * (TAKES + 2 * ideal) + 5 * 2 * ideal);
    hs__decider_free(decider);
    hs__planning_end(&g.planning);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_is_shorter),
        cmocka_unit_test(nothing_is_due_without_a_gain),
        cmocka_unit_test(plans_are_paid_by_losses),
        cmocka_unit_test(planning_takes_little_of_long_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
