/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in a log of decisions that no run can have written: one beyond each end of what is taken. */
#include "plan/decision/trace.h"
#include "tests/unit.h"

/* One number of a line: what it is called, what a good line has, what is just taken, and what is not any more. */
typedef struct range {
    const char *key, *good, *taken[2], *refused[2];
} range;

static const char slices[] =
    "{\"event\":\"layout\",\"layout\":1,\"ranks\":2,\"first_cycle\":[1,1],\"world\":[0,1],\"slices\":{\"units\":10,"
    "\"minimum\":2,\"model\":\"serial\",\"memberships\":[{\"traffic\":3,\"comm\":[0,0]}],"
    "\"pace\":[{\"points\":[[1,1]],\"limit\":7},{\"points\":[[1,1]]}],\"unit_bytes\":8}}\n";
static const char phase[] =
    "{\"event\":\"phase\",\"layout\":1,\"iteration\":1,\"iterations\":5,\"cycle\":[1,1],\"units\":[5,5],\"step\":1.5,"
    "\"left\":9,\"move_fixed\":2.5,\"move_unit\":3.5,\"unit_bytes\":4.5,\"now\":5.5,\"best\":6.5,\"loss\":7.5,"
    "\"price\":8.5,\"error\":9.5,\"moved\":11,\"part\":{\"step\":10.5,\"moved\":12,\"left\":13,\"price\":11.5},"
    "\"drift\":{\"of\":\"host\",\"rank\":1,\"before\":12.5,\"after\":13.5,\"iterations\":14},\"verdict\":\"move\"}\n";
static const char moved[] = "{\"event\":\"moved\",\"layout\":1,\"seconds\":0.5}\n";

static const range of_slices[] = {
    {"layout", "\"layout\":1", {"\"layout\":0", "\"layout\":2147483647"}, {"\"layout\":-1", "\"layout\":2147483648"}},
    {"ranks", "\"ranks\":2", {NULL, NULL}, {"\"ranks\":0", "\"ranks\":1048577"}},
    {"first_cycle",
     "\"first_cycle\":[1,1]",
     {"\"first_cycle\":[0,null]", NULL},
     {"\"first_cycle\":[1,-1]", "\"first_cycle\":[1,1,1]"}},
    {"world", "\"world\":[0,1]", {"\"world\":[-1,1048575]", NULL}, {"\"world\":[0,-2]", "\"world\":[1048576,0]"}},
    {"world", "\"world\":[0,1]", {NULL, NULL}, {"\"world\":[0]", "\"world\":[0,1.5]"}},
    {"units", "\"units\":10", {"\"units\":2", NULL}, {"\"units\":0", "\"units\":1.0"}},
    {"minimum", "\"minimum\":2", {"\"minimum\":1", "\"minimum\":10"}, {"\"minimum\":0", "\"minimum\":11"}},
    {"model", "\"serial\"", {"\"overlap\"", NULL}, {"\"both\"", "7"}},
    {"traffic", "\"traffic\":3", {"\"traffic\":0", "\"traffic\":null"}, {"\"traffic\":-1", "\"traffic\":\"1\""}},
    {"pace", "\"unit_bytes\":8", {"\"unit_bytes\":0", NULL}, {"\"unit_bytes\":-1", "\"unit_bytes\":null"}},
    {"pace", "\"limit\":7", {"\"limit\":0.5", NULL}, {"\"limit\":0", "\"limit\":-7"}},
};

static const range of_phases[] = {
    {"iteration",
     "\"iteration\":1",
     {"\"iteration\":0", "\"iteration\":9223372036854775807"},
     {"\"iteration\":-1", "\"iteration\":null"}},
    {"iterations",
     "\"iterations\":5",
     {"\"iterations\":1", "\"iterations\":1000000000000"},
     {"\"iterations\":0", "\"iterations\":1000000000001"}},
    {"cycle", "\"cycle\":[1,1]", {"\"cycle\":[0,null]", NULL}, {"\"cycle\":[-1,1]", "\"cycle\":[1]"}},
    {"units", "\"units\":[5,5]", {"\"units\":[0,10]", NULL}, {"\"units\":[-1,11]", "\"units\":[5,4]"}},
    {"step", "\"step\":1.5", {"\"step\":0", "\"step\":1e100"}, {"\"step\":-0.1", "\"step\":1.1e100"}},
    {"left", "\"left\":9", {"\"left\":-1", "\"left\":0"}, {"\"left\":-2", "\"left\":0.5"}},
    {"move_fixed", "\"move_fixed\":2.5", {"\"move_fixed\":0", NULL}, {"\"move_fixed\":-1", "\"move_fixed\":null"}},
    {"move_unit", "\"move_unit\":3.5", {"\"move_unit\":0", NULL}, {"\"move_unit\":-1", "\"move_unit\":null"}},
    {"unit_bytes", "\"unit_bytes\":4.5", {"\"unit_bytes\":0", NULL}, {"\"unit_bytes\":-1", "\"unit_bytes\":true"}},
    {"now", "\"now\":5.5", {"\"now\":0", "\"now\":null"}, {"\"now\":-1", "\"now\":[]"}},
    {"best", "\"best\":6.5", {"\"best\":0", "\"best\":null"}, {"\"best\":-1", "\"best\":{}"}},
    {"loss", "\"loss\":7.5", {"\"loss\":0", NULL}, {"\"loss\":-1", "\"loss\":\"7\""}},
    {"price", "\"price\":8.5", {"\"price\":0", "\"price\":null"}, {"\"price\":-1", "\"price\":false"}},
    {"error", "\"error\":9.5", {"\"error\":0", NULL}, {"\"error\":-1", "\"error\":\"\""}},
    {"moved", "\"moved\":11", {"\"moved\":0", NULL}, {"\"moved\":-1", "\"moved\":1.5"}},
    {"step", "\"step\":10.5", {"\"step\":0", NULL}, {"\"step\":-1", "\"step\":true"}},
    {"moved", "\"moved\":12", {"\"moved\":1", NULL}, {"\"moved\":0", "\"moved\":null"}},
    {"left", "\"left\":13", {"\"left\":0", NULL}, {"\"left\":-1", "\"left\":null"}},
    {"price", "\"price\":11.5", {"\"price\":0", NULL}, {"\"price\":-1", "\"price\":[]"}},
    {"of", "\"host\"", {"\"messages\"", NULL}, {"\"link\"", "1"}},
    {"rank", "\"rank\":1", {"\"rank\":0", NULL}, {"\"rank\":-1", "\"rank\":2"}},
    {"before", "\"before\":12.5", {"\"before\":-1", NULL}, {"\"before\":null", "\"before\":\"1\""}},
    {"after", "\"after\":13.5", {"\"after\":0", NULL}, {"\"after\":null", "\"after\":{}"}},
    {"iterations", "\"iterations\":14", {"\"iterations\":1", NULL}, {"\"iterations\":0", "\"iterations\":null"}},
    {"verdict", "\"move\"", {NULL, NULL}, {"\"go\"", "1"}},
};

static const range of_moves[] = {
    {"seconds", "\"seconds\":0.5", {"\"seconds\":0", "\"seconds\":1e100"}, {"\"seconds\":-1", "\"seconds\":null"}},
    {"layout", "\"layout\":1", {NULL, NULL}, {"\"layout\":2", "\"layout\":-1"}},
};

/* Reads a file of three lines, one of which has something in the place of what is good. */
static hs_status read_with(int changed, const char *good, const char *other, hs_error *error)
{
    const char *const lines[] = {slices, phase, moved};
    hs__traces traces;
    FILE *log = tmpfile();
    for (int k = 0; k < 3; k++) {
        const char *at = k == changed ? strstr(lines[k], good) : NULL;
        assert_true(k != changed || at);
        if (at)
            fprintf(log, "%.*s%s%s", (int)(at - lines[k]), lines[k], other, at + strlen(good));
        else
            fputs(lines[k], log);
    }
    rewind(log);
    hs_status status = hs__traces_read(log, &traces, error);
    if (status == HS_OK)
        hs__traces_free(&traces);
    fclose(log);
    return status;
}

static void check(int line, const range *ranges, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            const range *r = &ranges[i];
            hs_error error = {0, ""};
            char key[32];
            snprintf(key, sizeof key, "\"%s\" is not ", r->key);
            /* another number of the layout is not that of the lines after it */
            if (r->taken[k] && read_with(line, r->good, r->taken[k], &error) != HS_OK && error.line == line + 1)
                fail_msg("%s is refused: %s", r->taken[k], error.text);
            if (read_with(line, r->good, r->refused[k], &error) == HS_OK)
                fail_msg("%s is taken", r->refused[k]);
            if (error.line != line + 1 || strncmp(error.text, key, strlen(key)) != 0)
                fail_msg("%s: line %d: %s", r->refused[k], error.line, error.text);
        }
}

static void numbers_of_layouts(void **state)
{
    hs_error error;
    assert_int_equal(read_with(3, NULL, NULL, &error), HS_OK);
    check(0, of_slices, sizeof of_slices / sizeof *of_slices);
}

static void numbers_of_phases(void **state)
{
    check(1, of_phases, sizeof of_phases / sizeof *of_phases);
}

static void numbers_of_moves(void **state)
{
    check(2, of_moves, sizeof of_moves / sizeof *of_moves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_layouts), cmocka_unit_test(numbers_of_phases),
                                       cmocka_unit_test(numbers_of_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
