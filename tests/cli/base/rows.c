/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a long table that are printed, against counting for each row how many come before it. */
#include "cli/base/rows.h"
#include "tests/cli/base/capture.h"
#include "util/random.h"

enum { MOST = 60 };

static double value_of(const void *values, int i)
{
    return ((const double *)values)[i];
}

/* Whether a row is one of the first by value, the lower number first among equals. */
static int is_first(const double *value, int n, int row)
{
    int before = 0;
    for (int i = 0; i < n; i++)
        before += value[i] > value[row] || (value[i] == value[row] && i < row);
    return before < CLI_FIRST;
}

static void the_first_by_value(void **state)
{
    hs__random random = {3};
    for (int trial = 0; trial < 2000; trial++) {
        double value[MOST];
        int n = (int)hs__random_below(&random, MOST + 1), most = CLI_FIRST + (int)hs__random_below(&random, MOST);
        for (int i = 0; i < n; i++)
            value[i] = (double)hs__random_below(&random, trial % 2 ? 5 : 1000);
        cli_rows rows = cli_choose_rows(n, most, 0, value_of, value);
        assert_int_equal(rows.n, n);
        assert_int_equal(rows.shown, n <= most ? n : CLI_FIRST);
        for (int i = 0; i < n; i++)
            assert_int_equal(cli_shows_row(&rows, i), n <= most || is_first(value, n, i));
        rows = cli_choose_rows(n, most, 1, value_of, value);
        assert_int_equal(rows.shown, n);
        for (int i = 0; i < n; i++)
            assert_true(cli_shows_row(&rows, i));
    }
}

static void the_rest_is_counted(void **state)
{
    double value[41] = {0};
    char text[100];
    for (int n = CLI_ROWS; n <= CLI_ROWS + 1; n++) {
        cli_rows rows = cli_choose_rows(n, CLI_ROWS, 0, value_of, value);
        capture c = capture_begin(stdout);
        cli_print_rest(&rows, "hosts that wait");
        capture_end(&c, text, sizeof text);
        assert_string_equal(text, n > CLI_ROWS ? "... and 31 hosts that wait (--all: every row)\n" : "");
    }
}

static int every_third(const void *context, int k)
{
    return 3 * k;
}

static void put_number(FILE *out, const void *context, int i)
{
    fprintf(out, "%s%d", (const char *)context, i);
}

static void the_left_out_are_named(void **state)
{
    static const struct {
        int n, used, all;
        const char *said;
    } rows[] = {
        {1, 1, 0, ""},
        {2, 0, 0, "\nleft out: h0, h1\n"},
        {4, 2, 0, "\nleft out: h1, h2\n"},
        {17, 6, 0, "\nleft out: h1, h2, h4, h5, h7, h8, h10, h11, h13, h14 and 1 more\n"},
        {17, 6, 1, "\nleft out: h1, h2, h4, h5, h7, h8, h10, h11, h13, h14, h16\n"},
    };
    char text[200];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        capture c = capture_begin(stdout);
        cli_print_left_out(rows[k].n, rows[k].used, every_third, rows[k].all, put_number, "h");
        capture_end(&c, text, sizeof text);
        assert_string_equal(text, rows[k].said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_by_value), cmocka_unit_test(the_rest_is_counted),
                                       cmocka_unit_test(the_left_out_are_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
