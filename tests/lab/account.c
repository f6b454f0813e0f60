/* SPDX-License-Identifier: BSD-3-Clause */
/* The share of the time for which hosts are stopped, with ticks as late as a busy machine makes them. */
#include "lab/account.h"
#include "tests/unit.h"
#include "util/random.h"

static hs__random noise = {11};

/* A tick of 1 ms, one in ten of which comes late. */
static double tick(double latest)
{
    return 1e-3 + (hs__random_below(&noise, 10) ? 0 : latest * hs__random_unit(&noise));
}

/* For 1000 s all cores' processes want to compute, and get this part of the cores while they are not stopped.
 * @return the part of a core that each got */
static double part_used(int cores, double per_core, double got, double latest)
{
    lab_account account = {.cores = cores, .width = 1};
    double time = 0, used = 0;
    int stopped = 0;
    while (time < 1000) {
        double elapsed = tick(latest), all = cores * elapsed;
        time += elapsed;
        if (!stopped) {
            used += got * all;
            lab_account_run(&account, per_core, elapsed, got * all, (1 - got) * all);
        } else if (lab_account_rest(&account, per_core, elapsed)) {
            lab_account_continue(&account, 0);
        }
        stopped = account.balance < 0;
    }
    return used / cores / time;
}

static void busy_hosts_get_their_part(void **state)
{
    static const double parts[] = {0.01, 0.08, 0.16, 0.24, 0.32, 0.5, 0.95};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (int cores = 1; cores <= 4; cores++)
            CHECK_CLOSE(part_used(cores, parts[k], 1, 15e-3), parts[k], 1e-3);
}

/* A host that is continued later than its quota lasts loses what it could not save. */
static void late_ticks_only_cost(void **state)
{
    for (double part = 0.1; part < 1; part += 0.1) {
        double used = part_used(1, part, 1, 0.1);
        assert_true(used < part + 1e-3 && used > 0.7 * part);
    }
}

/* On a machine that gives less than the quota, hosts run whenever they can. */
static void a_host_short_of_cores_is_not_stopped(void **state)
{
    CHECK_CLOSE(part_used(1, 0.5, 0.4, 15e-3), 0.4, 1e-9);
    CHECK_CLOSE(part_used(1, 0.5, 0.8, 15e-3), 0.5, 1e-3);
}

/* Other waits earn nothing, and those for a core no more than 20 ms. */
static void little_is_saved(void **state)
{
    lab_account account = {.cores = 1, .width = 1};
    for (int k = 0; k < 10000; k++)
        lab_account_run(&account, 0.5, 1e-3, 0, 0);
    CHECK_CLOSE(account.balance, 0, 0);
    for (int k = 0; k < 10000; k++)
        lab_account_run(&account, 0.5, 1e-3, 0, 1e-3);
    CHECK_CLOSE(account.balance, 0.5 * 20e-3, 1e-12);
}

static void more_than_a_core_is_never_stopped(void **state)
{
    CHECK_CLOSE(part_used(1, 1e5, 1, 0.1), 1, 1e-9);
}

/* What ran on the way to being stopped is paid for. */
static void late_stops_are_paid(void **state)
{
    lab_account account = {.cores = 1, .width = 1};
    lab_account_run(&account, 0.25, 1e-3, 1e-3, 0);
    CHECK_CLOSE(account.balance, -0.75e-3, 1e-12);
    assert_false(lab_account_rest(&account, 0.25, 2e-3));
    assert_true(lab_account_rest(&account, 0.25, 1e-3 + 1e-9));
    lab_account_continue(&account, 0.5e-3);
    CHECK_CLOSE(account.balance, -0.5e-3, 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(busy_hosts_get_their_part),
        cmocka_unit_test(late_ticks_only_cost),
        cmocka_unit_test(a_host_short_of_cores_is_not_stopped),
        cmocka_unit_test(little_is_saved),
        cmocka_unit_test(more_than_a_core_is_never_stopped),
        cmocka_unit_test(late_stops_are_paid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
