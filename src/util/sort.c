/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/sort.h"
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void hs__sort_doubles(double *value, size_t n)
{
    qsort(value, n, sizeof *value, compare_doubles);
}

static int compare_int64s(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void hs__sort_int64s(int64_t *value, size_t n)
{
    qsort(value, n, sizeof *value, compare_int64s);
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

size_t hs__sort_ints(int *value, size_t n)
{
    qsort(value, n, sizeof *value, compare_ints);
    for (size_t k = 1; k < n; k++)
        if (value[k] == value[k - 1])
            return k;
    return 0;
}

static int least_first(const void *a, const void *b)
{
    const hs__ranked *x = a, *y = b;
    int order = compare_doubles(&x->value, &y->value);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

void hs__rank_least_first(hs__ranked *list, size_t n)
{
    qsort(list, n, sizeof *list, least_first);
}

static int largest_first(const void *a, const void *b)
{
    const hs__ranked *x = a, *y = b;
    int order = compare_doubles(&y->value, &x->value);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

void hs__rank_largest_first(hs__ranked *list, size_t n)
{
    qsort(list, n, sizeof *list, largest_first);
}
