/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/comma_locale.h"
#include "tests/unit.h"
#include <heteroslice/hs_units.h>

static void accepted(void **state)
{
    static const struct {
        const char *text;
        hs_unit unit;
        double value;
    } rows[] = {
        {"8Gf", HS_UNIT_SPEED, 8e9},
        {"98.095Mf", HS_UNIT_SPEED, 98.095e6},
        {"3 kiloflops", HS_UNIT_SPEED, 3e3},
        {"100Mbps", HS_UNIT_BANDWIDTH, 12.5e6},
        {"41.279125MBps", HS_UNIT_BANDWIDTH, 41279125},
        {"1.25E9Bps", HS_UNIT_BANDWIDTH, 1.25e9},
        {"10KiBps", HS_UNIT_BANDWIDTH, 10240},
        {"8bps", HS_UNIT_BANDWIDTH, 1},
        {"59.904us", HS_UNIT_TIME, 59.904e-6},
        {"0", HS_UNIT_TIME, 0},
        {"1.0E-4s", HS_UNIT_TIME, 1e-4},
        {"2m", HS_UNIT_TIME, 120},
        {"3h", HS_UNIT_TIME, 10800},
        {"2d", HS_UNIT_TIME, 172800},
        {"1w", HS_UNIT_TIME, 604800},
        {"64KiB", HS_UNIT_SIZE, 65536},
        {"0f", HS_UNIT_WORK, 0},
        {"10k", HS_UNIT_NUMBER, 10000},
        {"2.5 Mi", HS_UNIT_NUMBER, 2.5 * 1048576},
        {"0", HS_UNIT_NUMBER, 0},
        {"1e-100f", HS_UNIT_WORK, 1e-100},
        {"1e100f", HS_UNIT_WORK, 1e100},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double value = -1;
        hs_error error;
        if (hs_quantity_parse(rows[i].text, rows[i].unit, HS_BARE_REFUSED, &value, &error) != HS_OK)
            fail_msg("%s: %s", rows[i].text, error.text);
        CHECK_CLOSE(value, rows[i].value, 1e-15);
    }
}

/* Every prefix, as an abbreviation and as a word, and every unit of time. */
static void every_prefix_has_its_factor(void **state)
{
    static const struct {
        const char *abbreviation, *word;
        double factor;
    } rows[] = {
        {"", "", 1},
        {"k", "kilo", 1e3},
        {"K", "kilo", 1e3},
        {"M", "mega", 1e6},
        {"G", "giga", 1e9},
        {"T", "tera", 1e12},
        {"P", "peta", 1e15},
        {"E", "exa", 1e18},
        {"Z", "zetta", 1e21},
        {"Y", "yotta", 1e24},
        {"Ki", "kibi", 1024},
        {"Mi", "mebi", 1048576},
        {"Gi", "gibi", 0x1p30},
        {"Ti", "tebi", 0x1p40},
        {"Pi", "pebi", 0x1p50},
        {"Ei", "exbi", 0x1p60},
    };
    static const struct {
        const char *suffix;
        hs_unit unit;
        double factor;
    } bases[] = {
        {"f", HS_UNIT_SPEED, 1}, {"Bps", HS_UNIT_BANDWIDTH, 1}, {"bps", HS_UNIT_BANDWIDTH, 0.125},
        {"B", HS_UNIT_SIZE, 1},  {"b", HS_UNIT_SIZE, 0.125},    {"f", HS_UNIT_WORK, 1},
    };
    char text[32];
    double value;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
            snprintf(text, sizeof text, "3%s%s", rows[k].abbreviation, bases[b].suffix);
            assert_int_equal(hs_quantity_parse(text, bases[b].unit, HS_BARE_REFUSED, &value, NULL), HS_OK);
            assert_true(value == 3 * rows[k].factor * bases[b].factor);
        }
        snprintf(text, sizeof text, "3%sflops", rows[k].word);
        assert_int_equal(hs_quantity_parse(text, HS_UNIT_SPEED, HS_BARE_REFUSED, &value, NULL), HS_OK);
        assert_true(value == 3 * rows[k].factor);
    }
    assert_int_equal(hs_quantity_parse("3ps", HS_UNIT_TIME, HS_BARE_REFUSED, &value, NULL), HS_OK);
    CHECK_CLOSE(value / 3e-12, 1, 1e-15);
    assert_int_equal(hs_quantity_parse("3ns", HS_UNIT_TIME, HS_BARE_REFUSED, &value, NULL), HS_OK);
    CHECK_CLOSE(value / 3e-9, 1, 1e-15);
    assert_int_equal(hs_quantity_parse("3 \tms", HS_UNIT_TIME, HS_BARE_REFUSED, &value, NULL), HS_OK);
    CHECK_CLOSE(value / 3e-3, 1, 1e-15);
}

static void refused(void **state)
{
    static const struct {
        const char *text;
        hs_unit unit;
        hs_bare bare;
    } rows[] = {
        {"", HS_UNIT_SPEED, HS_BARE_ALLOWED},        {"fast", HS_UNIT_SPEED, HS_BARE_ALLOWED},
        {"8", HS_UNIT_SPEED, HS_BARE_REFUSED},       {"-8Gf", HS_UNIT_SPEED, HS_BARE_REFUSED},
        {"0f", HS_UNIT_SPEED, HS_BARE_REFUSED},      {"nan", HS_UNIT_SPEED, HS_BARE_ALLOWED},
        {"inf", HS_UNIT_SPEED, HS_BARE_ALLOWED},     {"1e400Gf", HS_UNIT_SPEED, HS_BARE_ALLOWED},
        {"8Gf!", HS_UNIT_SPEED, HS_BARE_REFUSED},    {"8Gbps", HS_UNIT_SPEED, HS_BARE_REFUSED},
        {"8Gf", HS_UNIT_BANDWIDTH, HS_BARE_REFUSED}, {"-1us", HS_UNIT_TIME, HS_BARE_REFUSED},
        {"1kms", HS_UNIT_TIME, HS_BARE_REFUSED},     {"0Bps", HS_UNIT_BANDWIDTH, HS_BARE_REFUSED},
        {"1e-320f", HS_UNIT_SPEED, HS_BARE_REFUSED}, {"1e101", HS_UNIT_WORK, HS_BARE_ALLOWED},
        {"2Gf", HS_UNIT_NUMBER, HS_BARE_ALLOWED},    {"-1", HS_UNIT_NUMBER, HS_BARE_ALLOWED},
        {"0x10", HS_UNIT_NUMBER, HS_BARE_ALLOWED},   {" +0XB", HS_UNIT_SIZE, HS_BARE_ALLOWED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double value = 7;
        hs_error error = {.line = 7};
        assert_int_equal(hs_quantity_parse(rows[i].text, rows[i].unit, rows[i].bare, &value, &error), HS_ERR_PARSE);
        assert_true(value == 7);
        CHECK_ERROR_SAYS(&error, 0, "expected");
    }
}

static void bare_number(void **state)
{
    double value;
    assert_int_equal(hs_quantity_parse("1.5e9", HS_UNIT_SPEED, HS_BARE_ALLOWED, &value, NULL), HS_OK);
    CHECK_CLOSE(value, 1.5e9, 0);
}

static void formatted(void **state)
{
    char buffer[32];
    assert_string_equal(hs_quantity_format(8e9, HS_UNIT_SPEED, buffer, sizeof buffer), "8 Gf");
    assert_string_equal(hs_quantity_format(12.5e6, HS_UNIT_BANDWIDTH, buffer, sizeof buffer), "12.5 MBps");
    assert_string_equal(hs_quantity_format(2e-6, HS_UNIT_TIME, buffer, sizeof buffer), "2 us");
    assert_string_equal(hs_quantity_format(0.99999999, HS_UNIT_TIME, buffer, sizeof buffer), "1 s");
    assert_string_equal(hs_quantity_format(0.9999, HS_UNIT_TIME, buffer, sizeof buffer), "999.9 ms");
    assert_string_equal(hs_quantity_format(999999999, HS_UNIT_SPEED, buffer, sizeof buffer), "1 Gf");
    assert_string_equal(hs_quantity_format(9999.49, HS_UNIT_TIME, buffer, sizeof buffer), "9999 s");
    assert_string_equal(hs_quantity_format(9999.6, HS_UNIT_TIME, buffer, sizeof buffer), "10000 s");
    assert_string_equal(hs_quantity_format(1234567.8, HS_UNIT_TIME, buffer, sizeof buffer), "1234568 s");
    assert_string_equal(hs_quantity_format(2e9, HS_UNIT_TIME, buffer, sizeof buffer), "2e+09 s");
    assert_string_equal(hs_quantity_format(0, HS_UNIT_TIME, buffer, sizeof buffer), "0 s");
    assert_string_equal(hs_quantity_format(65536, HS_UNIT_SIZE, buffer, sizeof buffer), "64 KiB");
    assert_string_equal(hs_quantity_format(2e21, HS_UNIT_SPEED, buffer, sizeof buffer), "2000 Ef"); /* no larger unit */
    assert_string_equal(hs_quantity_format(0x1p70, HS_UNIT_SIZE, buffer, sizeof buffer), "1024 EiB");
    assert_string_equal(hs_quantity_format(999.95, HS_UNIT_NUMBER, buffer, sizeof buffer), "1 k");
}

static void the_same_in_every_locale(void **state)
{
    comma_locale_begin();
    accepted(state);
    formatted(state);
    comma_locale_end();
}

/* One digit before each power, with each unit's name; a text that has no room is cut. */
static void every_power_has_its_prefix(void **state)
{
    static const char *const speeds[] = {"7 f", "7 kf", "7 Mf", "7 Gf", "7 Tf", "7 Pf", "7 Ef"};
    static const char *const sizes[] = {"7 B", "7 KiB", "7 MiB", "7 GiB", "7 TiB", "7 PiB", "7 EiB"};
    char buffer[32];
    double power = 1, binary = 1;
    for (int k = 0; k < 7; k++, power *= 1000, binary *= 1024) {
        assert_string_equal(hs_quantity_format(7 * power, HS_UNIT_WORK, buffer, sizeof buffer), speeds[k]);
        assert_string_equal(hs_quantity_format(7 * binary, HS_UNIT_SIZE, buffer, sizeof buffer), sizes[k]);
    }
    assert_string_equal(hs_quantity_format(7e-3, HS_UNIT_TIME, buffer, sizeof buffer), "7 ms");
    assert_string_equal(hs_quantity_format(7e-9, HS_UNIT_TIME, buffer, sizeof buffer), "7 ns");
    assert_string_equal(hs_quantity_format(7e-12, HS_UNIT_TIME, buffer, sizeof buffer), "7 ps");
    assert_string_equal(hs_quantity_format(7e-15, HS_UNIT_TIME, buffer, sizeof buffer), "0.007 ps");
    assert_string_equal(hs_quantity_format(90, HS_UNIT_TIME, buffer, sizeof buffer), "90 s");
    assert_string_equal(hs_quantity_format(1023, HS_UNIT_SIZE, buffer, sizeof buffer), "1023 B");
    assert_string_equal(hs_quantity_format(8e9, HS_UNIT_SPEED, buffer, 4), "8 G");
}

static void status_texts(void **state)
{
#define CHECK_STATUS(name, value, text)              \
    assert_int_equal(name, value);                   \
    assert_string_equal(hs_status_text(name), text); \
    assert_true(strlen(hs_status_text(name)) > 0);
    HS_STATUS_LIST(CHECK_STATUS)
    assert_string_equal(hs_status_text((hs_status)12345), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accepted),
                                       cmocka_unit_test(every_prefix_has_its_factor),
                                       cmocka_unit_test(every_power_has_its_prefix),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(bare_number),
                                       cmocka_unit_test(formatted),
                                       cmocka_unit_test(the_same_in_every_locale),
                                       cmocka_unit_test(status_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
