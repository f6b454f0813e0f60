/* SPDX-License-Identifier: BSD-3-Clause */
/* A lab without network comes up, with a throttler, and goes again. */
#include "tests/lab/saved.h"

#include "lab/throttle.h"

static hs_status up(double rate_scale, lab_cluster **lab, hs_error *error)
{
    hs_platform *platform;
    saved_write(SAVED_PLATFORM);
    assert_int_equal(hs_platform_read(saved_file, &platform, NULL), HS_OK);
    const lab_plan plan = {
        .platform = platform, .path = saved_file, .name = saved_name, .cpus = 1, .rate_scale = rate_scale};
    hs_status status = lab_up(&plan, lab, error);
    hs_platform_free(platform);
    return status;
}

static void check_lab(const lab_cluster *lab, double rate_scale)
{
    assert_true(lab->ready && lab->throttled && !lab->network);
    assert_true(lab->rate_scale == rate_scale);
    assert_string_equal(lab->platform, saved_file);
    assert_int_equal(lab->hosts, 2);
    assert_true(lab->host[0].quota == 0.5 && lab->host[1].quota == 0.5);
    assert_int_equal(lab->links, 5);
    assert_true(lab->link[0].bandwidth == 1e6 * rate_scale);
    assert_true(lab->link[1].bandwidth == 2e6 * rate_scale && lab->link[2].bandwidth == 2e6 * rate_scale);
}

static void it_comes_and_goes(void **state)
{
    char path[LAB_PATH];
    lab_cluster *lab = NULL, *second = NULL;
    hs_error error = {.line = 7};
    assert_int_equal(up(2, &lab, &error), HS_OK);
    check_lab(lab, 2);
    lab_free(lab);
    lab = saved_read(); /* so is what was saved */
    check_lab(lab, 2);
    lab_free(lab);
    assert_true(lab_throttle_alive(saved_name));
    assert_int_equal(up(1, &second, &error), HS_ERR_STATE);
    CHECK_ERROR_SAYS(&error, 0, "is up already");
    assert_null(second);
    assert_true(lab_throttle_alive(saved_name)); /* it is left alone */
    assert_int_equal(lab_down(saved_name, &error), HS_OK);
    assert_false(lab_throttle_alive(saved_name));
    assert_int_equal(access(lab_directory(saved_name, path), F_OK), -1);
    assert_int_equal(lab_down(saved_name, &error), HS_ERR_STATE);
    CHECK_ERROR_SAYS(&error, 0, "no lab '");
}

/* What is there, but was never ready, goes before a new one comes. */
static void an_interrupted_start_is_no_hindrance(void **state)
{
    char path[LAB_PATH];
    lab_cluster *lab = NULL;
    hs_error error;
    saved_make(0);
    lab = saved_read();
    lab->ready = 0;
    assert_int_equal(lab_save(lab, &error), HS_OK);
    lab_free(lab);
    lab = NULL;
    fclose(fopen(lab_file(saved_name, "left", path), "w"));
    assert_int_equal(up(1, &lab, &error), HS_OK);
    assert_int_equal(access(lab_file(saved_name, "left", path), F_OK), -1);
    lab_free(lab);
    assert_int_equal(lab_down(saved_name, &error), HS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_comes_and_goes),
        cmocka_unit_test(an_interrupted_start_is_no_hindrance),
    };
    return cmocka_run_group_tests(tests, saved_begin, saved_end);
}
