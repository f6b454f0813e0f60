/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds of hosts and bandwidths of links that change while a lab is up, and what is refused: then nothing is saved. */
#include "tests/lab/saved.h"

static void hosts_change_their_speed(void **state)
{
    hs_error error;
    saved_make(0);
    assert_int_equal(lab_speed(saved_name, "b", 0.25, &error), HS_OK);
    lab_cluster *lab = saved_read();
    assert_true(lab->host[0].factor == 1 && lab->host[1].factor == 0.25);
    lab_free(lab);
}

static void refused_speed(const char *host, double factor, const char *said)
{
    hs_error error;
    assert_int_equal(lab_speed(saved_name, host, factor, &error), HS_ERR_ARG);
    CHECK_ERROR_SAYS(&error, 0, said);
    lab_cluster *lab = saved_read();
    assert_true(lab->host[0].factor == 1 && lab->host[1].factor == 1);
    lab_free(lab);
}

/* Two cores of 1 Gf get half of one real core. */
static void speeds_that_cannot_be(void **state)
{
    saved_make(0);
    refused_speed("nobody", 1, "no host 'nobody'");
    refused_speed("b", 2.1e6, "FACTOR 2.1e+06 gives host 'b' 1.05e+06 cores: expected at most 1e+06");
    hs_error error;
    assert_int_equal(lab_speed(saved_name, "b", 2e6, &error), HS_OK);
    assert_int_equal(lab_speed("nobody-has-this-lab", "b", 1, &error), HS_ERR_STATE);
}

/* Links that have the name of another's half are never changed. */
static void check_links(double l, double up, double down)
{
    static const char *const ids[] = {"l", "d_UP", "d_DOWN", "l_UP", "e_DOWN"};
    const double factors[] = {l, up, down, 1, 1};
    lab_cluster *lab = saved_read();
    assert_int_equal(lab->links, 5);
    for (int i = 0; i < lab->links; i++) {
        assert_string_equal(lab->link[i].id, ids[i]);
        assert_true(lab->link[i].factor == factors[i]);
    }
    lab_free(lab);
}

/* None of them has a device that would have to be told. */
static void links_change_their_bandwidth(void **state)
{
    hs_error error;
    saved_make(1);
    assert_int_equal(lab_link_change(saved_name, "l", 0.5, &error), HS_OK);
    check_links(0.5, 1, 1);
    assert_int_equal(lab_link_change(saved_name, "d", 3, &error), HS_OK); /* both directions */
    check_links(0.5, 3, 3);
    assert_int_equal(lab_link_change(saved_name, "d_DOWN", 2, &error), HS_OK);
    check_links(0.5, 3, 2);
    assert_int_equal(lab_link_change(saved_name, "l", 8e7, &error), HS_OK); /* times what it was made with */
    assert_int_equal(lab_link_change(saved_name, "l", 1e-6, &error), HS_OK);
    check_links(1e-6, 3, 2);
}

static void refused_link(const char *link, double factor, hs_status status, const char *said)
{
    hs_error error;
    assert_int_equal(lab_link_change(saved_name, link, factor, &error), status);
    CHECK_ERROR_SAYS(&error, 0, said);
    check_links(1, 1, 1);
}

static void links_that_cannot_change(void **state)
{
    saved_make(1);
    refused_link("nothing", 1, HS_ERR_ARG, "no link 'nothing'");
    refused_link("d_", 1, HS_ERR_ARG, "no link 'd_'");
    refused_link("e", 0.5, HS_ERR_ARG, "no link 'e'");
    refused_link("", 1, HS_ERR_ARG, "no link ''");
    refused_link("l", 8.1e7, HS_ERR_ARG, "FACTOR 8.1e+07 gives link 'l' 8.1e+13 Bps: expected 1 to 8e+13 Bps");
    refused_link("l", 0.9e-6, HS_ERR_ARG, "FACTOR 9e-07 gives link 'l' 0.9 Bps");
    saved_make(0);
    refused_link("l", 1, HS_ERR_UNSUPPORTED, "no network");
}

/* Which flows cross a link is read from the platform file, which must be the one of the lab. */
static void the_file_has_to_be_the_same(void **state)
{
    static const char other[] =
        "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"2Gf\"/>"
        "<host id=\"b\" speed=\"1Gf\" core=\"2\"/>%s<link id=\"l\" bandwidth=\"1MBps\" "
        "latency=\"0\"/>%s<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone></platform>";
    static const char e[] = "<link id=\"e\" bandwidth=\"1MBps\" latency=\"0\"/>";
    char text[1000];
    saved_make(1);
    snprintf(text, sizeof text, other, "", "");
    saved_write(text);
    refused_link("l", 0.5, HS_ERR_STATE, "is not the file that the lab was made from");
    snprintf(text, sizeof text, other, e, "<link id=\"f\" bandwidth=\"1MBps\" latency=\"0\"/>"); /* as many links */
    saved_write(text);
    refused_link("l", 0.5, HS_ERR_STATE, "is not the file that the lab was made from");
    saved_write("<platform version=\"4.1\">\n<zone");
    refused_link("l", 0.5, HS_ERR_PARSE, ":2: ");
    unlink(saved_file);
    refused_link("l", 0.5, HS_ERR_IO, saved_file);
}

/* Its device is in a namespace that is not there: who asks learns why, and the old bandwidth stays. */
static void a_link_that_cannot_be_shaped(void **state)
{
    hs_error error;
    saved_make(1);
    lab_cluster *lab = saved_read();
    for (int i = 0; i < lab->links; i++)
        if (strcmp(lab->link[i].id, "l") == 0)
            assert_int_equal(lab_link_set_device(&lab->link[i], "hs.nobody.h0", "c0"), HS_OK);
    assert_int_equal(lab_save(lab, &error), HS_OK);
    lab_free(lab);
    refused_link("l", 0.5, HS_ERR_SYSTEM, "cannot enter namespace hs.nobody.h0: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_change_their_speed),     cmocka_unit_test(speeds_that_cannot_be),
        cmocka_unit_test(links_change_their_bandwidth), cmocka_unit_test(links_that_cannot_change),
        cmocka_unit_test(the_file_has_to_be_the_same),  cmocka_unit_test(a_link_that_cannot_be_shaped),
    };
    return cmocka_run_group_tests(tests, saved_begin, saved_end);
}
