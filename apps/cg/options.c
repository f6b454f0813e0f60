/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cg.h"
#include <stddef.h>

static const char *const usage[] = {
    "--rows N [--width W] | --matrix FILE.mtx   --iterations K [--balance off|static|on]\n"
    "          [--weights on|off] [--intensity I] [--at K:COMMAND] [--json]",
    NULL};

enum { LARGEST = 1000000000, WIDTH = 64 };

static int take(const arguments *a, int option, char *value, void *target)
{
    static const char *const on_off[] = {"off", "on", NULL};
    cg_options *o = target;
    switch (option) {
    case 'r':
        return arguments_count(a, "rows", value, 1, LARGEST, &o->rows);
    case 'w':
        return arguments_count(a, "width", value, 0, LARGEST, &o->width);
    case 'm':
        o->file = value;
        return -1;
    case 'k':
        return arguments_count(a, "iterations", value, 0, LARGEST, &o->iterations);
    case 'i':
        return arguments_count(a, "intensity", value, 1, LARGEST, &o->intensity);
    case 'b':
        return arguments_balance(a, value, &o->params.mode);
    case 'g':
        return arguments_word(a, "weights", value, on_off, &o->weights);
    case 'a':
        return arguments_event(a, "at", value, &o->commands);
    default: /* 'j' */
        o->json = 1;
        return -1;
    }
}

int cg_parse(int argc, char **argv, cg_options *o)
{
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
    int code = arguments_read(&a, argc, argv, options, take, o);
    if (code < 0 && !((o->rows > 0) != (o->file != NULL) && o->iterations >= 0))
        code = arguments_contradict(&a, "--iterations and one of --rows and --matrix are needed");
    return code;
}
