/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "apps/arguments.h"
#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

arguments arguments_of(const char *path, const char *const *usage)
{
    const char *slash = strrchr(path, '/');
    return (arguments){slash ? slash + 1 : path, usage};
}

int arguments_rank0(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

int arguments_usage(const arguments *a, int code)
{
    for (int k = 0; arguments_rank0() && a->usage[k]; k++)
        fprintf(code ? stderr : stdout, "%s %s %s\n", k == 0 ? "usage:" : "      ", a->program, a->usage[k]);
    return code;
}

int arguments_contradict(const arguments *a, const char *what)
{
    if (arguments_rank0())
        fprintf(stderr, "%s: %s\n", a->program, what);
    return arguments_usage(a, 2);
}

int arguments_refuse(const arguments *a, const char *option, const char *value, const char *expected)
{
    if (arguments_rank0())
        fprintf(stderr, "%s: --%s takes %s, not '%s'\n", a->program, option, expected, value);
    return arguments_usage(a, 2);
}

int arguments_count(const arguments *a, const char *option, const char *text, int64_t least, int64_t most,
                    int64_t *value)
{
    char *end, expected[64];
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end != text && !*end && !errno && number >= least && number <= most) {
        *value = number;
        return -1;
    }
    snprintf(expected, sizeof expected, "an integer from %" PRId64 " to %" PRId64, least, most);
    return arguments_refuse(a, option, text, expected);
}

int arguments_int(const arguments *a, const char *option, const char *text, int least, int most, int *value)
{
    int64_t number = 0;
    int code = arguments_count(a, option, text, least, most, &number);
    *value = (int)number;
    return code;
}

int arguments_word(const arguments *a, const char *option, const char *text, const char *const *words, int *value)
{
    char expected[128] = "";
    for (int k = 0; words[k]; k++) {
        if (strcmp(text, words[k]) == 0) {
            *value = k;
            return -1;
        }
        const char *between = k == 0 ? "" : words[k + 1] ? ", " : " or ";
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s%s", between, words[k]);
    }
    return arguments_refuse(a, option, text, expected);
}

int arguments_balance(const arguments *a, const char *text, hs_balance_mode *mode)
{
    static const char *const modes[] = {"off", "static", "on", NULL};
    int word = 0, code = arguments_word(a, "balance", text, modes, &word);
    *mode = HS_BALANCE_OFF + word;
    return code;
}

int arguments_event(const arguments *a, const char *option, char *text, event_list *list)
{
    char *colon = strchr(text, ':');
    if (!colon || list->count == MAX_EVENTS)
        return arguments_refuse(a, option, text, "STEP:WHAT, at most 8 times");
    *colon = '\0';
    struct event *next = &list->event[list->count];
    int code = arguments_count(a, option, text, 0, INT64_MAX, &next->step);
    if (code < 0) {
        next->text = colon + 1;
        list->count++;
    }
    return code;
}

/* ---- The whole command line ---- */

/* The first OF_STEPS rows are left out where run_options.own_steps is set. */
enum { OF_STEPS = 2, MAX_ROWS = 32 };
static const struct option run_rows[] = {
    {"iterations", required_argument, NULL, 'k'},
    {"intensity", required_argument, NULL, 'i'},
    {"balance", required_argument, NULL, 'b'},
    {"at", required_argument, NULL, 'a'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
};

static int take_run(const arguments *a, int option, char *value, run_options *run)
{
    enum { MOST = 1000000000 };
    switch (option) {
    case 'k':
        return arguments_count(a, "iterations", value, 0, MOST, &run->iterations);
    case 'i':
        return arguments_count(a, "intensity", value, 1, MOST, &run->intensity);
    case 'b':
        return arguments_balance(a, value, &run->params.mode);
    case 'a':
        return arguments_event(a, "at", value, &run->commands);
    default: /* 'j' */
        run->json = 1;
        return -1;
    }
}

int arguments_read(const arguments *a, int argc, char **argv, const struct option *table, arguments_take take,
                   void *target, run_options *run)
{
    struct option rows[MAX_ROWS] = {{0}};
    char unexpected[256];
    int own = 0;
    for (; table[own].name; own++)
        rows[own] = table[own];
    if (run) {
        size_t skipped = run->own_steps ? OF_STEPS : 0;
        memcpy(rows + own, run_rows + skipped, sizeof run_rows - skipped * sizeof *run_rows);
    }
    opterr = arguments_rank0();
    for (int c; (c = getopt_long(argc, argv, "", rows, NULL)) != -1;) {
        int code = c == 'h'                    ? arguments_usage(a, 0)
                   : c == '?'                  ? arguments_usage(a, 2)
                   : run && strchr("kibaj", c) ? take_run(a, c, optarg, run)
                                               : take(a, c, optarg, target);
        if (code >= 0)
            return code;
    }
    if (run && run->iterations > 0)
        run->params.steps = run->iterations;
    if (optind == argc)
        return -1;
    snprintf(unexpected, sizeof unexpected, "unexpected argument '%s'", argv[optind]);
    return arguments_contradict(a, unexpected);
}

void events_run(const event_list *commands, MPI_Comm comm, int64_t step)
{
    int rank;
    if (commands->count == 0)
        return;
    MPI_Comm_rank(comm, &rank);
    for (int e = 0; e < commands->count && rank == 0; e++) {
        const struct event *due = &commands->event[e];
        char *words[] = {"sh", "-c", (char *)due->text, NULL};
        pid_t child;
        if (due->step == step && posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) != 0)
            fprintf(stderr, "cannot run '%s'\n", due->text);
    }
}
