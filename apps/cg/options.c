/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cg.h"
#include <stddef.h>

static const char *const usage[] = {
    "--rows N [--width W] | --matrix FILE.mtx   --iterations K [--balance off|static|on]\n"
    "          [--weights on|off|learned] [--intensity I] [--at K:COMMAND] [--json]",
    NULL};

enum { LARGEST = 1000000000, WIDTH = 64 };

static int take(const arguments *a, int option, char *value, void *target)
{
    static const char *const weights[] = {"off", "on", "learned", NULL};
    cg_options *o = target;
    switch (option) {
    case 'r':
        return arguments_count(a, "rows", value, 1, LARGEST, &o->rows);
    case 'w':
        return arguments_count(a, "width", value, 0, LARGEST, &o->width);
    case 'm':
        o->file = value;
        return -1;
    default: /* 'g' */
        return arguments_word(a, "weights", value, weights, &o->weights);
    }
}

int cg_parse(int argc, char **argv, cg_options *o)
{
    static const struct option options[] = {
        {"rows", required_argument, NULL, 'r'},
        {"width", required_argument, NULL, 'w'},
        {"matrix", required_argument, NULL, 'm'},
        {"weights", required_argument, NULL, 'g'},
        {NULL, 0, NULL, 0},
    };
    const arguments a = arguments_of(argv[0], usage);
    *o = (cg_options){.run = {.iterations = -1, .intensity = 1}, .width = WIDTH, .weights = WEIGHTS_DECLARED};
    int code = arguments_read(&a, argc, argv, options, take, o, &o->run);
    if (code < 0 && !((o->rows > 0) != (o->file != NULL) && o->run.iterations >= 0))
        code = arguments_contradict(&a, "--iterations and one of --rows and --matrix are needed");
    return code;
}
