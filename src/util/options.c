/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/options.h"
#include "util/printable.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const choices_flag[] = {"0", "1", NULL};
static const char *const choices_forward[] = {HS__CHOICES_FORWARD, NULL};
static const char *const choices_cache[] = {HS__CHOICES_CACHE, NULL};
static const char *const choices_balance[] = {HS__CHOICES_BALANCE, NULL};
static const char *const choices_collectives[] = {HS__CHOICES_COLLECTIVES, NULL};
static const char *const choices_wait[] = {HS__CHOICES_WAIT, NULL};
static const char *const choices_reorder[] = {HS__CHOICES_REORDER, NULL};
static const char *const choices_partition[] = {HS__CHOICES_PARTITION, NULL};
static const char *const choices_bind[] = {HS__CHOICES_BIND, NULL};
static const char *const choices_log[] = {HS__CHOICES_LOG, NULL};

#define KIND_FLAG HS__OPTION_CHOICE, choices_flag
#define KIND_TEXT HS__OPTION_TEXT, NULL
#define KIND_SECONDS HS__OPTION_SECONDS, NULL
#define KIND_FRACTION HS__OPTION_FRACTION, NULL
#define KIND_CHOICE_FORWARD HS__OPTION_CHOICE, choices_forward
#define KIND_CHOICE_CACHE HS__OPTION_CHOICE, choices_cache
#define KIND_CHOICE_BALANCE HS__OPTION_CHOICE, choices_balance
#define KIND_CHOICE_COLLECTIVES HS__OPTION_CHOICE, choices_collectives
#define KIND_CHOICE_WAIT HS__OPTION_CHOICE, choices_wait
#define KIND_CHOICE_REORDER HS__OPTION_CHOICE, choices_reorder
#define KIND_CHOICE_PARTITION HS__OPTION_CHOICE, choices_partition
#define KIND_CHOICE_BIND HS__OPTION_CHOICE, choices_bind
#define KIND_CHOICE_LOG HS__OPTION_CHOICE, choices_log

#define ROW(env, name, kind, fallback, help) {env, KIND_##kind, offsetof(hs__options, name), fallback, help},
static const hs__option_row rows[] = {HS_OPTION_LIST(ROW)};
#undef ROW
enum { ROWS = sizeof rows / sizeof *rows };

const hs__option_row *hs__option_rows(size_t *n)
{
    *n = ROWS;
    return rows;
}

const char *hs__options_environment(const char *name)
{
    return getenv(name);
}

static int set_choice(const char *const *choices, const char *value, int *index)
{
    for (int i = 0; choices[i]; i++)
        if (strcmp(choices[i], value) == 0) {
            *index = i;
            return 0;
        }
    return -1;
}

static int set_positive(const char *value, hs_unit unit, double most, double *field)
{
    double number;
    if (hs_quantity_parse(value, unit, HS_BARE_ALLOWED, &number, NULL) != HS_OK || !(number > 0) || number > most)
        return -1;
    *field = number;
    return 0;
}

/* Returns 0 when value fits the row and is stored in its field. */
static int set_value(hs__options *options, const hs__option_row *row, const char *value)
{
    void *field = (char *)options + row->offset;
    switch (row->kind) {
    case HS__OPTION_TEXT:
        if (strlen(value) >= sizeof options->platform)
            return -1;
        memcpy(field, value, strlen(value) + 1);
        return 0;
    case HS__OPTION_SECONDS:
        return set_positive(value, HS_UNIT_TIME, INFINITY, field);
    case HS__OPTION_FRACTION:
        return set_positive(value, HS_UNIT_NUMBER, 1, field);
    case HS__OPTION_CHOICE:
        return set_choice(row->choices, value, field);
    }
    return -1;
}

char *hs__option_expected(const hs__option_row *row, char *text, size_t size)
{
    static const char *const names[] = {
        [HS__OPTION_TEXT] = "text",
        [HS__OPTION_SECONDS] = "a time above 0",
        [HS__OPTION_FRACTION] = "above 0, up to 1",
        [HS__OPTION_CHOICE] = "",
    };
    snprintf(text, size, "%s", names[row->kind]);
    for (int i = 0; row->choices && row->choices[i]; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? "|" : "", row->choices[i]);
    }
    return text;
}

static void complain_unknown(char *const *environment, void (*complain)(void *, const char *), void *context)
{
    for (; environment && *environment; environment++) {
        const char *entry = *environment;
        size_t length = strcspn(entry, "=");
        if (strncmp(entry, "HS_", 3) != 0 || strncmp(entry, "HS_TEST_", 8) == 0)
            continue;
        int known = 0;
        for (size_t i = 0; i < ROWS && !known; i++)
            known = strlen(rows[i].environment) == length && strncmp(rows[i].environment, entry, length) == 0;
        if (!known) {
            char line[160];
            snprintf(line, sizeof line, "unknown variable %.*s ('hs env' lists the known ones)",
                     (int)(length < 64 ? length : 64), entry);
            hs__make_printable(line);
            complain(context, line);
        }
    }
}

void hs__options_read(hs__options *options, const char *(*lookup)(const char *name), char *const *environment,
                      void (*complain)(void *context, const char *line), void *context)
{
    memset(options, 0, sizeof *options);
    for (size_t i = 0; i < ROWS; i++) {
        set_value(options, &rows[i], rows[i].fallback);
        const char *value = lookup(rows[i].environment);
        if (!value || set_value(options, &rows[i], value) == 0 || !complain)
            continue;
        char expected[96], line[256];
        hs__option_expected(&rows[i], expected, sizeof expected);
        if (rows[i].kind == HS__OPTION_TEXT)
            snprintf(expected, sizeof expected, "text of up to %zu bytes", sizeof options->platform - 1);
        snprintf(line, sizeof line, "%s='%.80s' is not %s; using %s", rows[i].environment, value, expected,
                 rows[i].fallback[0] ? rows[i].fallback : "none");
        hs__make_printable(line);
        complain(context, line);
    }
    if (complain)
        complain_unknown(environment, complain, context);
}
