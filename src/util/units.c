/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/units.h"
#include "util/assert.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Four digits are written: from here on they would round up to one of the next unit. */
#define ROUNDS_UP 0.99995

typedef struct unit_row {
    const char *name;
    double factor;
} unit_row;

typedef struct prefix_row {
    const char *abbreviation, *word;
    double factor;
} prefix_row;

static const prefix_row prefixes[] = {
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
    {"Ki", "kibi", 0x1p10},
    {"Mi", "mebi", 0x1p20},
    {"Gi", "gibi", 0x1p30},
    {"Ti", "tebi", 0x1p40},
    {"Pi", "pebi", 0x1p50},
    {"Ei", "exbi", 0x1p60},
};

static const unit_row times[] = {{"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3},  {"s", 1},
                                 {"m", 60},     {"h", 3600},  {"d", 86400}, {"w", 604800}, {NULL, 0}};
static const unit_row speeds[] = {{"f", 1}, {NULL, 0}};
static const unit_row bandwidths[] = {{"Bps", 1}, {"bps", 0.125}, {NULL, 0}};
static const unit_row sizes[] = {{"B", 1}, {"b", 0.125}, {NULL, 0}};
static const unit_row numbers[] = {{"", 1}, {NULL, 0}};

static const struct {
    const unit_row *units;
    const char *word, *expected;
    int zero_allowed;
} kinds[] = {
    [HS_UNIT_SPEED] = {speeds, "flops", "a speed above 0 such as 8Gf", 0},
    [HS_UNIT_BANDWIDTH] = {bandwidths, NULL, "a bandwidth above 0 such as 100Mbps or 12.5MBps", 0},
    [HS_UNIT_TIME] = {times, NULL, "a time of 0 or more such as 50us", 1},
    [HS_UNIT_SIZE] = {sizes, NULL, "a size of 0 or more such as 64KiB", 1},
    [HS_UNIT_WORK] = {speeds, "flops", "0 or more, such as 2Gf", 1},
    [HS_UNIT_NUMBER] = {numbers, NULL, "a number of 0 or more such as 2.5 or 10k", 1},
};

/* Returns the factor of a unit's spelling, 0 when it is none of this kind's. */
static double unit_factor(const char *spelling, hs_unit unit)
{
    const unit_row *row = kinds[unit].units;
    if (unit == HS_UNIT_TIME) {
        for (; row->name; row++)
            if (strcmp(spelling, row->name) == 0)
                return row->factor;
        return 0;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        char name[24];
        for (const unit_row *base = row; base->name; base++) {
            snprintf(name, sizeof name, "%s%s", prefixes[i].abbreviation, base->name);
            if (strcmp(spelling, name) == 0)
                return prefixes[i].factor * base->factor;
        }
        if (kinds[unit].word) {
            snprintf(name, sizeof name, "%s%s", prefixes[i].word, kinds[unit].word);
            if (strcmp(spelling, name) == 0)
                return prefixes[i].factor;
        }
    }
    return 0;
}

int hs__quantity_in_range(double value)
{
    return value >= 1e-100 && value <= 1e100;
}

/* strtod() reads hexadecimal numbers, too, where "0xB" is no bytes. */
static int is_hexadecimal(const char *text, const char *end)
{
    size_t sign = strspn(text, " \t\n\v\f\r+-");
    return end - text > (ptrdiff_t)sign + 1 && (text[sign + 1] == 'x' || text[sign + 1] == 'X');
}

hs_status hs_quantity_parse(const char *text, hs_unit unit, hs_bare bare, double *value, hs_error *error)
{
    const char *expected = kinds[unit].expected;
    char *end;
    double number = hs__strtod_c(text, &end);
    if (end == text || is_hexadecimal(text, end))
        return hs_error_set(error, HS_ERR_PARSE, 0, "'%.80s' is not a number: expected %s", text, expected);
    while (*end == ' ' || *end == '\t')
        end++;
    double factor = *end ? unit_factor(end, unit) : 1;
    if (factor == 0)
        return hs_error_set(error, HS_ERR_PARSE, 0, "'%.80s' has an unknown unit: expected %s", text, expected);
    if (!*end && bare == HS_BARE_REFUSED && number > 0 && isfinite(number))
        return hs_error_set(error, HS_ERR_PARSE, 0, "'%.80s' has no unit: expected %s", text, expected);
    number *= factor;
    if (number == 0 ? !kinds[unit].zero_allowed : !hs__quantity_in_range(number))
        return hs_error_set(error, HS_ERR_PARSE, 0, "'%.80s' is out of range: expected %s%s", text, expected,
                            number > 0 ? " (1e-100 to 1e100 in base units)" : "");
    *value = number;
    return HS_OK;
}

static void format(double value, hs_unit unit, char *buffer, size_t size)
{
    static const char *const si[] = {"", "k", "M", "G", "T", "P", "E"};
    static const char *const binary[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    static const char *const names[] = {[HS_UNIT_SPEED] = "f",
                                        [HS_UNIT_BANDWIDTH] = "Bps",
                                        [HS_UNIT_SIZE] = "B",
                                        [HS_UNIT_WORK] = "f",
                                        [HS_UNIT_NUMBER] = ""};
    if (unit == HS_UNIT_TIME) {
        const unit_row *row = &times[4]; /* seconds; smaller ones stand before it */
        while (row > times && value != 0 && value < row->factor * ROUNDS_UP)
            row--;
        int whole = value >= 9999.5 && value < 1e9; /* seconds that four digits do not say without a power of ten */
        snprintf(buffer, size, whole ? "%.0f %s" : "%.4g %s", value / row->factor, row->name);
        return;
    }
    double step = unit == HS_UNIT_SIZE ? 1024 : 1000;
    int i = 0;
    while (i < 6 && fabs(value) >= step * ROUNDS_UP) {
        value /= step;
        i++;
    }
    snprintf(buffer, size, "%.4g %s%s", value, (unit == HS_UNIT_SIZE ? binary : si)[i], names[unit]);
}

/* Whether a text that was not cut says the value again, to its four digits. */
static int says(const char *text, double value, hs_unit unit)
{
    double read;
    return !(value > 1e-99 && value < 1e99) ||
           (hs_quantity_parse(text, unit, HS_BARE_ALLOWED, &read, NULL) == HS_OK && fabs(read / value - 1) < 1e-3);
}

char *hs_quantity_format(double value, hs_unit unit, char *buffer, size_t size)
{
    locale_t before = hs__c_locale_enter();
    format(value, unit, buffer, size);
    hs__c_locale_leave(before);
    HS_ASSERT(strlen(buffer) + 1 >= size || says(buffer, value, unit));
    return buffer;
}
