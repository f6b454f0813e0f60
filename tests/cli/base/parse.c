/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a command line: each kind of option, what is refused and how, and files that may not meet. */
#include "cli/base/cli.h"
#include "cli/base/help.h"
#include "tests/cli/base/capture.h"

static const cli_verb verb = {"ring", "finds a ring", "hs ring PLATFORM [OPTIONS]", NULL};

enum { MOST_WORDS = 12 };

/* What the options were set to. */
static struct {
    int json, model, given;
    const char *text, *output, *drawing, *pair[2];
    int64_t units;
    double work;
} set;

static const char *const models[] = {"serial", "overlap", NULL};
static const cli_option options[] = {{"--json", CLI_FLAG, &set.json, 0, 0, NULL, NULL, NULL, 0},
                                     {"--text", CLI_TEXT, &set.text, 0, 0, NULL, &set.given, NULL, 0},
                                     {"-o", CLI_OUTPUT, &set.output, 0, 0, NULL, NULL, NULL, 0},
                                     {"--svg", CLI_OUTPUT, &set.drawing, 0, 0, NULL, NULL, NULL, 0},
                                     {"--units", CLI_INTEGER, &set.units, 0, 2, NULL, NULL, NULL, 0},
                                     {"--work", CLI_QUANTITY, &set.work, HS_UNIT_WORK, 0, NULL, NULL, "--units", 0},
                                     {"--model", CLI_CHOICE, &set.model, 0, 0, models, NULL, NULL, 0},
                                     {"--route", CLI_TEXT_PAIR, set.pair, 0, 0, NULL, NULL, NULL, 0},
                                     {NULL, CLI_FLAG, NULL, 0, 0, NULL, NULL, NULL, 0}};

/* How one command line was parsed. */
typedef struct parsed {
    int code, n, rest, words;
    const char *positional[2];
    char said[600], printed[3000];
} parsed;

static void parse(parsed *p, int takes_rest, const char *const *words)
{
    char *argv[MOST_WORDS] = {(char *)"ring"};
    p->words = 1;
    for (; *words; words++)
        argv[p->words++] = (char *)*words;
    memset(&set, 0, sizeof set);
    capture out = capture_begin(stdout), err = capture_begin(stderr);
    p->code = cli_parse(&verb, p->words, argv, options, p->positional, 2, takes_rest ? &p->rest : NULL);
    p->n = (p->positional[0] != NULL) + (p->positional[1] != NULL);
    capture_end(&err, p->said, sizeof p->said);
    capture_end(&out, p->printed, sizeof p->printed);
}
#define PARSE(p, ...) parse(p, 0, (const char *const[]){__VA_ARGS__, NULL})

static void each_kind_is_set(void **state)
{
    parsed p;
    PARSE(&p, "a.xml", "--json", "--text", "x", "-o", "y", "--units", "2");
    assert_int_equal(p.code, CLI_OK);
    assert_int_equal(p.n, 1);
    assert_string_equal(p.positional[0], "a.xml");
    assert_true(set.json == 1 && set.given == 1 && set.units == 2);
    assert_string_equal(set.text, "x");
    assert_string_equal(set.output, "y");
    assert_string_equal(p.said, "");
    PARSE(&p, "--work=2kf", "--model=overlap", "--route", "a", "b", "-7", "--text=");
    assert_int_equal(p.code, CLI_OK);
    assert_true(set.work == 2000 && set.model == 1 && set.units == 0);
    assert_string_equal(set.pair[0], "a");
    assert_string_equal(set.pair[1], "b");
    assert_string_equal(set.text, "");
    assert_string_equal(p.positional[0], "-7"); /* a number, which the verb looks at */
    PARSE(&p, "--route=a", "b", "--model", "serial", "-");
    assert_int_equal(p.code, CLI_OK);
    assert_string_equal(set.pair[0], "a");
    assert_string_equal(set.pair[1], "b");
    assert_string_equal(p.positional[0], "-");
    PARSE(&p, "--units", "9223372036854775807");
    assert_true(p.code == CLI_OK && set.units == INT64_MAX && !set.given);
}

/* The usage follows where words do not go together; a bad value is one line. */
static void refused(int code, const char *said, const char *const *words)
{
    parsed p;
    char expected[300];
    parse(&p, 0, words);
    snprintf(expected, sizeof expected, "hs ring: %s\n%s", said,
             code == CLI_USAGE ? "usage: hs ring PLATFORM [OPTIONS]\n" : "");
    assert_string_equal(p.said, expected);
    assert_int_equal(p.code, code);
    assert_string_equal(p.printed, "");
}
#define REFUSED(code, said, ...) refused(code, said, (const char *const[]){__VA_ARGS__, NULL})

static void what_is_refused_is_said(void **state)
{
    REFUSED(CLI_USAGE, "unexpected argument 'c'", "a", "b", "c");
    REFUSED(CLI_USAGE, "unknown option '--modle'; did you mean '--model'?", "--modle", "serial");
    REFUSED(CLI_USAGE, "unknown option '--hlep'; did you mean '--help'?", "--hlep");
    REFUSED(CLI_USAGE, "unknown option '--nonsense'", "--nonsense");
    REFUSED(CLI_USAGE, "unknown option '--unit'; did you mean '--units'?", "--unit", "3");
    REFUSED(CLI_USAGE, "--json given twice", "--json", "--json");
    REFUSED(CLI_USAGE, "--route given twice", "--route", "a", "b", "--route", "a", "b");
    REFUSED(CLI_USAGE, "--work excludes --units", "--work", "2kf", "--units", "2");
    REFUSED(CLI_USAGE, "--json takes no value", "--json=1");
    REFUSED(CLI_USAGE, "--text needs a value", "a", "--text");
    REFUSED(CLI_USAGE, "--route needs two values", "--route", "a");
    REFUSED(CLI_USAGE, "--route needs two values", "--route=a");
    REFUSED(CLI_USAGE, "unexpected argument '--json'", "--", "a", "b", "--json");
    REFUSED(CLI_USAGE, "standard input (-) is given twice", "-", "-");
    REFUSED(CLI_USAGE, "standard input (-) is given twice", "-", "--text", "-");
    REFUSED(CLI_BAD_INPUT, "--units takes an integer of at least 2, not '1'", "--units", "1");
    REFUSED(CLI_BAD_INPUT, "--units takes an integer of at least 2, not '3x'", "--units", "3x");
    REFUSED(CLI_BAD_INPUT, "--units takes an integer of at least 2, not ''", "--units=");
    REFUSED(CLI_BAD_INPUT, "--units takes an integer of at most 9223372036854775807, not '9223372036854775808'",
            "--units", "9223372036854775808");
    REFUSED(CLI_BAD_INPUT,
            "--work: '1e300' is out of range: expected 0 or more, such as 2Gf (1e-100 to 1e100 in base units)",
            "--work", "1e300");
    REFUSED(CLI_BAD_INPUT, "--model takes one of serial, overlap, not 'both'", "--model", "both");
    REFUSED(CLI_BAD_INPUT, "--work: '2 fortnights' has an unknown unit: expected 0 or more, such as 2Gf", "--work",
            "2 fortnights");
    REFUSED(CLI_BAD_INPUT, "-o x would overwrite x", "--svg", "x", "-o", "x", "a");
}

/* Behind "--" nothing is an option. */
static void options_end(void **state)
{
    parsed p;
    PARSE(&p, "--json", "--", "--help", "--");
    assert_int_equal(p.code, CLI_OK);
    assert_true(p.n == 2);
    assert_string_equal(p.positional[0], "--help");
    assert_string_equal(p.positional[1], "--");
}

/* Behind "--" are another program's words, which may be anything. */
static void words_of_another_program(void **state)
{
    parsed p;
    parse(&p, 1, (const char *const[]){"a", "--json", "--", "--json", "b", "c", "d", NULL});
    assert_int_equal(p.code, CLI_OK);
    assert_true(p.rest == 4 && p.n == 1);
    parse(&p, 1, (const char *const[]){"a", "b", NULL});
    assert_true(p.rest == p.words && p.n == 2);
    parse(&p, 1, (const char *const[]){"--", NULL});
    assert_true(p.code == CLI_OK && p.rest == 2 && p.n == 0);
}

static void help_ends_all(void **state)
{
    parsed p;
    PARSE(&p, "a", "-h", "--nonsense");
    assert_int_equal(p.code, CLI_DONE);
    assert_string_equal(p.printed,
                        "hs ring: finds a ring\nusage: hs ring PLATFORM [OPTIONS]\n(hs help ring: the manual page)\n");
    PARSE(&p, "--help");
    assert_int_equal(p.code, CLI_DONE);
    assert_non_null(strstr(p.printed, "hs ring: finds a ring\nusage: hs ring PLATFORM [OPTIONS]\n\n"));
    assert_non_null(strstr(p.printed, "\nDESCRIPTION\n"));
}

/* An output that leads to what is read, by whatever name. */
static void an_output_replaces_no_input(void **state)
{
    char input[] = "/tmp/hs-parse-XXXXXX", link[64], said[200];
    int file = mkstemp(input);
    assert_true(file >= 0 && close(file) == 0);
    snprintf(link, sizeof link, "%s.link", input);
    assert_int_equal(symlink(input, link), 0);
    assert_true(cli_are_one_file(input, link));
    assert_false(cli_are_one_file(input, "/nowhere"));
    assert_false(cli_are_one_file("/nowhere", "/nowhere"));
    assert_false(cli_are_one_file("/dev/null", "/dev/null"));
    snprintf(said, sizeof said, "-o %s would overwrite %s", link, input);
    REFUSED(CLI_BAD_INPUT, said, input, "-o", link);
    REFUSED(CLI_BAD_INPUT, said, "a", input, "-o", link);
    REFUSED(CLI_BAD_INPUT, said, "--text", input, "-o", link);
    parsed p;
    PARSE(&p, input, "-o", "-");
    assert_int_equal(p.code, CLI_OK);
    PARSE(&p, "-", "-o", "-"); /* read here, written there */
    assert_int_equal(p.code, CLI_OK);
    PARSE(&p, "/dev/null", "-o", "/dev/null");
    assert_int_equal(p.code, CLI_OK);
    unlink(link);
    unlink(input);
}

static int list(const char *text, double **values, size_t *n, char *said, size_t size)
{
    capture c = capture_begin(stderr);
    int code = cli_quantity_list(&verb, "--times", text, HS_UNIT_TIME, values, n);
    capture_end(&c, said, size);
    return code;
}

static void lists_of_quantities(void **state)
{
    double *values = NULL;
    size_t n = 0;
    char said[300];
    assert_int_equal(list("1,2ms,0", &values, &n, said, sizeof said), CLI_OK);
    assert_true(n == 3 && values[0] == 1 && values[1] == 2e-3 && values[2] == 0);
    free(values);
    assert_int_equal(list("7", &values, &n, said, sizeof said), CLI_OK);
    assert_true(n == 1 && values[0] == 7);
    free(values);
    values = NULL;
    static const char *const wrong[][2] = {{"1,,2", "hs ring: --times: value 2: "},
                                           {"", "hs ring: --times: value 1: "},
                                           {"1,", "hs ring: --times: value 2: "},
                                           {"1,2,-3", "hs ring: --times: value 3: "}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(list(wrong[k][0], &values, &n, said, sizeof said), CLI_BAD_INPUT);
        assert_int_equal(strncmp(said, wrong[k][1], strlen(wrong[k][1])), 0);
        assert_true(!values && n == 1);
    }
}

static void drawings_and_json_share_no_output(void **state)
{
    char said[300];
    assert_int_equal(cli_check_drawing(&verb, "--svg", "-", 0), CLI_OK);
    assert_int_equal(cli_check_drawing(&verb, "--svg", "file", 1), CLI_OK);
    assert_int_equal(cli_check_drawing(&verb, "--svg", NULL, 1), CLI_OK);
    capture c = capture_begin(stderr);
    assert_int_equal(cli_check_drawing(&verb, "--svg", "-", 1), CLI_USAGE);
    capture_end(&c, said, sizeof said);
    assert_non_null(strstr(said, "--json and --svg - both write to standard output"));
}

/* Where in a file, as far as it is known. */
static void failures_name_their_place(void **state)
{
    static const struct {
        const char *file;
        int line;
        const char *said;
    } rows[] = {{"a.xml", 7, "hs ring: a.xml:7: why\n"},
                {"a.xml", 0, "hs ring: a.xml: why\n"},
                {"", 0, "hs ring: '': why\n"},
                {NULL, 7, "hs ring: why\n"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char said[100];
        const hs_error error = {rows[k].line, "why"};
        capture c = capture_begin(stderr);
        assert_int_equal(cli_fail(&verb, rows[k].file, &error), CLI_BAD_INPUT);
        capture_end(&c, said, sizeof said);
        assert_string_equal(said, rows[k].said);
    }
}

static void answers_in_json(void **state)
{
    char text[200];
    capture c = capture_begin(stdout);
    assert_int_equal(cli_print_json(&verb, json_pack("{s:i, s:f}", "b", 1, "a", 0.1)), CLI_OK);
    capture_end(&c, text, sizeof text);
    assert_string_equal(text, "{\"b\":1,\"a\":0.10000000000000001}\n");
    c = capture_begin(stderr);
    assert_int_equal(cli_print_json(&verb, NULL), CLI_BAD_INPUT);
    capture_end(&c, text, sizeof text);
    assert_non_null(strstr(text, "hs ring: no JSON"));
}

static void pages_are_found(void **state)
{
    assert_string_equal(cli_find_page("ring")->name, "ring");
    assert_string_equal(cli_find_page("lab up")->name, "lab");
    assert_null(cli_find_page("rin"));
    assert_null(cli_find_page("rings"));
    assert_null(cli_find_page(""));
}

/* Without a terminal a page is printed, with what its verb is about. */
static void pages_are_printed(void **state)
{
    char bare[40000], whole[40000];
    const cli_page *page = cli_find_page("ring");
    capture c = capture_begin(stdout);
    cli_show_page(page, NULL);
    capture_end(&c, bare, sizeof bare);
    c = capture_begin(stdout);
    cli_show_page(page, &verb);
    capture_end(&c, whole, sizeof whole);
    const char *at = bare;
    for (const char *const *line = page->lines; *line; line++) {
        assert_int_equal(strncmp(at, *line, strlen(*line)), 0);
        at += strlen(*line);
        assert_int_equal(*at++, '\n');
    }
    assert_int_equal(*at, '\0');
    static const char head[] = "hs ring: finds a ring\nusage: hs ring PLATFORM [OPTIONS]\n\n";
    assert_int_equal(strncmp(whole, head, strlen(head)), 0);
    assert_string_equal(whole + strlen(head), bare);
}

/* Beside the program, as in a build, or where it was installed. */
static void libraries_are_found(void **state)
{
    char self[4096], path[4096];
    assert_int_equal(cli_find_self(self, sizeof self), 0);
    assert_int_equal(access(self, X_OK), 0);
    assert_true(cli_find_library(strrchr(self, '/') + 1, path, sizeof path));
    assert_string_equal(path, self);
    assert_false(cli_find_library("src/no-such-library.so", path, sizeof path));
    assert_string_equal(strrchr(path, '/'), "/no-such-library.so");
    char cut[4];
    assert_int_equal(cli_find_self(cut, sizeof cut), 0);
    assert_int_equal(strncmp(cut, self, 3), 0);
    assert_int_equal(strlen(cut), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_set),
        cmocka_unit_test(what_is_refused_is_said),
        cmocka_unit_test(options_end),
        cmocka_unit_test(words_of_another_program),
        cmocka_unit_test(help_ends_all),
        cmocka_unit_test(an_output_replaces_no_input),
        cmocka_unit_test(lists_of_quantities),
        cmocka_unit_test(drawings_and_json_share_no_output),
        cmocka_unit_test(failures_name_their_place),
        cmocka_unit_test(answers_in_json),
        cmocka_unit_test(pages_are_found),
        cmocka_unit_test(pages_are_printed),
        cmocka_unit_test(libraries_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
