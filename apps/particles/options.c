/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "particles.h"
#include <stddef.h>

static const char *const usage[] = {
    "--cells N --particles P --iterations K [--balance off|static|on] [--weights on|off|learned]\n"
    "          [--declare D] [--intensity I] [--at K:COMMAND] [--json]",
    NULL};

/* Those that cross from one rank to another in one iteration are one message. */
enum { MOST_CELLS = 1000000000, MOST_PARTICLES = 50000000, DECLARE = 5 };

static int take(const arguments *a, int option, char *value, void *target)
{
    static const char *const weights[] = {"off", "on", "learned", NULL};
    particles_options *o = target;
    switch (option) {
    case 'n':
        return arguments_count(a, "cells", value, 3, MOST_CELLS, &o->cells);
    case 'p':
        return arguments_count(a, "particles", value, 0, MOST_PARTICLES, &o->particles);
    case 'd':
        return arguments_count(a, "declare", value, 1, MOST_CELLS, &o->declare);
    default: /* 'g' */
        return arguments_word(a, "weights", value, weights, &o->weights);
    }
}

int particles_parse(int argc, char **argv, particles_options *o)
{
    static const struct option options[] = {
        {"cells", required_argument, NULL, 'n'},
        {"particles", required_argument, NULL, 'p'},
        {"declare", required_argument, NULL, 'd'},
        {"weights", required_argument, NULL, 'g'},
        {NULL, 0, NULL, 0},
    };
    const arguments a = arguments_of(argv[0], usage);
    *o = (particles_options){
        .particles = -1, .declare = DECLARE, .weights = WEIGHTS_DECLARED, .run = {.iterations = -1, .intensity = 1}};
    int code = arguments_read(&a, argc, argv, options, take, o, &o->run);
    if (code < 0 && !(o->cells > 0 && o->particles >= 0 && o->run.iterations >= 0))
        code = arguments_contradict(&a, "--cells, --particles and --iterations are needed");
    return code;
}
