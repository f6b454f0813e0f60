/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PLAN_DIVISIBLE_ORACLE_H
#define HS_TESTS_PLAN_DIVISIBLE_ORACLE_H

/* Reference implementations for the tests of divisible loads, written from the papers without code of src/. */

#include "tests/unit.h"
#include "util/random.h"
#include <heteroslice/hs_divisible.h>

enum { ORACLE_MAX = 8 };

/* All else is as by default. */
static inline hs_divisible_params star_of(int hosts, const double *cycle_time, const double *comm_time, double load)
{
    hs_divisible_params p;
    hs_divisible_params_init(&p);
    p.hosts = hosts;
    p.cycle_time = cycle_time;
    p.comm_time = comm_time;
    p.load = load;
    return p;
}

/* Solves A x = b, n x n, by Gaussian elimination with partial pivoting. @return 0 when singular */
static inline int oracle_solve(int n, double a[ORACLE_MAX][ORACLE_MAX], double *b, double *x)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        if (fabs(a[pivot][k]) < 1e-300)
            return 0;
        for (int j = 0; j < n; j++) {
            double t = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = t;
        }
        double t = b[k];
        b[k] = b[pivot];
        b[pivot] = t;
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        x[k] = b[k];
        for (int j = k + 1; j < n; j++)
            x[k] -= a[k][j] * x[j];
        x[k] /= a[k][k];
    }
    return 1;
}

/* The rows of Eq. 1 for the n workers send[0 .. n-1]; column k is worker send[k]. */
static inline void oracle_rows(int n, const double *w, const double *c, double d, const int *send, const int *collect,
                               double a[ORACLE_MAX][ORACLE_MAX])
{
    int place[ORACLE_MAX] = {0};
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            if (collect[j] == send[k])
                place[k] = j;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            a[k][j] = (j <= k) * c[send[j]] + (j == k) * w[send[k]] + (place[j] >= place[k]) * d * c[send[j]];
}

/* Items per second when all n workers finish without idle time; shares may be negative. @return 0 when singular */
static inline int oracle_equal_finish(int n, const double *w, const double *c, double d, const int *send,
                                      const int *collect, double *share)
{
    double a[ORACLE_MAX][ORACLE_MAX], one[ORACLE_MAX], x[ORACLE_MAX];
    oracle_rows(n, w, c, d, send, collect, a);
    for (int k = 0; k < n; k++)
        one[k] = 1.0;
    if (!oracle_solve(n, a, one, x))
        return 0;
    for (int k = 0; k < n; k++)
        share[send[k]] = x[k];
    return 1;
}

static inline double oracle_sum_if_valid(int n, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        if (!(x[k] >= -1e-12))
            return 0.0;
        sum += x[k];
    }
    return sum;
}

/* The best items per second of exactly these n workers in these orders, over the vertices at which all have load: all
 * rows tight, or, in the one-port model, one row loose and the port always busy. */
static inline double oracle_rate(int n, const double *w, const double *c, double d, int one_port, const int *send,
                                 const int *collect)
{
    double a[ORACLE_MAX][ORACLE_MAX], x[ORACLE_MAX], best = 0.0;
    for (int loose = -1; loose < (one_port ? n : 0); loose++) {
        double one[ORACLE_MAX], port = 0.0, row = 0.0;
        oracle_rows(n, w, c, d, send, collect, a);
        double kept[ORACLE_MAX];
        for (int k = 0; k < n; k++) {
            one[k] = 1.0;
            if (loose >= 0) {
                kept[k] = a[loose][k];
                a[loose][k] = (1.0 + d) * c[send[k]];
            }
        }
        if (!oracle_solve(n, a, one, x))
            continue;
        for (int k = 0; k < n; k++) {
            port += (1.0 + d) * c[send[k]] * x[k];
            row += loose >= 0 ? kept[k] * x[k] : 0.0;
        }
        if ((one_port && port > 1.0 + 1e-12) || row > 1.0 + 1e-12)
            continue;
        best = fmax(best, oracle_sum_if_valid(n, x));
    }
    return best;
}

/* The next permutation in lexicographic order; 0 after the last. */
static inline int oracle_next(int n, int *p)
{
    int i = n - 2, j = n - 1;
    while (i >= 0 && p[i] > p[i + 1])
        i--;
    if (i < 0)
        return 0;
    while (p[j] < p[i])
        j--;
    int t = p[i];
    p[i] = p[j];
    p[j] = t;
    for (int a = i + 1, b = n - 1; a < b; a++, b--) {
        t = p[a];
        p[a] = p[b];
        p[b] = t;
    }
    return 1;
}

/* The optimum over all subsets of m workers and all pairs of orders, items per second. */
static inline double oracle_best_rate(int m, const double *w, const double *c, double d, int one_port)
{
    double best = 0.0;
    for (int set = 1; set < 1 << m; set++) {
        int send[ORACLE_MAX], collect[ORACLE_MAX], n = 0;
        for (int i = 0; i < m; i++)
            if (set >> i & 1)
                send[n++] = i;
        do {
            int k = 0;
            for (int i = 0; i < m; i++)
                if (set >> i & 1)
                    collect[k++] = i;
            do
                best = fmax(best, oracle_rate(n, w, c, d, one_port, send, collect));
            while (oracle_next(n, collect));
        } while (oracle_next(n, send));
    }
    return best;
}

/* What hs_divisible_check() says of a plan fails the test when it is anything. */
static inline void oracle_check_events(const hs_divisible *plan, const hs_divisible_params *p)
{
    hs_error error = {0};
    if (hs_divisible_check(p, plan, &error) != HS_OK)
        fail_msg("%s", error.text);
}

#endif
