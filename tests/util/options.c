/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/options.h"
#include "tests/unit.h"
#include <limits.h>

static const char *wanted_name, *wanted_value;
static char complaint[512];
static int complaints;

static const char *lookup(const char *name)
{
    return wanted_name && strcmp(name, wanted_name) == 0 ? wanted_value : NULL;
}

static void complain(void *context, const char *line)
{
    complaints++;
    snprintf(complaint, sizeof complaint, "%s", line);
}

static hs__options read_with(const char *name, const char *value)
{
    hs__options options;
    wanted_name = name;
    wanted_value = value;
    complaints = 0;
    hs__options_read(&options, lookup, NULL, complain, NULL);
    return options;
}

static void defaults_fit_their_own_rows(void **state)
{
    size_t n;
    const hs__option_row *rows = hs__option_rows(&n);
    for (size_t i = 0; i < n; i++) {
        if (!rows[i].fallback[0])
            continue;
        read_with(rows[i].environment, rows[i].fallback);
        assert_int_equal(complaints, 0);
        assert_true(strlen(rows[i].help) > 0);
    }
    hs__options options = read_with(NULL, NULL);
    CHECK_CLOSE(options.probe_budget, 2, 0);
    assert_int_equal(options.disable, 0);
}

static void values_are_taken(void **state)
{
    CHECK_CLOSE(read_with("HS_PROBE_BUDGET", "500ms").probe_budget, 0.5, 1e-15);
    assert_int_equal(read_with("HS_FORWARD", "next").forward, HS__FORWARD_NEXT);
    assert_string_equal(read_with("HS_PLATFORM", "a.xml").platform, "a.xml");
    CHECK_CLOSE(read_with("HS_MOVE_MEMORY", "0.1").move_memory, 0.1, 1e-15);
}

static void bad_values_keep_the_default_and_are_named(void **state)
{
    static const char *const bad[][2] = {{"HS_DISABLE", "yes"},      {"HS_DISABLE", "2"},
                                         {"HS_PROBE_BUDGET", "-1s"}, {"HS_PROBE_BUDGET", "2 fortnights"},
                                         {"HS_PROBE_BUDGET", "0"},   {"HS_TIMEOUT", "0s"},
                                         {"HS_LOG", "loud"},         {"HS_FORWARD", ""},
                                         {"HS_MOVE_MEMORY", "0"},    {"HS_MOVE_MEMORY", "1.01"},
                                         {"HS_MOVE_MEMORY", "10%"},  {"HS_MOVE_MEMORY", "nan"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hs__options options = read_with(bad[i][0], bad[i][1]);
        assert_int_equal(complaints, 1);
        assert_non_null(strstr(complaint, bad[i][0]));
        CHECK_CLOSE(options.probe_budget, 2, 0);
        CHECK_CLOSE(options.timeout, 60, 0);
        assert_int_equal(options.disable, 0);
        CHECK_CLOSE(options.move_memory, 1, 0);
    }
}

/* What "hs env" says of a variable, and the complaint about a bad value. */
static void what_is_expected_is_said(void **state)
{
    static const struct {
        const char *name, *expected;
    } said[] = {{"HS_PLATFORM", "text"},
                {"HS_PROBE_BUDGET", "a time above 0"},
                {"HS_MOVE_MEMORY", "above 0, up to 1"},
                {"HS_DISABLE", "0|1"},
                {"HS_FORWARD", "pmpi|next"}};
    size_t n, found = 0;
    const hs__option_row *rows = hs__option_rows(&n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
            char text[96];
            if (strcmp(rows[i].environment, said[k].name) != 0)
                continue;
            assert_string_equal(hs__option_expected(&rows[i], text, sizeof text), said[k].expected);
            memset(text, '!', sizeof text);
            hs__option_expected(&rows[i], text, 3); /* what has no room is left out */
            assert_true(strlen(text) <= 2 && strncmp(text, said[k].expected, strlen(text)) == 0 && text[3] == '!');
            found++;
        }
    assert_int_equal(found, sizeof said / sizeof *said);
    read_with("HS_FORWARD", "twice");
    assert_non_null(strstr(complaint, "is not pmpi|next; using pmpi"));
    read_with("HS_DISABLE", "2");
    assert_non_null(strstr(complaint, "is not 0|1; using 0"));
    char longer[PATH_MAX + 1] = "";
    memset(longer, 'x', PATH_MAX);
    read_with("HS_PLATFORM", longer);
    assert_non_null(strstr(complaint, "is not text of up to 4095 bytes; using none"));
}

static void control_bytes_reach_no_terminal(void **state)
{
    char *environment[] = {"HS_\033]0;x\a=1", NULL};
    hs_error error;
    read_with("HS_WAIT", "\033[2J\n");
    assert_non_null(strstr(complaint, "'?[2J?'"));
    wanted_name = NULL;
    hs__options options;
    hs__options_read(&options, lookup, environment, complain, NULL);
    assert_non_null(strstr(complaint, "HS_?]0;x? "));
    hs_error_set(&error, HS_ERR_ARG, 0, "host '%s'", "a\nb\x7f\xc3\xa4");
    CHECK_ERROR(&error, 0, "host 'a?b?\xc3\xa4'");
}

static void unknown_names_are_named(void **state)
{
    char *environment[] = {"HS_TYPO=1", "PATH=/bin", "HS_DISABLE=0", NULL};
    hs__options options;
    complaints = 0;
    wanted_name = NULL;
    hs__options_read(&options, lookup, environment, complain, NULL);
    assert_int_equal(complaints, 1);
    assert_non_null(strstr(complaint, "HS_TYPO"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_fit_their_own_rows),
        cmocka_unit_test(values_are_taken),
        cmocka_unit_test(bad_values_keep_the_default_and_are_named),
        cmocka_unit_test(what_is_expected_is_said),
        cmocka_unit_test(control_bytes_reach_no_terminal),
        cmocka_unit_test(unknown_names_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
