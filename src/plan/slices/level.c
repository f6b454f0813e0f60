/* SPDX-License-Identifier: BSD-3-Clause */
/* Real slices by speed functions: what all hosts compute within T rises with T and is continuous, so that bisection over
 * T finds where it reaches the data. */
#include "plan/slices/level.h"
#include "util/double_bits.h"
#include "util/speed.h"
#include <float.h>
#include <math.h>

static const hs_speed_function *function_of(const hs__level_task *task, int k)
{
    return &task->function[task->host ? task->host[k] : k];
}

double hs__level_base(const hs__level_task *task)
{
    double least = task->comm_time ? INFINITY : 0.0;
    for (int k = 0; task->comm_time && k < task->hosts; k++)
        least = fmin(least, task->comm_time[k]);
    return least;
}

static double size_within(const hs__level_task *task, int k, double seconds, double base)
{
    double comm = task->comm_time ? task->comm_time[k] - base : 0.0;
    return hs__speed_size(function_of(task, k), task->work / task->data, seconds - comm);
}

double hs__level_size(const hs__level_task *task, int k, double seconds)
{
    return size_within(task, k, seconds, hs__level_base(task));
}

/* Whether all data is computed within the time. */
static int suffices(const hs__level_task *task, double seconds, double base)
{
    double sum = 0.0;
    for (int k = 0; k < task->hosts && sum < task->data; k++)
        sum += size_within(task, k, seconds, base);
    return sum >= task->data;
}

double hs__level_time(const hs__level_task *task)
{
    double base = hs__level_base(task);
    if (isinf(base) || !suffices(task, DBL_MAX, base))
        return INFINITY;
    uint64_t under = hs__bits_of(0.0), over = hs__bits_of(DBL_MAX);
    while (over - under > 1) {
        uint64_t middle = under + (over - under) / 2;
        *(suffices(task, hs__double_of(middle), base) ? &over : &under) = middle;
    }
    return hs__double_of(over);
}
