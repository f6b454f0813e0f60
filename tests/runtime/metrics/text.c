/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"
#include "runtime/metrics/text.h"
#include "tests/comma_locale.h"
#include "tests/unit.h"
#include <stdlib.h>
#include <string.h>

/* The text for one rank of a program of this name; the caller frees it. */
static char *text_of(const char *program, const hs__metrics_row *row)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    hs__metrics_write(out, program, 8, row, 1);
    fclose(out);
    return text;
}

static void expect_line(const char *text, const char *line)
{
    const char *found = strstr(text, line);
    if (!found || (found > text && found[-1] != '\n') || found[strlen(line)] != '\n')
        fail_msg("no line %s in\n%s", line, text);
}

static void values_in_their_units(void **state)
{
    const hs__metrics_row row = {{[HS__METRIC_RANK] = 3,
                                  [HS__METRIC_PID] = 4711,
                                  [HS__METRIC_UPDATED_MS] = 1763855999123,
                                  [HS__METRIC_COMPUTE_NS] = 1500000000,
                                  [HS__METRIC_LIBRARY_NS] = 1,
                                  [HS__METRIC_CALLS] = INT64_C(9007199254740992),
                                  [HS__METRIC_MOVES] = 2}};
    char *text = text_of("solver", &row);
    expect_line(text, "hs_time_seconds_total{rank=\"3\",pid=\"4711\",kind=\"compute\"} 1.5");
    expect_line(text, "hs_time_seconds_total{rank=\"3\",pid=\"4711\",kind=\"wait\"} 0");
    expect_line(text, "hs_time_seconds_total{rank=\"3\",pid=\"4711\",kind=\"library\"} 1e-09");
    expect_line(text, "hs_mpi_calls_total{rank=\"3\",pid=\"4711\"} 9007199254740992");
    expect_line(text, "hs_moves_total{rank=\"3\",pid=\"4711\"} 2");
    expect_line(text, "hs_updated_timestamp_seconds{rank=\"3\",pid=\"4711\"} 1763855999.123");
    expect_line(text, "# EOF");
    free(text);
}

static void any_name_is_a_label(void **state)
{
    const hs__metrics_row row = {{0}};
    char *text = text_of("a\"b\\c\nd\xe9", &row);
    expect_line(text, "hs_program_info{name=\"a\\\"b\\\\c\\nd?\",pid=\"0\",ranks=\"8\",heteroslice=\"" PACKAGE_VERSION
                      "\"} 1");
    free(text);
}

static void the_same_in_every_locale(void **state)
{
    comma_locale_begin();
    values_in_their_units(state);
    comma_locale_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_in_their_units),
        cmocka_unit_test(the_same_in_every_locale),
        cmocka_unit_test(any_name_is_a_label),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
