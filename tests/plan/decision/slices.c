/* SPDX-License-Identifier: BSD-3-Clause */
/* Who takes part, once a program's own pace is known. A program on paper: computing and messages as slow as a table
 * says, and a file whose speeds are wrong by any factor. No clock. */
#include "plan/decision/slices.h"
#include "plan/ring/subrings.h"
#include "tests/platform/read.h"

enum { HOSTS = 6, UNITS = 1200, STEPS = 10, PHASES = 60 };

/* What the program really does. */
typedef struct program {
    double cycle[HOSTS]; /* by position in the ring */
    hs__step_fit truth;  /* how its messages add up */
} program;

typedef struct run {
    hs__slices slices;
    hs__decider *decider;
    int64_t count[HOSTS];
    double step, equal_step, spent, moving;
    int moves;
} run;

static hs__subrings *rings;
static double comm[HS__MAX_MEMBERSHIPS * HOSTS];

static int set_up(void **state)
{
    double speed[HOSTS];
    hs_platform *platform = read_platform("examples/two-switches.xml");
    for (int h = 0; h < HOSTS; h++)
        speed[h] = hs_platform_host_speed(platform, h);
    hs_status status = hs__subrings_create(platform, speed, HS__MAX_MEMBERSHIPS, &rings, NULL);
    hs_platform_free(platform);
    return status == HS_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    hs__subrings_free(rings);
    return 0;
}

/* Host positions of two-switches.xml by their speeds: 8 6 4 | 4 3 2. */
static void everybody_is_in_order(void **state)
{
    assert_int_equal(rings->size, HOSTS);
    assert_true(rings->count > 2);
    int changes = 0;
    for (int k = 0; k + 1 < HOSTS; k++)
        changes += (rings->host[k] < 3) != (rings->host[k + 1] < 3);
    assert_int_equal(changes, 1); /* open: the path between the switches is used once */
    for (int k = 0; k < HOSTS; k++)
        assert_true(isfinite(hs__subrings_at(rings, HS__RING_OPEN, 0)[k].prev));
    const hs__byte_time *ends = hs__subrings_at(rings, HS__RING_OPEN, 0);
    assert_true(ends[0].prev == 0 && ends[HOSTS - 1].next == 0);
}

/* Ratio: seconds that all hosts together compute over seconds of the slowest messages of all. */
static program make_program(double ratio, double exposed, double scale)
{
    static const double speed[HOSTS] = {8, 6, 4, 4, 3, 2};
    program p = {.truth = {exposed, scale, 0}};
    double longest = 0, together = 27;
    for (int m = 0; m < rings->count; m++)
        for (int k = 0; k < HOSTS; k++) {
            hs__byte_time time = hs__subrings_at(rings, HS__RING_OPEN, m)[k];
            comm[m * HOSTS + k] = fmax(time.prev, time.next) * 1e6;
            if (m == 0)
                longest = fmax(longest, comm[k]);
        }
    for (int k = 0; k < HOSTS; k++)
        p.cycle[k] = ratio * longest * together / speed[rings->host[k]] / UNITS;
    return p;
}

static void start(run *r, const program *p, double wrong)
{
    double first[HOSTS], nothing[HOSTS] = {0};
    *r = (run){.slices = {.ranks = HOSTS, .units = UNITS, .minimum = 1, .model = HS_STEP_OVERLAP, .count = r->count}};
    for (int k = 0; k < HOSTS; k++)
        first[k] = p->cycle[k] / wrong;
    assert_int_equal(hs_slices_compute(first, nothing, HOSTS, UNITS, 1, HS_STEP_SERIAL, r->count, NULL), HS_OK);
    for (int k = 0; k < HOSTS; k++)
        assert_true(r->count[k] > 0);
    assert_int_equal(hs__slices_start(&r->slices, rings->count, comm, rings->traffic), HS_OK);
    assert_int_equal(hs__decider_create(HOSTS, first, &r->decider), HS_OK);
}

/* The program goes on for so many phases; moves cost what a step of all takes, or so many. */
static void go_on(run *r, const program *p, int phases)
{
    for (int n = 0; n < phases; n++) {
        const double *messages = r->slices.membership[r->slices.present].comm;
        double seen[HOSTS];
        r->step = hs__slices_step(&r->slices, messages, &p->truth, r->count, p->cycle) + p->truth.rest;
        r->spent += STEPS * r->step;
        for (int k = 0; k < HOSTS; k++)
            seen[k] = r->count[k] > 0 ? p->cycle[k] : 1;
        hs__decide_phase phase = {STEPS, seen, r->count, r->step, -1, r->moving, 0, NULL, 0, NULL};
        if (hs__decider_phase(r->decider, &phase, &hs__slices_kind, &r->slices) != HS_OK)
            continue;
        memcpy(r->count, r->slices.candidate, sizeof r->count);
        hs__slices_moved(&r->slices);
        r->spent += r->moving;
        r->moves++;
    }
}

static void finish(run *r)
{
    hs__slices_end(&r->slices);
    hs__decider_free(r->decider);
}

/* The best step of any membership, and that of equal slices, under the truth. */
static double best_step(const program *p, double *equal)
{
    hs__slices s = {.ranks = HOSTS};
    int64_t count[HOSTS], even[HOSTS];
    double best = INFINITY;
    for (int m = 0; m < rings->count; m++)
        for (hs_step_model model = HS_STEP_SERIAL; model <= HS_STEP_OVERLAP; model++) {
            double part[HOSTS];
            for (int k = 0; k < HOSTS; k++)
                part[k] = comm[m * HOSTS + k] *
                          (model == HS_STEP_OVERLAP ? p->truth.scale : fmax(1e-9, p->truth.exposed * p->truth.scale));
            hs_slices_compute(p->cycle, part, HOSTS, UNITS, 1, model, count, NULL);
            best = fmin(best, hs__slices_step(&s, comm + m * HOSTS, &p->truth, count, p->cycle));
        }
    for (int k = 0; k < HOSTS; k++)
        even[k] = UNITS / HOSTS;
    *equal = hs__slices_step(&s, comm, &p->truth, even, p->cycle);
    return best;
}

static const double ratios[] = {0.1, 0.2, 0.4, 0.7, 1, 1.5, 2.5, 5, 10, 30, 100};
static const double factors[] = {0.02, 0.1, 0.5, 1, 2, 10, 50};

/* Prints what was worst, so that a failure tells where. */
static void ends_at(double exposed, double scale, double most)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        for (size_t j = 0; j < sizeof factors / sizeof *factors; j++) {
            double equal;
            run r;
            program p = make_program(ratios[i], exposed, scale);
            double best = best_step(&p, &equal);
            start(&r, &p, factors[j]);
            r.moving = 5 * best;
            go_on(&r, &p, PHASES);
            if (r.step > most * best || r.step > 1.02 * equal)
                print_message(
                    "ratio %g, file %g times the truth, exposed %g, scale %g: step %g, best %g, equal %g, %d moves\n",
                    ratios[i], factors[j], exposed, scale, r.step, best, equal, r.moves);
            wrong |= r.step > most * best || r.step > 1.02 * equal;
            assert_in_range(r.moves, 0, 6);
            finish(&r);
        }
    assert_int_equal(wrong, 0);
}

static void overlapped_steps_end_at_the_best(void **state)
{
    ends_at(0, 1, 1.05);
}

static void exposed_messages_are_noticed(void **state)
{
    ends_at(1, 1, 1.05);
    ends_at(0.5, 1, 1.05);
}

static void other_bandwidths_are_noticed(void **state)
{
    ends_at(0, 0.5, 1.05);
    ends_at(0, 2, 1.05);
    ends_at(1, 2, 1.05);
}

/* Those who were left out come back when the others become so slow that their messages are worth it. */
static void who_was_left_out_comes_back(void **state)
{
    run r;
    program p = make_program(0.3, 0, 1);
    start(&r, &p, 1);
    go_on(&r, &p, 20);
    int without = 0, with = 0;
    for (int k = 0; k < HOSTS; k++)
        without += r.count[k] == 0;
    assert_true(without > 0);
    for (int k = 0; k < HOSTS; k++)
        p.cycle[k] *= r.count[k] > 0 ? 30 : 1;
    go_on(&r, &p, 40);
    for (int k = 0; k < HOSTS; k++)
        with += r.count[k] > 0;
    assert_true(with > HOSTS - without);
    finish(&r);
}

/* Equal step times: the trunk is not used for nothing. */
static void fewer_bytes_win_a_tie(void **state)
{
    run r;
    program p = make_program(0.1, 0, 1);
    start(&r, &p, 1);
    go_on(&r, &p, 20);
    const hs__slices *s = &r.slices;
    for (int m = 0; m < s->memberships; m++) {
        int64_t count[HOSTS];
        double part[HOSTS];
        for (int k = 0; k < HOSTS; k++)
            part[k] = s->membership[m].comm[k];
        hs_slices_compute(p.cycle, part, HOSTS, UNITS, 1, HS_STEP_OVERLAP, count, NULL);
        if (hs__slices_step(s, part, &p.truth, count, p.cycle) <= r.step)
            assert_true(s->membership[m].traffic >= s->membership[s->present].traffic);
    }
    finish(&r);
}

/* Seconds that no slices can save are in a step now and in a better one: they hide no gain. Without messages, since
 * such seconds count as slower messages otherwise. */
static void seconds_beside_computing_hide_no_gain(void **state)
{
    run r;
    program p = make_program(10, 0, 1);
    double equal;
    memset(comm, 0, sizeof comm);
    start(&r, &p, 1);
    go_on(&r, &p, 5);
    int moves = r.moves;
    p.truth.rest = 5 * r.step;
    p.cycle[0] *= 4;
    go_on(&r, &p, PHASES);
    assert_true(r.moves > moves);
    assert_true(r.step <= 1.05 * (best_step(&p, &equal) + p.truth.rest));
    finish(&r);
}

/* Messages that take twice as long as promised look like some that do not overlap, until a move shows which it is. */
static void a_move_tells_the_model(void **state)
{
    for (int exposed = 0; exposed <= 1; exposed++) {
        run r;
        program p = make_program(0.4, exposed, 2);
        start(&r, &p, 1);
        go_on(&r, &p, PHASES);
        assert_true(r.moves > 0);
        assert_int_equal(r.slices.believed, exposed ? HS_STEP_SERIAL : HS_STEP_OVERLAP);
        finish(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_is_in_order),
        cmocka_unit_test(overlapped_steps_end_at_the_best),
        cmocka_unit_test(exposed_messages_are_noticed),
        cmocka_unit_test(other_bandwidths_are_noticed),
        cmocka_unit_test(who_was_left_out_comes_back),
        cmocka_unit_test(fewer_bytes_win_a_tie),
        cmocka_unit_test(seconds_beside_computing_hide_no_gain),
        cmocka_unit_test(a_move_tells_the_model),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
