/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "matmul.h"
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: hs-matmul --blocks N | --rows R --block-size B [--layout equal|columns] [--balance off|static|on]\n"
    "       [--threads T] [--at STEP:COMMAND] [--cut STEP:SPEED,SPEED,...] [--json]\n";

static int rank0(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

static int show_usage(int code)
{
    if (rank0())
        fputs(usage, code ? stderr : stdout);
    return code;
}

static int refuse(const char *option, const char *value, const char *expected)
{
    if (rank0())
        fprintf(stderr, "hs-matmul: --%s takes %s, not '%s'\n", option, expected, value);
    return show_usage(2);
}

static int set_count(const char *option, const char *text, int64_t least, int64_t most, int64_t *value)
{
    char *end, expected[64];
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end != text && !*end && !errno && number >= least && number <= most) {
        *value = number;
        return -1;
    }
    snprintf(expected, sizeof expected, "an integer from %" PRId64 " to %" PRId64, least, most);
    return refuse(option, text, expected);
}

static int set_threads(const char *text, int *threads)
{
    int64_t number = 1;
    int code = set_count("threads", text, 1, 1024, &number);
    *threads = (int)number;
    return code;
}

static int set_layout(const char *text, int *equal)
{
    *equal = strcmp(text, "equal") == 0;
    return *equal || strcmp(text, "columns") == 0 ? -1 : refuse("layout", text, "equal or columns");
}

static int set_balance(const char *text, hs_balance_mode *mode)
{
    static const char *const names[] = {"off", "static", "on"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *mode = HS_BALANCE_OFF + i;
            return -1;
        }
    return refuse("balance", text, "off, static or on");
}

static int add_event(const char *option, char *text, matmul_event *events, int *count)
{
    char *colon = strchr(text, ':');
    int64_t step;
    if (!colon || *count == MATMUL_EVENTS)
        return refuse(option, text, "STEP:WHAT, at most 8 times");
    *colon = '\0';
    int code = set_count(option, text, 0, HS_BLOCKS_MOST, &step);
    if (code < 0)
        events[(*count)++] = (matmul_event){step, colon + 1};
    return code;
}

/* Positive numbers, separated by commas. */
static int check_speeds(const char *text)
{
    for (const char *at = text;; at++) {
        char *end;
        double speed = strtod(at, &end);
        if (end == at || !isfinite(speed) || speed <= 0 || (*end && *end != ','))
            return refuse("cut", text, "positive speeds, separated by commas");
        if (!*end)
            return -1;
        at = end;
    }
}

static int add_cut(char *text, matmul_options *o)
{
    int code = add_event("cut", text, o->cuts, &o->cut_count);
    return code < 0 ? check_speeds(o->cuts[o->cut_count - 1].text) : code;
}

static int take(int option, matmul_options *o)
{
    switch (option) {
    case 'n':
        return set_count("blocks", optarg, 1, MATRIX_MOST, &o->blocks);
    case 'r':
        return set_count("rows", optarg, 1, MATRIX_MOST, &o->rows);
    case 's':
        return set_count("block-size", optarg, 1, MATMUL_BLOCK_MOST, &o->size);
    case 'l':
        return set_layout(optarg, &o->equal);
    case 'b':
        return set_balance(optarg, &o->params.mode);
    case 't':
        return set_threads(optarg, &o->threads);
    case 'a':
        return add_event("at", optarg, o->events, &o->event_count);
    case 'c':
        return add_cut(optarg, o);
    case 'j':
        o->json = 1;
        return -1;
    default:
        return show_usage(option == 'h' ? 0 : 2);
    }
}

/* Blocks and rows: one of them tells the other. */
static void complete(matmul_options *o)
{
    if (o->blocks == 0 && o->size > 0)
        o->blocks = (o->rows + o->size - 1) / o->size;
    if (o->rows == 0)
        o->rows = o->blocks * o->size;
}

/* One line that tells what is wrong with the options as a whole. */
static int check_complete(const matmul_options *o, const char *unexpected)
{
    const char *what = unexpected                       ? "unexpected argument '%s'\n"
                       : o->blocks == 0 || o->size == 0 ? "--blocks and --block-size are needed%s\n"
                       : o->rows > o->blocks * o->size || o->rows <= (o->blocks - 1) * o->size
                           ? "--rows does not fit --blocks and --block-size%s\n"
                       : o->blocks > MATRIX_MOST / o->size ? "blocks times block size is more than 16777216%s\n"
                                                           : NULL;
    if (!what)
        return -1;
    if (rank0()) {
        fputs("hs-matmul: ", stderr);
        fprintf(stderr, what, unexpected ? unexpected : "");
    }
    return show_usage(2);
}

int matmul_parse(int argc, char **argv, matmul_options *o)
{
    static const struct option options[] = {
        {"blocks", required_argument, NULL, 'n'},
        {"block-size", required_argument, NULL, 's'},
        {"rows", required_argument, NULL, 'r'},
        {"layout", required_argument, NULL, 'l'},
        {"balance", required_argument, NULL, 'b'},
        {"threads", required_argument, NULL, 't'},
        {"at", required_argument, NULL, 'a'},
        {"cut", required_argument, NULL, 'c'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *o = (matmul_options){.threads = 1};
    opterr = rank0();
    int code = -1;
    for (int c; code < 0 && (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        code = take(c, o);
    if (code < 0)
        complete(o);
    if (code < 0)
        code = check_complete(o, optind < argc ? argv[optind] : NULL);
    double n = (double)(o->blocks * o->size);
    o->params.work = 2 * n * n * (double)o->size;
    return code;
}
