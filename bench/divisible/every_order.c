/* SPDX-License-Identifier: BSD-3-Clause */
/* All pairs of sequences of Eq. 1. For a send order, the collect order grows from its end: the row of the worker placed
 * at last is known when it is placed, so Gaussian elimination goes along with the search tree, one row a node. The sum
 * of the loads is carried along as one more row, so a leaf costs O(m^2). What looks best is solved again with pivoting.
 */
#include "every_order.h"
#include <math.h>
#include <string.h>

enum { MAX = EVERY_ORDER_MAX };

typedef struct tree {
    int m;
    const double *e, *c;
    double delta;
    unsigned before[MAX]; /* workers sent up to and including k */
    double row[MAX][MAX]; /* of the worker placed at each depth, reduced and scaled */
    double right[MAX];
    int placed[MAX];
    double best; /* sum of the loads at T = 1 */
    int negative;
} tree;

/* The loads of the pair at hand, with partial pivoting. @return 0 when singular */
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

/* Places worker i at a depth: its row, reduced by those above. @return its right-hand side */
static void place(tree *t, int depth, int i, unsigned after)
{
    double *row = t->row[depth], right = 1.0;
    for (int j = 0; j < t->m; j++)
        row[j] = (t->before[i] >> j & 1) * t->c[j] + (after >> j & 1) * t->delta * t->c[j];
    row[i] += t->e[i];
    for (int k = 0; k < depth; k++) {
        double factor = row[t->placed[k]];
        for (int j = 0; j < t->m; j++)
            row[j] -= factor * t->row[k][j];
        right -= factor * t->right[k];
    }
    double inverse = 1.0 / row[i];
    for (int j = 0; j < t->m; j++)
        row[j] *= inverse;
    t->right[depth] = right * inverse;
    t->placed[depth] = i;
}

/* objective, value: the sum of the loads as objective . x + value, reduced by the rows above. */
static void grow(tree *t, int depth, unsigned after, const double *objective, double value)
{
    double reduced[MAX];
    for (int i = 0; i < t->m; i++) {
        if (after >> i & 1)
            continue;
        place(t, depth, i, after | 1u << i);
        double sum = value + objective[i] * t->right[depth];
        if (depth + 1 == t->m) {
            if (sum > t->best)
                keep_if_better(t);
            continue;
        }
        for (int j = 0; j < t->m; j++)
            reduced[j] = objective[j] - objective[i] * t->row[depth][j];
        grow(t, depth + 1, after | 1u << i, reduced, sum);
    }
}

static void every_send_order(tree *t, int depth, unsigned sent)
{
    if (depth == t->m) {
        double ones[MAX] = {1, 1, 1, 1, 1, 1};
        grow(t, 0, 0, ones, 0.0);
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
