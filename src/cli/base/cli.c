/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/base/cli.h"
#include "cli/base/help.h"
#include "cli/base/progress.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/path.h"
#include "util/printable.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line, on which nothing else stands. */
static void put_message(const cli_verb *verb, const char *format, va_list arguments)
{
    char text[8192];
    cli_progress_end();
    vsnprintf(text, sizeof text, format, arguments);
    hs__make_printable(text);
    fprintf(stderr, "hs %s: %s\n", verb->name, text);
}

int cli_usage(const cli_verb *verb, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_message(verb, format, arguments);
    va_end(arguments);
    fprintf(stderr, "usage: %s\n", verb->usage);
    return CLI_USAGE;
}

int cli_unknown_subcommand(const cli_verb *verb, const hs__suggestion *s, const char *expected)
{
    if (s->nearest)
        return cli_usage(verb, "unknown subcommand '%s'; did you mean '%s'?", s->word, s->nearest);
    return cli_usage(verb, "unknown subcommand '%s' (expected %s)", s->word, expected);
}

int cli_bad_value(const cli_verb *verb, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_message(verb, format, arguments);
    va_end(arguments);
    return CLI_BAD_INPUT;
}

int cli_fail(const cli_verb *verb, const char *file, const hs_error *error)
{
    if (file && error->line > 0)
        return cli_bad_value(verb, "%s:%d: %s", file, error->line, error->text);
    if (file)
        return cli_bad_value(verb, "%s: %s", file[0] ? file : "''", error->text);
    return cli_bad_value(verb, "%s", error->text);
}

/* Whether what is printed is read again as the same. */
static int reads_the_same(const json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_t *again = text ? json_loads(text, 0, NULL) : NULL;
    int same = !text || json_equal(object, again);
    json_decref(again);
    free(text);
    return same;
}

int cli_print_json(const cli_verb *verb, json_t *object)
{
    if (!object)
        return cli_bad_value(verb, "no JSON, which is UTF-8: a name or path is not, or memory ran out");
    HS_ASSERT(reads_the_same(object));
    int failed = json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17)) != 0;
    failed |= putchar('\n') == EOF;
    failed |= fflush(stdout) != 0;
    json_decref(object);
    if (!failed)
        return CLI_OK;
    return cli_bad_value(verb, "cannot write standard output: %s", strerror(errno));
}

static int set_integer(const cli_verb *verb, const cli_option *option, const char *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10), most = option->at_most > 0 ? option->at_most : INT64_MAX;
    while (end > value && isspace((unsigned char)*end)) /* as in front of it */
        end++;
    if (end == value || *end || number < option->at_least)
        return cli_bad_value(verb, "%s takes an integer of at least %lld, not '%s'", option->name,
                             (long long)option->at_least, value);
    if (errno || number > most)
        return cli_bad_value(verb, "%s takes an integer of at most %lld, not '%s'", option->name, most, value);
    *(int64_t *)option->target = number;
    return CLI_OK;
}

static int set_choice(const cli_verb *verb, const cli_option *option, const char *value)
{
    char expected[128] = "";
    for (int i = 0; option->choices[i]; i++) {
        if (strcmp(option->choices[i], value) == 0) {
            *(int *)option->target = i;
            return CLI_OK;
        }
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s%s", i ? ", " : "", option->choices[i]);
    }
    return cli_bad_value(verb, "%s takes one of %s, not '%s'", option->name, expected, value);
}

static int set_option(const cli_verb *verb, const cli_option *option, const char *value)
{
    hs_error error;
    switch (option->kind) {
    case CLI_FLAG:
        *(int *)option->target = 1;
        return CLI_OK;
    case CLI_TEXT:
    case CLI_OUTPUT:
        *(const char **)option->target = value;
        return CLI_OK;
    case CLI_TEXT_PAIR:
        ((const char **)option->target)[0] = value;
        return CLI_OK; /* parse_option() sets the other one */
    case CLI_INTEGER:
        return set_integer(verb, option, value);
    case CLI_CHOICE:
        return set_choice(verb, option, value);
    case CLI_QUANTITY:
        if (hs_quantity_parse(value, option->unit, HS_BARE_ALLOWED, option->target, &error) == HS_OK)
            return CLI_OK;
        return cli_bad_value(verb, "%s: %s", option->name, error.text);
    }
    return CLI_USAGE;
}

static const cli_option *find_option(const cli_option *options, const char *argument, const char **inline_value)
{
    size_t length = strcspn(argument, "=");
    *inline_value = argument[length] ? argument + length + 1 : NULL;
    for (; options->name; options++)
        if (strlen(options->name) == length && strncmp(options->name, argument, length) == 0)
            return options;
    return NULL;
}

static int unknown_option(const cli_verb *verb, const cli_option *options, const char *typed)
{
    hs__suggestion s = {.word = typed};
    for (; options->name; options++)
        hs__suggest(&s, options->name);
    hs__suggest(&s, "--help");
    if (s.nearest)
        return cli_usage(verb, "unknown option '%s'; did you mean '%s'?", typed, s.nearest);
    return cli_usage(verb, "unknown option '%s'", typed);
}

/* Handles the option at argv[*i] and advances *i past its value. *seen has a bit for each option given so far. */
static int parse_option(const cli_verb *verb, int argc, char **argv, const cli_option *options, uint64_t *seen, int *i)
{
    const char *value;
    const cli_option *option = find_option(options, argv[*i], &value);
    if (!option)
        return unknown_option(verb, options, argv[*i]);
    uint64_t bit = UINT64_C(1) << (option - options);
    if (*seen & bit)
        return cli_usage(verb, "%s given twice", option->name);
    *seen |= bit;
    if (option->kind == CLI_FLAG && value)
        return cli_usage(verb, "%s takes no value", option->name);
    if (option->kind != CLI_FLAG && !value) {
        if (*i + 1 >= argc)
            return cli_usage(verb, "%s needs a value", option->name);
        value = argv[++*i];
    }
    if (option->kind == CLI_TEXT_PAIR) {
        if (*i + 1 >= argc)
            return cli_usage(verb, "%s needs two values", option->name);
        ((const char **)option->target)[1] = argv[++*i];
    }
    if (option->given)
        *option->given = 1;
    return set_option(verb, option, value);
}

static int check_excluded(const cli_verb *verb, const cli_option *options, uint64_t seen)
{
    for (const cli_option *o = options; o->name; o++)
        for (const cli_option *other = options; o->excludes && other->name; other++)
            if ((seen >> (o - options) & seen >> (other - options) & 1) && strcmp(o->excludes, other->name) == 0)
                return cli_usage(verb, "%s excludes %s", o->name, other->name);
    return CLI_OK;
}

/* Whether each option has a name of its own, somewhere to go, and what its kind needs. */
static int options_are_sound(const cli_option *options)
{
    int n = 0;
    for (const cli_option *o = options; o->name; o++, n++) {
        if (o->name[0] != '-' || !o->target || (o->kind == CLI_CHOICE) != (o->choices != NULL))
            return 0;
        for (const cli_option *other = options; other < o; other++)
            if (strcmp(other->name, o->name) == 0)
                return 0;
    }
    return n <= 64;
}

static const char *text_of(const cli_option *option)
{
    return option->kind == CLI_TEXT || option->kind == CLI_OUTPUT ? *(const char **)option->target : NULL;
}

int cli_are_one_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

/* The folder that a path names a file in. @return 0; -1 with errno */
static int stat_folder(const char *path, struct stat *facts)
{
    int length = (int)(hs__path_name(path) - path);
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", length > 0 ? length : 1, length > 0 ? path : ".");
    return stat(folder, facts);
}

/* Whether two paths are one name in one folder, where there may be no file yet. */
static int are_one_place(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return strcmp(hs__path_name(a), hs__path_name(b)) == 0 && stat_folder(a, &of_a) == 0 &&
           stat_folder(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* An output must not replace what another argument names. */
static int check_output(const cli_verb *verb, const cli_option *options, const cli_option *output,
                        const char *const *positionals, int n)
{
    const char *path = text_of(output), *other = NULL;
    for (int i = 0; i < n; i++)
        if (cli_are_one_file(path, positionals[i]))
            other = positionals[i];
    for (const cli_option *o = options; o->name; o++)
        if (o != output && text_of(o) &&
            (cli_are_one_file(path, text_of(o)) || (o->kind == CLI_OUTPUT && are_one_place(path, text_of(o)))))
            other = text_of(o);
    return other ? cli_bad_value(verb, "%s %s would overwrite %s", output->name, path, other) : CLI_OK;
}

static int check_files(const cli_verb *verb, const cli_option *options, const char *const *positionals, int n)
{
    int inputs = 0, code = CLI_OK;
    for (int i = 0; i < n; i++)
        inputs += cli_is_standard(positionals[i]);
    for (const cli_option *o = options; o->name && code == CLI_OK; o++) {
        if (o->kind == CLI_TEXT && text_of(o))
            inputs += cli_is_standard(text_of(o));
        if (o->kind == CLI_OUTPUT && text_of(o))
            code = check_output(verb, options, o, positionals, n);
    }
    return code == CLI_OK && inputs > 1 ? cli_usage(verb, "standard input (-) is given twice") : code;
}

/* "--help": the manual page; "-h": the usage line. @return whether it was one of them */
static int show_help(const cli_verb *verb, const char *argument)
{
    if (strcmp(argument, "--help") == 0)
        cli_print_help(verb);
    else if (strcmp(argument, "-h") == 0)
        printf("hs %s: %s\nusage: %s\n(hs help %s: the manual page)\n", verb->name, verb->summary, verb->usage,
               verb->name);
    else
        return 0;
    return 1;
}

/* A negative number is a positional argument, which the verb checks; "-" is a file. */
static int is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] && !isdigit((unsigned char)argument[1]);
}

int cli_parse(const cli_verb *verb, int argc, char **argv, const cli_option *options, const char **positionals,
              int max_positionals, int *rest)
{
    uint64_t seen = 0;
    int given = 0, ended = 0; /* positionals; by "--" */
    HS_ASSERT(options_are_sound(options));
    for (int i = 0; i < max_positionals; i++)
        positionals[i] = NULL;
    if (rest)
        *rest = argc;
    for (int i = 1; i < argc; i++) {
        if (!ended && strcmp(argv[i], "--") == 0) {
            ended = 1;
            if (!rest)
                continue;
            *rest = i + 1;
            break;
        }
        if (!ended && show_help(verb, argv[i]))
            return CLI_DONE;
        if (!ended && is_option(argv[i])) {
            int code = parse_option(verb, argc, argv, options, &seen, &i);
            if (code != CLI_OK)
                return code;
        } else if (given < max_positionals) {
            positionals[given++] = argv[i];
        } else {
            return cli_usage(verb, "unexpected argument '%s'%s", argv[i], rest ? " (a program follows --)" : "");
        }
    }
    int code = check_excluded(verb, options, seen);
    return code == CLI_OK ? check_files(verb, options, positionals, given) : code;
}

int cli_find_self(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0 ? 0 : -1;
}

int cli_find_library(const char *built, char *path, size_t size)
{
    char self[4096];
    if (cli_find_self(self, sizeof self) != 0)
        return 0;
    snprintf(path, size, "%.*s/%s", (int)(strrchr(self, '/') - self), self, built);
    if (access(path, R_OK) != 0)
        snprintf(path, size, "%s%s", HS_PKGLIBDIR, strrchr(built, '/'));
    return access(path, R_OK) == 0;
}

int cli_check_drawing(const cli_verb *verb, const char *option, const char *path, int json)
{
    return json && cli_is_standard(path) ? cli_usage(verb, "--json and %s - both write to standard output", option)
                                         : CLI_OK;
}

int cli_split_list(const cli_verb *verb, const char *list, hs__words *items)
{
    char *copy = hs__text_copy(list), *rest = copy;
    items->failed = !copy;
    while (rest)
        hs__words_add(items, strsep(&rest, ","));
    free(copy);
    HS_ASSERT(items->failed || items->count > 0); /* "" is one empty item */
    if (!items->failed)
        return CLI_OK;
    hs__words_free(items);
    return cli_bad_value(verb, "out of memory");
}

int cli_quantity_list(const cli_verb *verb, const char *option, const char *text, hs_unit unit, double **values,
                      size_t *count)
{
    hs_error error;
    hs__words items = {0};
    if (cli_split_list(verb, text, &items) != CLI_OK)
        return CLI_BAD_INPUT;
    double *list = hs__array_new(items.count, sizeof *list);
    int code = list ? CLI_OK : cli_bad_value(verb, "out of memory");
    for (size_t i = 0; i < items.count && code == CLI_OK; i++)
        if (hs_quantity_parse(items.item[i], unit, HS_BARE_ALLOWED, &list[i], &error) != HS_OK)
            code = cli_bad_value(verb, "%s: value %zu: %s", option, i + 1, error.text);
    if (code == CLI_OK) {
        *values = list;
        *count = items.count;
    } else {
        free(list);
    }
    hs__words_free(&items);
    return code;
}
