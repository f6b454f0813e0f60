/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/repeat.h"
#include "tests/unit.h"
#include "util/random.h"

enum { SEND = 1, WAIT, REDUCE, RANKS = 4, EACH = 100000 };

/* What a program did, and what was told of it. */
typedef struct record {
    int64_t calls, sent[RANKS]; /* calls: but for those that answer at once */
} record;

static record done, told;
static int64_t answers, expected; /* calls */
static int64_t stretch;           /* ns of an iteration that are computing */
static int recordings, recording;

static void tell(void *account, int64_t bytes, int64_t times)
{
    *(int64_t *)account += bytes * times;
    told.calls += times;
    expected += times;
}

static void spin(int64_t ns)
{
    for (int64_t begun = hs__clock_ns(); hs__clock_ns() - begun < ns;)
        ;
}

/* The MPI library looks in vain for so long, and once more. */
static void look(int64_t ns)
{
    for (int64_t begun = hs__clock_ns(); ns > 0 && hs__clock_ns() - begun < ns;)
        hs__monitor_look();
    if (ns > 0)
        hs__monitor_look();
}

static void record_call(int call, int to, int count)
{
    recordings += hs__monitor_self.recording && !recording;
    recording = hs__monitor_self.recording;
    told.calls++;
    if (recording)
        hs__repeat_record(&(hs__expected){call, to, count, 0, 0}, &told.sent[to], count);
}

/* The next three do as the wrappers. */

__attribute__((noinline)) static void send_seen(int to, int count)
{
    record_call(SEND, to, count);
    if (hs__monitor_send_goes_by()) {
        hs__monitor_send_gone_by(SEND);
    } else {
        hs__monitor_enter_call(SEND);
        hs__monitor_leave();
    }
    told.sent[to] += count;
}

__attribute__((noinline)) static void wait_seen(int call, int64_t ns, int yields)
{
    record_call(call, 0, 0);
    int goes_by = hs__monitor_wait_goes_by(call);
    if (!goes_by)
        hs__monitor_enter_wait(call, 1);
    for (int k = 0; k < yields; k++)
        hs__monitor_yield();
    look(ns);
    if (goes_by)
        hs__monitor_wait_gone_by();
    else
        hs__monitor_leave_look();
}

__attribute__((noinline)) static void answer(void)
{
    hs__monitor_enter_local();
    hs__monitor_leave_local();
    answers++;
}

static void send(int to, int count)
{
    done.calls++;
    done.sent[to] += count;
    if (!hs__repeat_comes(SEND, to, count, 0, 0))
        send_seen(to, count);
}

/* It lasts so long, or lets others run so often. @return whether it came as expected */
static int wait_for(int call, int64_t ns, int yields)
{
    done.calls++;
    int comes = hs__repeat_comes_again(call);
    for (int k = 0; comes && k < yields; k++)
        hs__monitor_yield();
    if (comes)
        look(ns);
    else
        wait_seen(call, ns, yields);
    return comes;
}

static void iterate(void)
{
    send(1, 10);
    send(2, 20);
    wait_for(WAIT, 0, 0);
    wait_for(REDUCE, 0, 0);
    spin(stretch);
}

/* Iterates until calls are expected; a slow machine may have no short rounds. */
static void repeat(void **state)
{
    hs__monitor_self.inferred = hs__monitor_self.blind = 0; /* nothing is unsure any more */
    for (int k = 0; k < EACH && !hs__monitor_expects(&hs__monitor_self); k++)
        iterate();
    if (!hs__monitor_expects(&hs__monitor_self))
        skip();
}

static hs__monitor_times read_times(void)
{
    hs__monitor_times times;
    hs__monitor_read(&times);
    return times;
}

static void check_told(int64_t calls_before)
{
    assert_int_equal(read_times().calls - calls_before, done.calls + answers);
    assert_int_equal(told.calls, done.calls);
    assert_memory_equal(told.sent, done.sent, sizeof done.sent);
}

static int64_t begin(void)
{
    int64_t calls = read_times().calls;
    done = told = (record){0};
    answers = expected = 0;
    recordings = 0;
    return calls;
}

static int set_up(void **state)
{
    hs__repeat_told = tell;
    hs__monitor_looks = 1;
    hs__monitor_watch();
    hs__monitor_start();
    return 0;
}

static void calls_come_as_expected(void **state)
{
    int64_t calls = begin(), iterations = hs__monitor_iterations()->count;
    repeat(state);
    for (int k = 0; k < EACH; k++)
        iterate();
    check_told(calls);
    assert_true(expected > 0);
    int64_t more = hs__monitor_iterations()->count - iterations;
    assert_true(more >= EACH - EACH / 100 && more <= done.calls / 4); /* between batches one is lost */
    assert_int_equal(hs__monitor_iterations()->period, 4);
}

/* Loops of any calls, left anywhere, with others between: every call and every message counts once. */
static void any_calls_count_once(void **state)
{
    hs__random random = {11};
    for (int trial = 0; trial < 300; trial++) {
        int64_t calls = begin();
        int period = 1 + (int)hs__random_below(&random, 12), kind[12], to[12], count[12];
        for (int k = 0; k < period; k++) {
            kind[k] = SEND + (int)hs__random_below(&random, 3);
            to[k] = (int)hs__random_below(&random, RANKS);
            count[k] = (int)hs__random_below(&random, 1000);
        }
        for (int64_t left = hs__random_below(&random, 6000), k = 0; left-- > 0; k = (k + 1) % period) {
            if (kind[k] == SEND)
                send(to[k], count[k] + (hs__random_below(&random, 3000) == 0));
            else
                wait_for(kind[k], 0,
                         hs__random_below(&random, 300) ? 0 : (int)hs__random_below(&random, 2 * HS__FEW_YIELDS));
            if (hs__random_below(&random, 3000) == 0)
                answer();
        }
        check_told(calls);
    }
}

/* The best of some tries, since any may be interrupted. */
static void long_waits_are_seen(void **state)
{
    int64_t most[2] = {0};
    for (int k = 0; k < 20; k++) {
        repeat(state);
        hs__monitor_times before = read_times();
        repeat(state);
        send(1, 10);
        send(2, 20);
        if (k % 2)
            spin(2000000);
        assert_true(wait_for(WAIT, 4000000, 0));
        int64_t waited = read_times().wait_ns - before.wait_ns;
        most[k % 2] = waited > most[k % 2] ? waited : most[k % 2];
    }
    assert_true(most[0] >= 3900000);
    assert_true(most[1] >= 3900000); /* behind a long stretch of computing */
}

static void long_stretches_are_computing(void **state)
{
    repeat(state);
    int64_t before = read_times().compute_ns;
    repeat(state);
    spin(4000000);
    while (hs__monitor_expects(&hs__monitor_self))
        iterate();
    assert_true(read_times().compute_ns - before >= 3900000);
}

/* Who lets others run is known to wait, in a call that came as expected too, and no longer than it does. */
static void yields_are_waiting(void **state)
{
    repeat(state);
    send(1, 10);
    send(2, 20);
    assert_true(wait_for(WAIT, 0, HS__FEW_YIELDS - 1));
    assert_true(hs__monitor_expects(&hs__monitor_self));
    assert_true(wait_for(REDUCE, 0, HS__FEW_YIELDS - 1)); /* its own, not those before */
    assert_true(hs__monitor_expects(&hs__monitor_self));
    send(1, 10);
    send(2, 20);
    assert_true(wait_for(WAIT, 0, HS__FEW_YIELDS));
    assert_false(hs__monitor_expects(&hs__monitor_self));
    assert_int_equal(hs__monitor_hurried_call(), hs__monitor_self.calls);
    answer();
    assert_int_equal(hs__monitor_hurried_call(), 0);
}

/* As where a message has a type of the program's own, or where other calls come between. */
static void what_may_change_is_not_expected(void **state)
{
    begin();
    for (int k = 0; k < 20000; k++) {
        iterate();
        assert_false(hs__monitor_expects(&hs__monitor_self));
        if (k % 2000 < 1000)
            answer();
        else if (hs__monitor_self.recording)
            hs__repeat_do_not_record();
    }
}

/* It would cost more than it gains. */
static void loops_soon_left_are_recorded_now_and_then(void **state)
{
    begin();
    for (int k = 0; k < 20000; k++) {
        iterate();
        if (k % 100 == 0)
            answer();
    }
    assert_true(recordings < 50); /* some hundred times the clock was read */
}

/* The end of what is expected is no stretch of computing. */
static void nothing_is_inferred_at_the_end(void **state)
{
    int64_t least = INT64_MAX;
    stretch = 300;
    for (int k = 0; k < 10; k++) {
        repeat(state);
        for (int i = 0; i < 40; i++)
            iterate();
        int64_t before = hs__monitor_self.inferred;
        hs__monitor_stop();
        int64_t inferred = hs__monitor_self.inferred - before;
        hs__monitor_resume();
        least = inferred < least ? inferred : least;
    }
    stretch = 0;
    assert_int_equal(least, 0);
}

static void nothing_is_expected_after_stop(void **state)
{
    repeat(state);
    hs__monitor_stop();
    assert_false(hs__monitor_expects(&hs__monitor_self));
    int64_t calls = read_times().calls;
    for (int k = 0; k < 1000; k++)
        iterate();
    assert_int_equal(read_times().calls, calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_come_as_expected),
        cmocka_unit_test(any_calls_count_once),
        cmocka_unit_test(long_waits_are_seen),
        cmocka_unit_test(long_stretches_are_computing),
        cmocka_unit_test(yields_are_waiting),
        cmocka_unit_test(what_may_change_is_not_expected),
        cmocka_unit_test(loops_soon_left_are_recorded_now_and_then),
        cmocka_unit_test(nothing_is_inferred_at_the_end),
        cmocka_unit_test(nothing_is_expected_after_stop),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
