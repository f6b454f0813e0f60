/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/quota.h"
#include "runtime/watch/monitor.h"
#include "runtime/watch/sites.h"
#include "runtime/watch/watched.h"
#include "tests/unit.h"
#include <pthread.h>

static int64_t queued; /* nanoseconds, as the kernel tells */

int64_t __wrap_hs__quota_queued_ns(void);

int64_t __wrap_hs__quota_queued_ns(void)
{
    return queued;
}

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

/* As the wrappers of src/interpose do. */

__attribute__((noinline)) static void local_call(void)
{
    hs__monitor_enter_call(1, hs__monitor_frame());
    hs__monitor_leave_call(hs__monitor_frame());
}

__attribute__((noinline)) static void timed_call(hs__time_kind kind, int64_t ns)
{
    if (hs__monitor_enter_call(1, hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
    spin(ns);
    local_call();
    if (hs__monitor_leave_call(hs__monitor_frame())) {
        hs__watch_note(1 + (int)kind, hs__monitor_charge(hs__ticks(), kind), 0, HS__CALLER);
    }
}

__attribute__((noinline)) static void outer_call(void)
{
    if (hs__monitor_enter_call(1, hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
    timed_call(HS__WAIT, 100000);
    timed_call(HS__WAIT, 100000);
    spin(100000);
    if (hs__monitor_leave_call(hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__TRANSFER);
}

/* Never leaves, as when an error handler jumps. */
__attribute__((noinline)) static void lost_call(void)
{
    if (hs__monitor_enter_call(1, hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
    spin(1000);
}

/* Runs first: nothing is accounted before the start. */
static void nothing_before_start(void **state)
{
    outer_call();
    local_call();
    assert_int_equal(read_times().calls, 0);
    assert_int_equal(read_times().compute_ns, 0);
    assert_int_equal(read_times().transfer_ns, 0);
    assert_int_equal(hs__monitor_run_ns(), 0);
    queued = 1000;
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
    hs__monitor_times after = read_times();
    assert_int_equal(after.calls - before.calls, 2);
    assert_true(after.transfer_ns - before.transfer_ns >= 290000);
    assert_int_equal(after.wait_ns, before.wait_ns);
}

static void kinds_are_apart(void **state)
{
    hs__monitor_times before = read_times();
    timed_call(HS__WAIT, 100000);
    timed_call(HS__TRANSFER, 200000);
    spin(300000);
    hs__monitor_enter(); /* a call of this library is none of the program's */
    spin(400000);
    hs__monitor_leave();
    hs__monitor_times after = read_times();
    assert_int_equal(after.calls - before.calls, 2);
    assert_true(after.wait_ns - before.wait_ns >= 99000);
    assert_true(after.transfer_ns - before.transfer_ns >= 199000);
    assert_true(after.compute_ns - before.compute_ns >= 299000);
    assert_true(after.library_ns - before.library_ns >= 399000);
}

/* The present stretch of computing counts, a call when it ends. */
static void open_stretches(void **state)
{
    hs__monitor_times first = read_times();
    spin(100000);
    hs__monitor_times second = read_times();
    assert_true(second.compute_ns - first.compute_ns >= 99000);
    assert_int_equal(second.transfer_ns, first.transfer_ns);
    hs__monitor_enter();
    hs__monitor_times third = read_times();
    spin(100000);
    assert_int_equal(read_times().compute_ns, third.compute_ns);
    assert_int_equal(read_times().library_ns, second.library_ns);
    hs__monitor_leave();
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

static void *count_in_thread(void *times)
{
    outer_call();
    *(hs__monitor_times *)times = read_times();
    return NULL;
}

static void threads_are_apart(void **state)
{
    pthread_t thread;
    int64_t calls = read_times().calls;
    hs__monitor_times other;
    assert_int_equal(pthread_create(&thread, NULL, count_in_thread, &other), 0);
    pthread_join(thread, NULL);
    assert_int_equal(other.calls, 1);
    assert_true(other.transfer_ns >= 290000);
    assert_true(other.compute_ns < 1000000000); /* not since the machine was started */
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

static void iterations_are_found(void **state)
{
    enum { EACH = HS__EVENTS }; /* two full batches and a part of one */
    hs__watch();
    for (int k = 0; k < EACH; k++) {
        timed_call(HS__TRANSFER, 0);
        local_call();
        timed_call(HS__WAIT, 0);
    }
    const hs__iterations *found = hs__watch_iterations();
    assert_int_equal(found->count, EACH);
    assert_int_equal(found->period, 2);
}

static void nothing_while_stopped(void **state)
{
    queued += 300;
    hs__monitor_stop();
    assert_int_equal(hs__monitor_account.queue, 300);
    queued += 5000;
    hs__monitor_times before = read_times();
    int64_t run = hs__monitor_run_ns();
    outer_call();
    spin(100000);
    hs__monitor_start(); /* not before it is resumed */
    hs__monitor_times after = read_times();
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(hs__monitor_run_ns(), run);
    hs__monitor_resume();
    spin(100000);
    local_call();
    after = read_times();
    assert_int_equal(after.calls - before.calls, 1);
    assert_true(after.compute_ns - before.compute_ns >= 99000);
    assert_int_equal(after.transfer_ns, before.transfer_ns);
}

/* Runs last, whatever the tests before it did: no time is lost, and none counts twice. */
static void times_add_up_to_the_run(void **state)
{
    queued += 70;
    hs__monitor_stop();
    assert_int_equal(hs__monitor_account.queue, 370);
    hs__monitor_times times = read_times();
    int64_t sum = times.compute_ns + times.transfer_ns + times.wait_ns + times.library_ns;
    assert_in_range(hs__monitor_run_ns() - sum, 0, 4); /* each is rounded down */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_before_start),     cmocka_unit_test(nested_calls_count_once),
        cmocka_unit_test(kinds_are_apart),          cmocka_unit_test(open_stretches),
        cmocka_unit_test(lost_calls_are_forgotten), cmocka_unit_test(threads_are_apart),
        cmocka_unit_test(ticks_keep_time),          cmocka_unit_test(iterations_are_found),
        cmocka_unit_test(nothing_while_stopped),    cmocka_unit_test(times_add_up_to_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
