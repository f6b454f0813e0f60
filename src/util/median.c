/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/median.h"
#include "util/assert.h"
#include "util/sort.h"

double hs__median(double *value, int n)
{
    if (n == 0)
        return 0;
    hs__sort_doubles(value, (size_t)n);
    HS_ASSERT(!(value[0] > value[n / 2]) && !(value[n / 2] > value[n - 1]));
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}
