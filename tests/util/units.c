/* SPDX-License-Identifier: BSD-3-Clause */
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
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double value = 7;
        hs_error error = {.line = 7};
        assert_int_equal(hs_quantity_parse(rows[i].text, rows[i].unit, rows[i].bare, &value, &error), HS_ERR_PARSE);
        assert_int_equal(error.line, 0); /* of no file */
        assert_true(value == 7);
        assert_non_null(strstr(error.text, "expected"));
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(accepted), cmocka_unit_test(refused),
                                       cmocka_unit_test(bare_number), cmocka_unit_test(formatted),
                                       cmocka_unit_test(status_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
