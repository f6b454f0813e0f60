/* SPDX-License-Identifier: BSD-3-Clause */
/* Planning time by the number of workers, and a comparison of SPORT's loads in O(m log m) with the published O(m^3).
 *
 * prints CSV: workers,what,seconds,load_difference,residual
 *   sport          hs_divisible_sport(): sequences and loads by undoing the steps
 *   linear system  steps 3 and 4 as published, by Gaussian elimination, for up to 1000 workers; load_difference is the
 *                  largest difference of the two loads over the largest load
 *   plan ...       hs_divisible_create() in the duplex model
 * residual: the largest deviation of a row of Eq. 1 from T, over T. Seconds are the shortest of several repetitions. */
#include "util/clock.h"
#include "util/random.h"
#include <heteroslice/hs_divisible.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double DELTA = 0.5;

typedef struct workers {
    int m, *send, *collect;
    double *e, *c, *share, *row;
} workers;

static void *checked(void *memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static workers workers_new(int m)
{
    size_t n = (size_t)m;
    workers x = {m,
                 checked(calloc(n, sizeof(int))),
                 checked(calloc(n, sizeof(int))),
                 checked(calloc(n, sizeof(double))),
                 checked(calloc(n, sizeof(double))),
                 checked(calloc(n, sizeof(double))),
                 checked(calloc(n, sizeof(double)))};
    hs__random random = {(uint64_t)m};
    for (int i = 0; i < m; i++) {
        x.c[i] = 1.0 + 99.0 * hs__random_unit(&random);
        x.e[i] = 1000.0 * m * (1.0 + 9.0 * hs__random_unit(&random));
    }
    return x;
}

static void workers_free(workers *x)
{
    free(x->send);
    free(x->collect);
    free(x->e);
    free(x->c);
    free(x->share);
    free(x->row);
}

static double residual(workers *x, const double *share, double makespan)
{
    double sent = 0.0, returned = 0.0, worst = 0.0;
    for (int k = 0; k < x->m; k++) {
        int i = x->send[k];
        sent += x->c[i] * share[i];
        x->row[i] = sent + x->e[i] * share[i];
    }
    for (int k = x->m - 1; k >= 0; k--) {
        int i = x->collect[k];
        returned += DELTA * x->c[i] * share[i];
        worst = fmax(worst, fabs(x->row[i] + returned - makespan));
    }
    return worst / makespan;
}

static double time_sport(workers *x, double *makespan)
{
    double least = INFINITY;
    for (int k = 0; k < 5; k++) {
        double start = hs__clock_wall();
        if (hs_divisible_sport(x->e, x->c, x->m, DELTA, x->send, x->collect, x->share, makespan) != HS_OK)
            exit(1);
        least = fmin(least, hs__clock_wall() - start);
    }
    return least;
}

/* Row k of step 3: the difference of Eq. 1 for the workers sent k-th and (k+1)-th; the last row is the sum. */
static void fill_system(const workers *x, const int *place, double *a)
{
    int m = x->m;
    for (int k = 0; k + 1 < m; k++) {
        double *row = a + (size_t)k * (size_t)(m + 1);
        int i = x->send[k], u = x->send[k + 1], down = place[u] < place[i];
        int from = down ? place[u] : place[i], to = down ? place[i] : place[u];
        row[i] += x->e[i];
        row[u] -= x->c[u] + x->e[u];
        for (int j = from; j < to; j++)
            row[x->collect[j]] += (down ? -DELTA : DELTA) * x->c[x->collect[j]];
    }
    for (int j = 0; j <= m; j++)
        a[(size_t)(m - 1) * (size_t)(m + 1) + (size_t)j] = 1.0;
}

static void eliminate(int m, double *a, double *solution)
{
    size_t width = (size_t)m + 1;
    for (int k = 0; k < m; k++) {
        int pivot = k;
        for (int i = k + 1; i < m; i++)
            if (fabs(a[(size_t)i * width + (size_t)k]) > fabs(a[(size_t)pivot * width + (size_t)k]))
                pivot = i;
        double *top = a + (size_t)k * width, *best = a + (size_t)pivot * width;
        for (int j = k; j <= m; j++) {
            double swap = top[j];
            top[j] = best[j];
            best[j] = swap;
        }
        for (int i = k + 1; i < m; i++) {
            double *row = a + (size_t)i * width, factor = row[k] / top[k];
            for (int j = k; factor != 0.0 && j <= m; j++)
                row[j] -= factor * top[j];
        }
    }
    for (int k = m - 1; k >= 0; k--) {
        const double *row = a + (size_t)k * width;
        solution[k] = row[m];
        for (int j = k + 1; j < m; j++)
            solution[k] -= row[j] * solution[j];
        solution[k] /= row[k];
    }
}

static void linear_system(workers *x, double makespan)
{
    int m = x->m, *place = checked(calloc((size_t)m, sizeof *place));
    double *a = checked(calloc((size_t)m * (size_t)(m + 1), sizeof *a));
    double *share = checked(calloc((size_t)m, sizeof *share)), largest = 0.0, difference = 0.0;
    for (int j = 0; j < m; j++)
        place[x->collect[j]] = j;
    double start = hs__clock_wall();
    fill_system(x, place, a);
    eliminate(m, a, share);
    double seconds = hs__clock_wall() - start;
    for (int i = 0; i < m; i++) {
        largest = fmax(largest, fabs(x->share[i]));
        difference = fmax(difference, fabs(x->share[i] - share[i]));
    }
    printf("%d,linear system,%.6g,%.3g,%.3g\n", m, seconds, difference / largest, residual(x, share, makespan));
    free(share);
    free(a);
    free(place);
}

static void time_plan(const workers *x, hs_divisible_order order, const char *name)
{
    hs_divisible_params p;
    hs_divisible *plan = NULL;
    hs_divisible_params_init(&p);
    p.hosts = x->m;
    p.cycle_time = x->e;
    p.comm_time = x->c;
    p.load = 1.0;
    p.results = DELTA;
    p.port = HS_DIVISIBLE_DUPLEX;
    p.order = order;
    double start = hs__clock_wall();
    if (hs_divisible_create(&p, &plan, NULL) != HS_OK)
        exit(1);
    printf("%d,plan %s,%.6g,,\n", x->m, name, hs__clock_wall() - start);
    hs_divisible_free(plan);
}

int main(void)
{
    static const int sizes[] = {4, 8, 16, 32, 64, 128, 256, 500, 1000, 2000, 5000, 10000};
    puts("workers,what,seconds,load_difference,residual");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        workers x = workers_new(sizes[k]);
        double makespan, seconds = time_sport(&x, &makespan);
        printf("%d,sport,%.6g,0,%.3g\n", x.m, seconds, residual(&x, x.share, makespan));
        if (x.m <= 1000)
            linear_system(&x, makespan);
        time_plan(&x, HS_DIVISIBLE_FIFO, "fifo");
        time_plan(&x, HS_DIVISIBLE_LIFO, "lifo");
        time_plan(&x, HS_DIVISIBLE_SPORT, "sport");
        time_plan(&x, HS_DIVISIBLE_BEST, "best");
        fflush(stdout);
        workers_free(&x);
    }
    return 0;
}
