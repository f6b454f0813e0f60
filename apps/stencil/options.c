/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "apps/arguments.h"
#include "jacobi.h"
#include <stddef.h>

static const char *const usage[] = {
    "--rows N --cols M --iterations K [--layout rows|grid|columns] [--balance off|static|on] [--intensity I]\n"
    "       [--at K:COMMAND] [--json]",
    NULL};

const char *const jacobi_layouts[] = {"rows", "grid", "columns", NULL};

enum { LARGEST = 1000000000 }; /* a row with its halo is one message */

static int take(const arguments *a, int option, char *value, void *target)
{
    jacobi_options *o = target;
    switch (option) {
    case 'r':
        return arguments_count(a, "rows", value, 1, LARGEST, &o->rows);
    case 'l':
        return arguments_word(a, "layout", value, jacobi_layouts, &o->layout);
    default: /* 'c' */
        return arguments_count(a, "cols", value, 1, LARGEST, &o->cols);
    }
}

int jacobi_parse(int argc, char **argv, jacobi_options *o)
{
    static const struct option options[] = {
        {"rows", required_argument, NULL, 'r'},
        {"cols", required_argument, NULL, 'c'},
        {"layout", required_argument, NULL, 'l'},
        {NULL, 0, NULL, 0},
    };
    const arguments a = arguments_of(argv[0], usage);
    *o = (jacobi_options){.run = {.iterations = -1, .intensity = 1}};
    int code = arguments_read(&a, argc, argv, options, take, o, &o->run);
    if (code < 0 && !(o->rows > 0 && o->cols > 0 && o->run.iterations >= 0))
        code = arguments_contradict(&a, "--rows, --cols and --iterations are needed");
    o->run.params.work = jacobi_work(o);
    o->run.params.model = HS_STEP_OVERLAP;
    o->run.params.halo = (double)jacobi_width(o) * sizeof(double);
    return code;
}
