/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "apps/arguments.h"
#include "matmul.h"
#include <math.h>
#include <stdlib.h>

static const char *const usage[] = {
    "--blocks N | --rows R --block-size B [--layout equal|columns] [--balance off|static|on]\n"
    "       [--threads T] [--at STEP:COMMAND] [--cut STEP:SPEED,SPEED,...] [--json]",
    NULL};

/* Positive numbers, separated by commas. */
static int check_speeds(const arguments *a, const char *text)
{
    for (const char *at = text;; at++) {
        char *end;
        double speed = strtod(at, &end);
        if (end == at || !isfinite(speed) || speed <= 0 || (*end && *end != ','))
            return arguments_refuse(a, "cut", text, "positive speeds, separated by commas");
        if (!*end)
            return -1;
        at = end;
    }
}

static int add_cut(const arguments *a, char *text, matmul_options *o)
{
    int code = arguments_event(a, "cut", text, &o->cuts);
    return code < 0 ? check_speeds(a, o->cuts.event[o->cuts.count - 1].text) : code;
}

static int take(const arguments *a, int option, char *value, void *target)
{
    matmul_options *o = target;
    static const char *const layouts[] = {"columns", "equal", NULL};
    switch (option) {
    case 'n':
        return arguments_count(a, "blocks", value, 1, MATRIX_MAX_ROWS, &o->blocks);
    case 'r':
        return arguments_count(a, "rows", value, 1, MATRIX_MAX_ROWS, &o->rows);
    case 's':
        return arguments_count(a, "block-size", value, 1, MATMUL_MAX_BLOCK, &o->size);
    case 'l':
        return arguments_word(a, "layout", value, layouts, &o->equal);
    case 't':
        return arguments_int(a, "threads", value, 1, 1024, &o->threads);
    default: /* 'c' */
        return add_cut(a, value, o);
    }
}

/* Derive the number of blocks from the rows, or the reverse. */
static void complete(matmul_options *o)
{
    if (o->blocks == 0 && o->size > 0)
        o->blocks = (o->rows + o->size - 1) / o->size;
    if (o->rows == 0)
        o->rows = o->blocks * o->size;
}

/* What is wrong with the options together; NULL for nothing. */
static const char *contradiction(const matmul_options *o)
{
    if (o->blocks == 0 || o->size == 0)
        return "--blocks and --block-size are needed";
    if (o->rows > o->blocks * o->size || o->rows <= (o->blocks - 1) * o->size)
        return "--rows does not fit --blocks and --block-size";
    if (o->blocks > MATRIX_MAX_ROWS / o->size)
        return "blocks times block size is more than 16777216";
    return NULL;
}

int matmul_parse(int argc, char **argv, matmul_options *o)
{
    static const struct option options[] = {
        {"blocks", required_argument, NULL, 'n'},
        {"block-size", required_argument, NULL, 's'},
        {"rows", required_argument, NULL, 'r'},
        {"layout", required_argument, NULL, 'l'},
        {"threads", required_argument, NULL, 't'},
        {"cut", required_argument, NULL, 'c'},
        {NULL, 0, NULL, 0},
    };
    const arguments a = arguments_of(argv[0], usage);
    *o = (matmul_options){.threads = 1, .run.own_steps = 1};
    int code = arguments_read(&a, argc, argv, options, take, o, &o->run);
    if (code < 0) {
        complete(o);
        const char *what = contradiction(o);
        code = what ? arguments_contradict(&a, what) : -1;
    }
    double n = (double)(o->blocks * o->size);
    o->run.params.work = 2 * n * n * (double)o->size;
    return code;
}
