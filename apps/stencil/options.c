/* SPDX-License-Identifier: BSD-3-Clause */
#include "jacobi.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: %s --rows N --cols M --iterations K [--balance off|static|on] [--intensity I] [--at K:COMMAND] [--json]\n";

enum { LARGEST = 1000000000 }; /* a row with its halo is one message */

static int rank0(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

static int refuse(const char *program, const char *option, const char *value, const char *expected)
{
    if (rank0()) {
        fprintf(stderr, "%s: --%s takes %s, not '%s'\n", program, option, expected, value);
        fprintf(stderr, usage, program);
    }
    return 2;
}

static int set_count(const char *program, const char *option, const char *text, int64_t least, int64_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno || number < least || number > LARGEST) {
        char expected[64];
        snprintf(expected, sizeof expected, "an integer from %d to %d", (int)least, LARGEST);
        return refuse(program, option, text, expected);
    }
    *value = number;
    return -1;
}

static int set_balance(const char *program, const char *text, hs_balance_mode *mode)
{
    static const char *const names[] = {"off", "static", "on"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *mode = HS_BALANCE_OFF + i;
            return -1;
        }
    return refuse(program, "balance", text, "off, static or on");
}

static int add_event(const char *program, char *text, jacobi_options *o)
{
    char *colon = strchr(text, ':');
    int64_t iteration;
    if (!colon || o->event_count == JACOBI_EVENTS)
        return refuse(program, "at", text, "ITERATION:COMMAND, at most 8 times");
    *colon = '\0';
    int code = set_count(program, "at", text, 0, &iteration);
    if (code < 0)
        o->events[o->event_count++] = (jacobi_event){iteration, colon + 1};
    return code;
}

static int check_complete(const char *program, const jacobi_options *o, const char *unexpected)
{
    if (!unexpected && o->rows > 0 && o->cols > 0 && o->iterations >= 0)
        return -1;
    if (rank0()) {
        if (unexpected)
            fprintf(stderr, "%s: unexpected argument '%s'\n", program, unexpected);
        else
            fprintf(stderr, "%s: --rows, --cols and --iterations are needed\n", program);
        fprintf(stderr, usage, program);
    }
    return 2;
}

int jacobi_parse(int argc, char **argv, jacobi_options *o)
{
    static const struct option options[] = {
        {"rows", required_argument, NULL, 'r'},
        {"cols", required_argument, NULL, 'c'},
        {"iterations", required_argument, NULL, 'k'},
        {"intensity", required_argument, NULL, 'i'},
        {"balance", required_argument, NULL, 'b'},
        {"at", required_argument, NULL, 'a'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    const char *program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    *o = (jacobi_options){.iterations = -1, .intensity = 1};
    opterr = rank0();
    int code = -1;
    for (int c; code < 0 && (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (c) {
        case 'r':
            code = set_count(program, "rows", optarg, 1, &o->rows);
            break;
        case 'c':
            code = set_count(program, "cols", optarg, 1, &o->cols);
            break;
        case 'k':
            code = set_count(program, "iterations", optarg, 0, &o->iterations);
            break;
        case 'i':
            code = set_count(program, "intensity", optarg, 1, &o->intensity);
            break;
        case 'b':
            code = set_balance(program, optarg, &o->params.mode);
            break;
        case 'a':
            code = add_event(program, optarg, o);
            break;
        case 'j':
            o->json = 1;
            break;
        default:
            if (rank0())
                fprintf(c == 'h' ? stdout : stderr, usage, program);
            return c == 'h' ? 0 : 2;
        }
    if (code < 0)
        code = check_complete(program, o, optind < argc ? argv[optind] : NULL);
    o->params.work = jacobi_work(o);
    o->params.model = HS_STEP_OVERLAP;
    o->params.halo = (double)jacobi_width(o) * sizeof(double);
    return code;
}
