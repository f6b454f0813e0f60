/* SPDX-License-Identifier: BSD-3-Clause */
/* All pairs of sequences of Eq. 1. For a send order, the collect order grows from its end: the row of the next worker is
 * then known, so Gaussian elimination follows the search tree and gets cheaper towards its leaves. Candidates for the
 * best pair are solved again with pivoting. */
#include "every_order.h"
#include <math.h>
#include <string.h>

enum { MAX = EVERY_ORDER_MAX };

typedef struct tree {
    int m;
    const double *e, *c;
    double delta;
    unsigned before[MAX]; /* workers sent up to and including k */
    int placed[MAX];
    double best; /* sum of the loads at T = 1 */
    int negative;
} tree;

/* The loads of the current pair, with partial pivoting. @return 0 when singular */
static int solve_pivoting(const tree *t, double *x)
{
    double a[MAX][MAX + 1];
    unsigned after = 0;
    for (int k = 0; k < t->m; k++) {
        int i = t->placed[k];
        after |= 1u << i;
        for (int j = 0; j < t->m; j++)
            a[k][j] = (t->before[i] >> j & 1) * t->c[j] + (j == i) * t->e[i] + (after >> j & 1) * t->delta * t->c[j];
        a[k][t->m] = 1.0;
    }
    for (int k = 0; k < t->m; k++) {
        int pivot = k;
        for (int i = k + 1; i < t->m; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        if (a[pivot][k] == 0.0)
            return 0;
        for (int j = 0; j <= t->m; j++) {
            double swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        for (int i = 0; i < t->m; i++) {
            double factor = i == k ? 0.0 : a[i][k] / a[k][k];
            for (int j = k; factor != 0.0 && j <= t->m; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    for (int k = 0; k < t->m; k++)
        x[k] = a[k][t->m] / a[k][k];
    return 1;
}

static void keep_if_better(tree *t)
{
    double x[MAX], sum = 0.0;
    int negative = 0;
    if (!solve_pivoting(t, x))
        return;
    for (int k = 0; k < t->m; k++) {
        sum += x[k];
        negative |= x[k] < 0.0;
    }
    if (sum > t->best && isfinite(sum)) {
        t->best = sum;
        t->negative = negative;
    }
}

/* The remaining system when some workers are placed: a row and a column for each other worker, then the row of ones, whose
 * last entry is minus the sum of the loads when none remains, and the column of right-hand sides. */
typedef struct rest {
    int n, worker[MAX + 1];
    double a[MAX + 1][MAX + 1];
} rest;

/* Places the k-th worker of r second to last: every other row contains its message to the master, which is eliminated. */
static void eliminate(const tree *t, const rest *r, int k, rest *next)
{
    double back = t->delta * t->c[r->worker[k]], inverse = 1.0 / (r->a[k][k] + back);
    next->n = r->n - 1;
    for (int i = 0, row = 0; i <= r->n; i++) {
        if (i == k)
            continue;
        double factor = (r->a[i][k] + (i < r->n ? back : 0.0)) * inverse;
        for (int j = 0, column = 0; j <= r->n; j++)
            if (j != k)
                next->a[row][column++] = r->a[i][j] - factor * r->a[k][j];
        next->worker[row++] = i < r->n ? r->worker[i] : -1;
    }
}

static void grow(tree *t, const rest *r)
{
    if (r->n == 1) {
        double back = t->delta * t->c[r->worker[0]];
        double sum = r->a[1][0] * r->a[0][1] / (r->a[0][0] + back) - r->a[1][1];
        t->placed[t->m - 1] = r->worker[0];
        if (sum > t->best)
            keep_if_better(t);
        return;
    }
    for (int k = 0; k < r->n; k++) {
        rest next;
        t->placed[t->m - r->n] = r->worker[k];
        eliminate(t, r, k, &next);
        grow(t, &next);
    }
}

static void every_collect_order(tree *t)
{
    rest all = {.n = t->m};
    for (int i = 0; i <= t->m; i++)
        for (int j = 0; j <= t->m; j++)
            all.a[i][j] = i == t->m ? j < t->m : j == t->m ? 1.0 : (t->before[i] >> j & 1) * t->c[j];
    for (int i = 0; i < t->m; i++) {
        all.a[i][i] += t->e[i];
        all.worker[i] = i;
    }
    grow(t, &all);
}

static void every_send_order(tree *t, int depth, unsigned sent)
{
    if (depth == t->m) {
        every_collect_order(t);
        return;
    }
    for (int i = 0; i < t->m; i++) {
        if (sent >> i & 1)
            continue;
        t->before[i] = sent | 1u << i;
        every_send_order(t, depth + 1, sent | 1u << i);
    }
}

double every_order_published(int m, const double *e, const double *c, double delta, int *negative)
{
    tree t = {.m = m, .e = e, .c = c, .delta = delta};
    every_send_order(&t, 0, 0);
    *negative = t.negative;
    return 1.0 / t.best;
}
