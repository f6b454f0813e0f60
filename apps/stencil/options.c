/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "apps/arguments.h"
#include "jacobi.h"
#include <getopt.h>
#include <stdio.h>

static const char *const usage[] = {
    "--rows N --cols M --iterations K [--balance off|static|on] [--intensity I] [--at K:COMMAND] [--json]", NULL};

enum { LARGEST = 1000000000 }; /* a row with its halo is one message */

static int check_complete(const arguments *a, const jacobi_options *o, const char *unexpected)
{
    if (!unexpected && o->rows > 0 && o->cols > 0 && o->iterations >= 0)
        return -1;
    if (arguments_rank0() && unexpected)
        fprintf(stderr, "%s: unexpected argument '%s'\n", a->program, unexpected);
    else if (arguments_rank0())
        fprintf(stderr, "%s: --rows, --cols and --iterations are needed\n", a->program);
    return arguments_usage(a, 2);
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
    const arguments a = arguments_of(argv[0], usage);
    *o = (jacobi_options){.iterations = -1, .intensity = 1};
    opterr = arguments_rank0();
    int code = -1;
    for (int c; code < 0 && (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (c) {
        case 'r':
            code = arguments_count(&a, "rows", optarg, 1, LARGEST, &o->rows);
            break;
        case 'c':
            code = arguments_count(&a, "cols", optarg, 1, LARGEST, &o->cols);
            break;
        case 'k':
            code = arguments_count(&a, "iterations", optarg, 0, LARGEST, &o->iterations);
            break;
        case 'i':
            code = arguments_count(&a, "intensity", optarg, 1, LARGEST, &o->intensity);
            break;
        case 'b':
            code = arguments_balance(&a, optarg, &o->params.mode);
            break;
        case 'a':
            code = arguments_event(&a, "at", optarg, &o->commands);
            break;
        case 'j':
            o->json = 1;
            break;
        default:
            return arguments_usage(&a, c == 'h' ? 0 : 2);
        }
    if (code < 0)
        code = check_complete(&a, o, optind < argc ? argv[optind] : NULL);
    o->params.work = jacobi_work(o);
    o->params.model = HS_STEP_OVERLAP;
    o->params.halo = (double)jacobi_width(o) * sizeof(double);
    return code;
}
