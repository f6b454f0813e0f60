/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulations of sport, section 4: 25 cases of C and E, mean excess of FIFO, LIFO and SPORT over the optimum.
 *
 *     sport_tables [--workers M] [--delta D] [--case N] [--runs R]      without an option: all of its values, 1000 runs
 *
 * prints CSV: model,m,delta,case,runs,algorithm,mean_percent,worst_percent,negative_percent. Models:
 *   published  loads by Eq. 1, of any sign; the optimum is BRUTEFORCE over all pairs of sequences, loads of any sign
 *   duplex     valid schedules of a master that may send while it receives; the optimum is exact
 *   one-port   valid schedules of a master that never does both; the optimum is exact
 * negative_percent: runs with a negative load (in `published`, for `optimum`, runs in which the best pair has one).
 * Algorithm best200 is `best` limited to 200 evaluated schedules: its search without the exact stage. */
#include "every_order.h"
#include "util/random.h"
#include <heteroslice/hs_divisible.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = EVERY_ORDER_MAX, ALGORITHMS = 6 };

static const char *const algorithm_name[ALGORITHMS] = {"fifo", "lifo", "sport", "best200", "best", "optimum"};
enum { FIFO, LIFO, SPORT, BEST200, BEST, OPTIMUM };

/* Table 1. */
static const double c_range[5][2] = {{1, 10}, {1, 100}, {10, 100}, {10, 1000}, {100, 1000}};
static const double e_range[5][2] = {{1, 10}, {10, 100}, {100, 1000}, {1, 100}, {10, 1000}};

typedef struct sums {
    double deviation, worst;
    int negative, counted;
} sums;

static void add(sums *s, double makespan, double optimum, int negative)
{
    double deviation = 100.0 * (makespan / optimum - 1.0);
    s->deviation += deviation;
    s->worst = fmax(s->worst, deviation);
    s->negative += negative;
    s->counted++;
}

static void print_sums(const char *model, int m, double delta, int number, int runs, const sums *s)
{
    for (int a = 0; a < ALGORITHMS; a++)
        if (s[a].counted > 0)
            printf("%s,%d,%g,%d,%d,%s,%.4f,%.4f,%.4f\n", model, m, delta, number, runs, algorithm_name[a],
                   s[a].deviation / s[a].counted, s[a].worst, 100.0 * s[a].negative / s[a].counted);
}

/* T of Eq. 1 for FIFO and LIFO by decreasing bandwidth: neighbours in the send order have a fixed ratio. */
static double published_fifo(int m, const double *e, const double *c, double d, const int *send)
{
    double share = 1.0, sum = 0.0, returns = 0.0;
    for (int k = 0; k < m; k++) {
        int i = send[k];
        if (k > 0)
            share *= (e[send[k - 1]] + d * c[send[k - 1]]) / (c[i] + e[i]);
        sum += share;
        returns += d * c[i] * share;
    }
    return (c[send[0]] + e[send[0]] + returns) / sum;
}

static double published_lifo(int m, const double *e, const double *c, double d, const int *send)
{
    double left = 1.0, sum = 0.0;
    for (int k = 0; k < m; k++) {
        double own = (1.0 + d) * c[send[k]] + e[send[k]];
        sum += left / own;
        left *= e[send[k]] / own;
    }
    return 1.0 / sum;
}

static int any_negative(int m, const double *share)
{
    for (int k = 0; k < m; k++)
        if (share[k] < 0.0)
            return 1;
    return 0;
}

static void run_published(int m, const double *e, const double *c, double d, sums *s)
{
    int send[MOST], collect[MOST], negative;
    double share[MOST], sport, optimum = every_order_published(m, e, c, d, &negative);
    if (hs_divisible_sport(e, c, m, d, send, collect, share, &sport) != HS_OK)
        exit(1);
    add(&s[FIFO], published_fifo(m, e, c, d, send), optimum, 0);
    add(&s[LIFO], published_lifo(m, e, c, d, send), optimum, 0);
    add(&s[SPORT], sport, optimum, any_negative(m, share));
    add(&s[OPTIMUM], optimum, optimum, negative);
}

static double planned(hs_divisible_params *p, hs_divisible_order order, int64_t budget, int *optimal)
{
    hs_divisible *plan = NULL;
    p->order = order;
    p->budget = budget;
    if (hs_divisible_create(p, &plan, NULL) != HS_OK)
        exit(1);
    double makespan = hs_divisible_makespan(plan);
    *optimal = hs_divisible_optimal(plan);
    hs_divisible_free(plan);
    return makespan;
}

static void run_valid(int m, const double *e, const double *c, double d, hs_divisible_port port, sums *s)
{
    hs_divisible_params p;
    int optimal, ignored;
    hs_divisible_params_init(&p);
    p.hosts = m;
    p.cycle_time = e;
    p.comm_time = c;
    p.load = 1.0;
    p.results = d;
    p.port = port;
    double best = planned(&p, HS_DIVISIBLE_BEST, 0, &optimal);
    double optimum = optimal ? best : planned(&p, HS_DIVISIBLE_EXACT, 0, &optimal);
    add(&s[FIFO], planned(&p, HS_DIVISIBLE_FIFO, 0, &ignored), optimum, 0);
    add(&s[LIFO], planned(&p, HS_DIVISIBLE_LIFO, 0, &ignored), optimum, 0);
    add(&s[SPORT], planned(&p, HS_DIVISIBLE_SPORT, 0, &ignored), optimum, 0);
    add(&s[BEST200], planned(&p, HS_DIVISIBLE_BEST, 200, &ignored), optimum, 0);
    add(&s[BEST], best, optimum, 0);
}

static void run_case(int m, double delta, int number, int runs)
{
    sums published[ALGORITHMS] = {{0}}, duplex[ALGORITHMS] = {{0}}, one_port[ALGORITHMS] = {{0}};
    const double *cr = c_range[(number - 1) / 5], *er = e_range[(number - 1) % 5];
    hs__random random = {(uint64_t)(1000 * m + number)};
    for (int run = 0; run < runs; run++) {
        double c[MOST], e[MOST];
        for (int k = 0; k < m; k++) {
            c[k] = cr[0] + (cr[1] - cr[0]) * hs__random_unit(&random);
            e[k] = er[0] + (er[1] - er[0]) * hs__random_unit(&random);
        }
        run_published(m, e, c, delta, published);
        run_valid(m, e, c, delta, HS_DIVISIBLE_DUPLEX, duplex);
        run_valid(m, e, c, delta, HS_DIVISIBLE_ONE_PORT, one_port);
    }
    print_sums("published", m, delta, number, runs, published);
    print_sums("duplex", m, delta, number, runs, duplex);
    print_sums("one-port", m, delta, number, runs, one_port);
    fflush(stdout);
}

/* The number after an option; `otherwise` when the option is not given. */
static double option(int argc, char **argv, const char *name, double otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return atof(argv[i + 1]);
    return otherwise;
}

int main(int argc, char **argv)
{
    static const double deltas[] = {0.2, 0.5, 0.8};
    int only_m = (int)option(argc, argv, "--workers", 0), only_case = (int)option(argc, argv, "--case", 0);
    int runs = (int)option(argc, argv, "--runs", 1000);
    double only_delta = option(argc, argv, "--delta", -1.0);
    if (option(argc, argv, "--header", 1) != 0)
        puts("model,m,delta,case,runs,algorithm,mean_percent,worst_percent,negative_percent");
    for (int m = 4; m <= MOST; m++)
        for (int k = 0; k < 3; k++)
            for (int number = 1; number <= 25; number++)
                if ((!only_m || m == only_m) && (only_delta < 0 || deltas[k] == only_delta) &&
                    (!only_case || number == only_case))
                    run_case(m, deltas[k], number, runs);
    return 0;
}
