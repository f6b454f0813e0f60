/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/median.h"
#include "util/assert.h"
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void hs__sort_doubles(double *value, size_t n)
{
    qsort(value, n, sizeof *value, compare);
}

double hs__median(double *value, int n)
{
    if (n == 0)
        return 0;
    hs__sort_doubles(value, (size_t)n);
    HS_ASSERT(!(value[0] > value[n / 2]) && !(value[n / 2] > value[n - 1]));
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}
