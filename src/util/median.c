/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/median.h"
#include "util/assert.h"
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double hs__median(double *value, int n)
{
    if (n == 0)
        return 0;
    qsort(value, (size_t)n, sizeof *value, compare);
    HS_ASSERT(!(value[0] > value[n / 2]) && !(value[n / 2] > value[n - 1]));
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}
