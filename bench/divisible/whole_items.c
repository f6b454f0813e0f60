/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole items without results: planning time, compared with the notes' dynamic program (divisible-load-notes-2012,
 * section 2) for the same order where that is affordable.
 *
 *     whole_items [LARGEST]      items up to which the dynamic program runs too, default 10000
 *
 * prints CSV: network,order,items,workers,plan_microseconds,makespan,program_seconds,program_makespan. Plan times are
 * medians of 21. The last rows are the notes' 817,101 seismic events on 16 workers. */
#include "util/clock.h"
#include "util/random.h"
#include <heteroslice/hs_divisible.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 16, REPEATS = 21 };

/* The notes' program, lines 1 to 16, keeping costs only. */
static double program(const double *w, const double *c, const int *order, int items)
{
    size_t size = (size_t)items + 1;
    double *now_cost = calloc(size, sizeof *now_cost), *rest = calloc(size, sizeof *rest);
    if (!now_cost || !rest)
        exit(1);
    int last = order[WORKERS - 1];
    for (int d = 0; d <= items; d++)
        rest[d] = d * c[last] + d * w[last];
    for (int k = WORKERS - 2; k >= 0; k--) {
        int i = order[k];
        for (int d = 0; d <= items; d++) {
            double least = rest[d];
            for (int e = 1; e <= d; e++)
                least = fmin(least, e * c[i] + fmax(e * w[i], rest[d - e]));
            now_cost[d] = least;
        }
        double *swap = rest;
        rest = now_cost;
        now_cost = swap;
    }
    double makespan = rest[items];
    free(now_cost);
    free(rest);
    return makespan;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double plan_seconds(hs_divisible_params *p, double *makespan, int *order)
{
    double seconds[REPEATS];
    for (int k = 0; k < REPEATS; k++) {
        hs_divisible *plan = NULL;
        double start = hs__clock_wall();
        if (hs_divisible_create(p, &plan, NULL) != HS_OK)
            exit(1);
        seconds[k] = hs__clock_wall() - start;
        *makespan = hs_divisible_makespan(plan);
        for (int i = 0; i < WORKERS; i++)
            order[i] = hs_divisible_send_host(plan, i);
        hs_divisible_free(plan);
    }
    qsort(seconds, REPEATS, sizeof *seconds, ascending);
    return seconds[REPEATS / 2];
}

static void run(const char *network, const char *name, hs_divisible_order kind, const double *w, const double *c,
                int items, int largest)
{
    hs_divisible_params p;
    double makespan;
    int order[WORKERS];
    hs_divisible_params_init(&p);
    p.hosts = WORKERS;
    p.cycle_time = w;
    p.comm_time = c;
    p.load = items;
    p.items = HS_DIVISIBLE_INTEGER;
    p.order = kind;
    double seconds = plan_seconds(&p, &makespan, order);
    for (int i = 0; kind == HS_DIVISIBLE_GIVEN && i < WORKERS; i++)
        order[i] = i;
    printf("%s,%s,%d,%d,%.1f,%.9g,", network, name, items, WORKERS, 1e6 * seconds, makespan);
    if (items > largest) {
        puts(",");
        return;
    }
    double start = hs__clock_wall(), least = program(w, c, order, items);
    printf("%.4g,%.9g\n", hs__clock_wall() - start, least);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {100, 1000, 10000, 817101};
    int largest = argc > 1 ? atoi(argv[1]) : 10000;
    hs__random random = {817101};
    double w[WORKERS], bus[WORKERS], star[WORKERS];
    for (int i = 0; i < WORKERS; i++) { /* seconds: some 10 ms a ray, 10 to 100 us a message of one ray */
        w[i] = 0.004 + 0.012 * hs__random_unit(&random);
        bus[i] = i == 0 ? 0.0 : 2e-5;
        star[i] = i == 0 ? 0.0 : 1e-5 + 9e-5 * hs__random_unit(&random);
    }
    puts("network,order,items,workers,plan_microseconds,makespan,program_seconds,program_makespan");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        run("bus", "given", HS_DIVISIBLE_GIVEN, w, bus, sizes[k], largest);
        run("star", "given", HS_DIVISIBLE_GIVEN, w, star, sizes[k], largest);
        run("star", "by bandwidth", HS_DIVISIBLE_FIFO, w, star, sizes[k], largest);
    }
    return 0;
}
