/* SPDX-License-Identifier: BSD-3-Clause */
/* What a step takes, what explains how long it took, and who takes part then: worked by hand. */
#include "plan/decision/slices.h"
#include "tests/unit.h"

enum { RANKS = 2, UNITS = 1000 };

/* Two ranks that hold so many units, with memberships of these messages. */
typedef struct program {
    hs__slices slices;
    int64_t count[RANKS];
    double cycle[RANKS];
} program;

static void start(program *p, int64_t first, hs_step_model model, int memberships, const double *comm,
                  const double *traffic)
{
    *p = (program){.count = {first, UNITS - first}, .cycle = {1, 1}};
    p->slices = (hs__slices){.ranks = RANKS, .units = UNITS, .minimum = 1, .model = model, .count = p->count};
    assert_int_equal(hs__slices_start(&p->slices, memberships, comm, traffic), HS_OK);
}

/* Plans after a phase in which a step took so long. */
static void plan(program *p, double step, double *now, double *best)
{
    const hs__decide_phase phase = {.iterations = 1, .cycle = p->cycle, .units = p->count, .step = step, .left = -1};
    assert_int_equal(hs__slices_kind.plan(&p->slices, &phase, p->cycle, now, best), HS_OK);
}

/* 500 units each: 500 and 1000 s of computing beside 200 and 400 s of messages. */
static void steps_by_the_model(void **state)
{
    static const double comm[RANKS] = {200, 400}, cycle[RANKS] = {1, 2};
    static const struct {
        hs__step_fit fit;
        double step;
    } rows[] = {
        {{0, 1, 0}, 1000}, {{1, 1, 0}, 1400}, {{0.5, 1, 0}, 1200}, {{0, 3, 0}, 1200}, {{1, 0.5, 7}, 1200},
    };
    program p;
    start(&p, 500, HS_STEP_SERIAL, 1, comm, NULL);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        CHECK_CLOSE(hs__slices_step(&p.slices, comm, &rows[k].fit, p.count, cycle), rows[k].step, 1e-12);
    const int64_t all[RANKS] = {0, UNITS};
    CHECK_CLOSE(hs__slices_step(&p.slices, comm, &rows[1].fit, all, cycle), 2400,
                1e-12); /* one without units waits for nobody */
    hs__slices_end(&p.slices);
}

/* 500 s of computing each, and 100 and 200 s of messages: overlapped a step takes 500 s, and 700 s one after the other. */
static void what_explains_a_step(void **state)
{
    static const double comm[RANKS] = {100, 200}, long_comm[RANKS] = {10000, 20000};
    static const struct {
        hs_step_model model;
        const double *comm;
        double step;
        hs__step_fit fit;
    } rows[] = {
        {HS_STEP_SERIAL, comm, 600, {0.5, 1, 0}},
        {HS_STEP_SERIAL, comm, 500, {0, 1, 0}},
        {HS_STEP_SERIAL, comm, 700, {1, 1, 0}},
        {HS_STEP_SERIAL, comm, 800, {1, 1.5, 0}},
        {HS_STEP_SERIAL, comm, 1400, {1, 4, 100}}, /* no messages take more than 4 times what is promised */
        {HS_STEP_SERIAL, comm, 400, {0, 1, 0}},    /* noise */
        {HS_STEP_OVERLAP, comm, 700, {0, 3.5, 0}},
        {HS_STEP_OVERLAP, comm, 1000, {0, 4, 200}},
        {HS_STEP_OVERLAP, comm, 514, {0, 1, 14}}, /* within 3 % of computing: they fit in, no more is known */
        {HS_STEP_OVERLAP, comm, 516, {0, 2.58, 0}},
        {HS_STEP_OVERLAP, long_comm, 1000, {0, 0.05, 0}}, /* they take no longer than the step */
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        program p;
        start(&p, 500, rows[k].model, 1, rows[k].comm, NULL);
        hs__step_fit fit = hs__slices_fit(&p.slices, rows[k].model, rows[k].comm, p.cycle, rows[k].step);
        CHECK_CLOSE(fit.exposed, rows[k].fit.exposed, 1e-12);
        CHECK_CLOSE(fit.scale, rows[k].fit.scale, 1e-12);
        CHECK_CLOSE(fit.rest, rows[k].fit.rest, 1e-12);
        hs__slices_end(&p.slices);
    }
}

/* Messages of a rank without units, or of none at all, explain nothing. */
static void messages_that_nobody_sends_explain_nothing(void **state)
{
    static const double comm[RANKS] = {100, 200}, none[RANKS] = {0, 0};
    program p;
    start(&p, UNITS, HS_STEP_SERIAL, 1, comm, NULL);
    CHECK_CLOSE(hs__slices_fit(&p.slices, HS_STEP_SERIAL, comm, p.cycle, 1050).exposed, 0.5, 1e-12);
    CHECK_CLOSE(hs__slices_fit(&p.slices, HS_STEP_SERIAL, comm, p.cycle, 1300).scale, 3, 1e-12);
    CHECK_CLOSE(hs__slices_fit(&p.slices, HS_STEP_OVERLAP, comm, p.cycle, 1200).rest, 1200 - 1000, 1e-12);
    hs__step_fit fit = hs__slices_fit(&p.slices, HS_STEP_SERIAL, none, p.cycle, 1300);
    assert_true(fit.scale == 1);
    CHECK_CLOSE(fit.rest, 300, 1e-12);
    hs__slices_end(&p.slices);
}

/* Steps that take a fortieth of what messages are promised to: nobody is left out for promises. */
static void promises_that_steps_refute_count_no_more(void **state)
{
    static const double comm[2][RANKS] = {{20000, 20000}, {0, INFINITY}};
    double now, best;
    program p;
    start(&p, 500, HS_STEP_OVERLAP, 2, comm[0], (double[]){9, 1});
    plan(&p, 510, &now, &best);
    CHECK_CLOSE(now, 510, 1e-12);
    assert_int_equal(p.slices.chosen, 0);
    assert_int_equal(hs__slices_kind.traffic(&p.slices), 0);
    hs__slices_end(&p.slices);
}

/* The first rank alone takes 1000 s; with the other one a step takes 500 s and messages. It has to be 3 % better. */
static void another_membership_is_clearly_better(void **state)
{
    for (int better = 0; better < 2; better++) {
        const double messages = better ? 532 : 530, comm[2][RANKS] = {{messages, messages}, {0, INFINITY}};
        double now, best;
        program p;
        start(&p, 500, HS_STEP_SERIAL, 2, comm[0], (double[]){9, 1});
        plan(&p, 500 + messages, &now, &best);
        CHECK_CLOSE(now, 500 + messages, 1e-12);
        CHECK_CLOSE(best, better ? 1000 : 1030, 1e-12);
        assert_int_equal(p.slices.chosen, better);
        assert_int_equal(p.slices.candidate[0], better ? UNITS : 500);
        assert_int_equal(hs__slices_kind.traffic(&p.slices), better ? 500 : 0);
        hs__slices_end(&p.slices);
    }
}

/* Of two other memberships, either rank alone: the one with fewer bytes over links where steps are within a percent. */
static void fewer_bytes_break_ties(void **state)
{
    static const struct {
        double first, second; /* seconds beside computing */
        double traffic[3];
        int chosen;
    } rows[] = {
        {0, 5, {9, 5, 4}, 2},  {0, 5, {9, 5, 6}, 1}, {0, 11, {9, 5, 4}, 1},
        {15, 0, {9, 4, 6}, 2}, {9, 0, {9, 4, 6}, 1}, {0, 0, {9, 5, 5}, 1},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double comm[3][RANKS] = {{1500, 1500}, {rows[k].first, INFINITY}, {INFINITY, rows[k].second}};
        double now, best;
        program p;
        start(&p, 500, HS_STEP_SERIAL, 3, comm[0], rows[k].traffic);
        plan(&p, 2000, &now, &best);
        assert_int_equal(p.slices.chosen, rows[k].chosen);
        CHECK_CLOSE(best, 1000 + (rows[k].chosen == 1 ? rows[k].first : rows[k].second), 1e-12);
        hs__slices_end(&p.slices);
    }
}

/* Bandwidths promise 150 s of messages, and 600 s are measured: that is remembered when the other rank is left out, until other
 * bandwidths are measured. */
static void a_membership_that_was_tried_is_known(void **state)
{
    static const double comm[2][RANKS] = {{150, 150}, {0, INFINITY}}, traffic[] = {9, 1};
    double now, best;
    program p;
    start(&p, 500, HS_STEP_SERIAL, 2, comm[0], traffic);
    plan(&p, 1100, &now, &best);
    assert_int_equal(p.slices.chosen, 1);
    memcpy(p.count, p.slices.candidate, sizeof p.count);
    hs__slices_moved(&p.slices);
    assert_int_equal(p.slices.present, 1);
    plan(&p, 1000, &now, &best);
    assert_int_equal(p.slices.chosen, 1);
    CHECK_CLOSE(best, 1000, 1e-12);
    assert_int_equal(hs__slices_kind.traffic(&p.slices), 0);
    hs__slices_replan(&p.slices, 2, comm[0], traffic);
    plan(&p, 1000, &now, &best);
    assert_int_equal(p.slices.chosen, 0);
    CHECK_CLOSE(best, 650, 1e-12);
    hs__slices_end(&p.slices);
}

/* The rank with the longer messages takes fewer units when they are exposed. */
static void slices_level_exposed_messages(void **state)
{
    static const double comm[RANKS] = {100, 300};
    double now, best;
    program p;
    start(&p, 500, HS_STEP_SERIAL, 1, comm, NULL);
    plan(&p, 800, &now, &best);
    assert_int_equal(p.slices.candidate[0], 600);
    CHECK_CLOSE(best, 700, 1e-12);
    hs__slices_end(&p.slices);
    start(&p, 500, HS_STEP_OVERLAP, 1, comm, NULL);
    plan(&p, 500, &now, &best); /* they are hidden: level as it is */
    assert_int_equal(p.slices.candidate[0], 500);
    hs__slices_end(&p.slices);
}

/* Parts of the way: no more than so long, and as few units as that takes. */
static void a_part_of_the_way(void **state)
{
    static const double comm[RANKS] = {0, 0};
    hs__decide_part part;
    double now, best;
    program p;
    start(&p, 800, HS_STEP_SERIAL, 1, comm, NULL);
    plan(&p, 810, &now, &best); /* ten seconds that nothing explains */
    CHECK_CLOSE(now, 810, 1e-12);
    CHECK_CLOSE(best, 510, 1e-12);
    assert_int_equal(hs__slices_kind.part(&p.slices, p.cycle, 660, &part), HS_OK);
    CHECK_CLOSE(part.step, 660, 1e-12);
    assert_int_equal(part.moved, 150);
    assert_int_equal(part.left, 150);
    hs__slices_kind.take_part(&p.slices, p.cycle);
    assert_int_equal(p.slices.candidate[0], 650);
    assert_int_equal(hs__slices_kind.part(&p.slices, p.cycle, 509, &part), HS_UNCHANGED);
    hs__slices_end(&p.slices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_the_model),
        cmocka_unit_test(what_explains_a_step),
        cmocka_unit_test(messages_that_nobody_sends_explain_nothing),
        cmocka_unit_test(promises_that_steps_refute_count_no_more),
        cmocka_unit_test(another_membership_is_clearly_better),
        cmocka_unit_test(fewer_bytes_break_ties),
        cmocka_unit_test(a_membership_that_was_tried_is_known),
        cmocka_unit_test(slices_level_exposed_messages),
        cmocka_unit_test(a_part_of_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
