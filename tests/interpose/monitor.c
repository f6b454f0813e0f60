/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/monitor.h"
#include "tests/unit.h"
#include <pthread.h>

static hs__monitor_times read_times(void)
{
    hs__monitor_times times;
    hs__monitor_read(&times);
    return times;
}

static void spin(int64_t ns)
{
    for (int64_t begun = hs__clock_ns(); hs__clock_ns() - begun < ns;)
        ;
}

__attribute__((noinline)) static void local_call(void)
{
    hs__monitor_enter_local();
    hs__monitor_leave_local();
}

__attribute__((noinline)) static void nested_call(void)
{
    hs__monitor_enter_call(0);
    spin(100000);
    local_call();
    hs__monitor_leave();
}

__attribute__((noinline)) static void outer_call(void)
{
    hs__monitor_enter_call(0);
    nested_call();
    nested_call();
    spin(100000);
    hs__monitor_leave();
}

/* Never leaves, as when an error handler jumps. */
__attribute__((noinline)) static void lost_call(void)
{
    hs__monitor_enter_call(0);
    spin(1000);
}

/* Runs first: nothing is accounted before the start. */
static void nothing_before_start(void **state)
{
    outer_call();
    local_call();
    assert_int_equal(read_times().calls, 0);
    assert_int_equal(read_times().mpi_ns, 0);
    hs__monitor_start();
    hs__monitor_start();
    outer_call();
    assert_int_equal(read_times().calls, 1);
}

static void nested_calls_count_once(void **state)
{
    hs__monitor_times before = read_times();
    outer_call();
    local_call();
    hs__monitor_enter(); /* the library's own door is no call of the program */
    hs__monitor_leave();
    hs__monitor_times after = read_times();
    assert_int_equal(after.calls - before.calls, 2);
    assert_true(after.mpi_ns - before.mpi_ns >= 290000);
    assert_true(after.compute_ns >= before.compute_ns);
}

static void open_stretches_count(void **state)
{
    hs__monitor_times first = read_times();
    spin(100000);
    hs__monitor_times second = read_times();
    assert_true(second.compute_ns - first.compute_ns >= 99000);
    assert_int_equal(second.mpi_ns, first.mpi_ns);
    hs__monitor_enter();
    spin(100000);
    hs__monitor_times third = read_times();
    hs__monitor_leave();
    assert_true(third.mpi_ns - second.mpi_ns >= 99000);
}

static void lost_calls_are_forgotten(void **state)
{
    int64_t calls = read_times().calls;
    for (int k = 0; k < 3; k++)
        lost_call();
    outer_call();
    local_call();
    assert_int_equal(read_times().calls - calls, 5);
    int64_t compute = read_times().compute_ns;
    spin(100000);
    assert_true(read_times().compute_ns - compute >= 99000);
}

static void *count_in_thread(void *calls)
{
    outer_call();
    *(int64_t *)calls = read_times().calls;
    return NULL;
}

static void threads_are_apart(void **state)
{
    pthread_t thread;
    int64_t calls = read_times().calls, other = 0;
    assert_int_equal(pthread_create(&thread, NULL, count_in_thread, &other), 0);
    pthread_join(thread, NULL);
    assert_int_equal(other, 1);
    assert_int_equal(read_times().calls, calls);
}

/* The ticks have the rate of the clock; the best of some tries, since any may be interrupted. */
static void ticks_keep_time(void **state)
{
    double best = 1;
    for (int k = 0; k < 10; k++) {
        int64_t ticks = hs__ticks(), ns = hs__clock_ns();
        spin(5000000);
        double ratio = (double)hs__ticks_ns(hs__ticks() - ticks) / (double)(hs__clock_ns() - ns);
        best = fmin(best, fabs(ratio - 1));
    }
    assert_true(best < 0.002);
}

/* ---- Calls in a hurry ---- */

/* As a wrapper does. */
__attribute__((noinline)) static void short_wait(void)
{
    if (hs__monitor_wait_goes_by(1)) {
        hs__monitor_wait_gone_by();
    } else {
        hs__monitor_enter_wait(1, hs__monitor_looks);
        hs__monitor_leave_look();
    }
}

/* Waits for 4 ms; the MPI library looks in vain from time to time, or says nothing. */
static void wait_long(int looks)
{
    for (int k = 0; k < 40; k++) {
        if (looks)
            hs__monitor_look();
        spin(100000);
    }
    if (looks)
        hs__monitor_look();
}

__attribute__((noinline)) static void long_wait(int looks)
{
    int goes_by = hs__monitor_wait_goes_by(1);
    if (!goes_by)
        hs__monitor_enter_wait(1, hs__monitor_looks);
    wait_long(looks);
    if (goes_by)
        hs__monitor_wait_gone_by();
    else
        hs__monitor_leave_look();
}

/* Soon returns as a rule, but not now. */
__attribute__((noinline)) static void long_send(void)
{
    int goes_by = hs__monitor_send_goes_by();
    if (!goes_by)
        hs__monitor_enter_call(2);
    wait_long(1);
    if (goes_by)
        hs__monitor_send_gone_by(2);
    else
        hs__monitor_leave_look();
}

__attribute__((noinline)) static void nested_call_in_a_hurry(void)
{
    int goes_by = hs__monitor_send_goes_by();
    if (!goes_by)
        hs__monitor_enter_call(3);
    short_wait();
    if (goes_by)
        hs__monitor_send_gone_by(3);
    else
        hs__monitor_leave();
}

/* Begins to leave out readings, which needs short rounds; a slow machine may have none. */
static int hurry(void)
{
    for (int k = 0; k < 100000 && !hs__monitor_self.hurried; k++)
        short_wait();
    return hs__monitor_self.hurried;
}

/* Nothing is unsure any more. */
static void relax(void **state)
{
    hs__monitor_looks = 1;
    hs__monitor_self.inferred = 0;
    if (!hurry())
        skip();
}

static void long_stretches_are_computing(void **state)
{
    relax(state);
    hs__monitor_times before = read_times();
    relax(state);
    spin(1000000);
    for (int k = 0; k < 129; k++) /* the clock is read once in a while */
        short_wait();
    assert_false(hs__monitor_self.hurried);
    hs__monitor_times after = read_times();
    assert_true(after.compute_ns - before.compute_ns >= 990000);
    assert_true(hs__ticks_ns(hs__monitor_self.inferred) >= 990000);
}

static void long_waits_are_seen(void **state)
{
    relax(state);
    hs__monitor_times before = read_times();
    relax(state);
    long_wait(1);
    hs__monitor_times after = read_times();
    assert_true(after.wait_ns - before.wait_ns >= 3900000);
    relax(state);
    before = read_times();
    relax(state);
    long_send();
    after = read_times();
    assert_true(after.wait_ns - before.wait_ns >= 3900000);
}

static void every_call_counts_in_a_hurry(void **state)
{
    relax(state);
    int64_t calls = read_times().calls;
    for (int k = 0; k < 10000; k++) {
        short_wait();
        local_call();
        nested_call_in_a_hurry();
    }
    assert_int_equal(read_times().calls - calls, 30000);
}

/* Who waited long and was not looked at might do so again. */
static void no_hurry_where_nobody_looks(void **state)
{
    relax(state);
    while (hs__monitor_self.hurried)
        short_wait();
    long_wait(0);
    for (int k = 0; k < 1000; k++) {
        short_wait();
        assert_false(hs__monitor_self.hurried);
    }
    long_wait(1);
    relax(state);
}

static void no_hurry_after_much_was_inferred(void **state)
{
    relax(state);
    while (hs__monitor_self.hurried)
        short_wait();
    hs__monitor_self.inferred = INT64_MAX / 2;
    for (int k = 0; k < 1000; k++) {
        short_wait();
        assert_false(hs__monitor_self.hurried);
    }
    hs__monitor_self.inferred = 0;
}

/* The MPI library looks in vain and lets others run, again and again. */
__attribute__((noinline)) static void yielding_wait(int yields)
{
    hs__monitor_enter_wait(1, hs__monitor_looks);
    for (int k = 0; k < yields; k++) {
        hs__monitor_yield();
        spin(10000);
    }
    hs__monitor_leave_look();
}

static void no_hurry_after_many_yields(void **state)
{
    relax(state);
    while (hs__monitor_self.hurried)
        short_wait();
    for (int k = 0; k < 100; k++) {
        yielding_wait(80);
        assert_false(hs__monitor_self.hurried);
    }
}

/* A call that began to wait in a hurry is known to wait when it is calm, too, but no longer than it does. */
static void waits_outlast_the_hurry(void **state)
{
    relax(state);
    while (!hs__monitor_wait_goes_by(1)) {
        short_wait();
        relax(state);
    }
    int64_t call = hs__monitor_hurried_call();
    assert_int_equal(call, hs__monitor_self.calls);
    hs__monitor_calm(&hs__monitor_self);
    assert_int_equal(hs__monitor_hurried_call(), call);
    hs__monitor_wait_gone_by();
    assert_int_equal(hs__monitor_hurried_call(), 0);
    hs__monitor_enter_wait(1, 0);
    assert_int_equal(hs__monitor_hurried_call(), 0);
    hs__monitor_leave_look();
}

static void nothing_after_stop(void **state)
{
    hs__monitor_stop();
    int64_t calls = read_times().calls;
    outer_call();
    local_call();
    assert_int_equal(read_times().calls, calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_before_start),
        cmocka_unit_test(nested_calls_count_once),
        cmocka_unit_test(open_stretches_count),
        cmocka_unit_test(lost_calls_are_forgotten),
        cmocka_unit_test(threads_are_apart),
        cmocka_unit_test(ticks_keep_time),
        cmocka_unit_test(long_stretches_are_computing),
        cmocka_unit_test(long_waits_are_seen),
        cmocka_unit_test(every_call_counts_in_a_hurry),
        cmocka_unit_test(no_hurry_where_nobody_looks),
        cmocka_unit_test(no_hurry_after_much_was_inferred),
        cmocka_unit_test(no_hurry_after_many_yields),
        cmocka_unit_test(waits_outlast_the_hurry),
        cmocka_unit_test(nothing_after_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
