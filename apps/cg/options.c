/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cg.h"
#include <getopt.h>
#include <stdio.h>

static const char *const usage[] = {
    "--rows N [--width W] | --matrix FILE.mtx   --iterations K [--balance off|static|on]\n"
    "          [--weights on|off] [--intensity I] [--at K:COMMAND] [--json]",
    NULL};

enum { LARGEST = 1000000000, WIDTH = 64 };

static int check_complete(const arguments *a, const cg_options *o, const char *unexpected)
{
    if (!unexpected && (o->rows > 0) != (o->file != NULL) && o->iterations >= 0)
        return -1;
    if (arguments_rank0() && unexpected)
        fprintf(stderr, "%s: unexpected argument '%s'\n", a->program, unexpected);
    else if (arguments_rank0())
        fprintf(stderr, "%s: --iterations and one of --rows and --matrix are needed\n", a->program);
    return arguments_usage(a, 2);
}

int cg_parse(int argc, char **argv, cg_options *o)
{
    static const char *const on_off[] = {"off", "on", NULL};
    static const struct option options[] = {
        {"rows", required_argument, NULL, 'r'},
        {"width", required_argument, NULL, 'w'},
        {"matrix", required_argument, NULL, 'm'},
        {"iterations", required_argument, NULL, 'k'},
        {"intensity", required_argument, NULL, 'i'},
        {"balance", required_argument, NULL, 'b'},
        {"weights", required_argument, NULL, 'g'},
        {"at", required_argument, NULL, 'a'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    const arguments a = arguments_of(argv[0], usage);
    *o = (cg_options){.iterations = -1, .intensity = 1, .width = WIDTH, .weights = 1};
    opterr = arguments_rank0();
    int code = -1;
    for (int c; code < 0 && (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (c) {
        case 'r':
            code = arguments_count(&a, "rows", optarg, 1, LARGEST, &o->rows);
            break;
        case 'w':
            code = arguments_count(&a, "width", optarg, 0, LARGEST, &o->width);
            break;
        case 'm':
            o->file = optarg;
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
        case 'g':
            code = arguments_word(&a, "weights", optarg, on_off, &o->weights);
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
    return code < 0 ? check_complete(&a, o, optind < argc ? argv[optind] : NULL) : code;
}
