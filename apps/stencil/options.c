/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "apps/arguments.h"
#include "jacobi.h"
#include <stddef.h>

static const char *const usage[] = {
    "--rows N --cols M --iterations K [--balance off|static|on] [--intensity I] [--at K:COMMAND] [--json]", NULL};

enum { LARGEST = 1000000000 }; /* a row with its halo is one message */

static int take(const arguments *a, int option, char *value, void *target)
{
    jacobi_options *o = target;
    switch (option) {
    case 'r':
        return arguments_count(a, "rows", value, 1, LARGEST, &o->rows);
    case 'c':
        return arguments_count(a, "cols", value, 1, LARGEST, &o->cols);
    case 'k':
        return arguments_count(a, "iterations", value, 0, LARGEST, &o->iterations);
    case 'i':
        return arguments_count(a, "intensity", value, 1, LARGEST, &o->intensity);
    case 'b':
        return arguments_balance(a, value, &o->params.mode);
    case 'a':
        return arguments_event(a, "at", value, &o->commands);
    default: /* 'j' */
        o->json = 1;
        return -1;
    }
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
    int code = arguments_read(&a, argc, argv, options, take, o);
    if (code < 0 && !(o->rows > 0 && o->cols > 0 && o->iterations >= 0))
        code = arguments_contradict(&a, "--rows, --cols and --iterations are needed");
    o->params.work = jacobi_work(o);
    o->params.model = HS_STEP_OVERLAP;
    o->params.halo = (double)jacobi_width(o) * sizeof(double);
    return code;
}
