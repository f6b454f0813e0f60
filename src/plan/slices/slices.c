/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact integer slices: minimise max over {i : n_i > 0} of t_i(n_i), with sum n_i = N and n_i = 0 or n_i >= m, where
 * t_i(n) = c_i(n) + d_i (serial) or max(c_i(n), d_i) (overlap), and c_i(n) = n w_i, or the time that a speed function
 * gives n units, by itself or over that of w_i, which never falls when n rises; n is at most the host's limit.
 *
 * For a deadline T host i can take cap_i(T) units, the largest n with t_i(n) <= T, or none when that is below m. A set
 * S of hosts can share N units exactly when |S| m <= N <= sum of cap_i(T) over S. So at most k = floor(N/m) hosts take
 * part, and T is feasible exactly when the k largest caps add up to N. Feasibility is monotone in T, and T only matters
 * as a double: bisecting over the ordered doubles ends at the exact optimum after at most 64 steps. */
#include "plan/slices/slices.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/double_bits.h"
#include "util/reserved.h"
#include "util/sort.h"
#include "util/speed.h"
#include "util/units.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct task {
    const double *cycle_time, *comm_time;
    int hosts;
    int64_t units, minimum;
    hs_step_model model;
    int64_t *cap;                      /* per host, at the deadline last asked */
    int64_t *order;                    /* scratch for sorting caps */
    const hs_speed_function *function; /* per host, absolute or times cycle_time; NULL: none */
    double density, unit_size;         /* with functions: work units a byte without cycle_time, bytes of a unit */
} task;

static double density_of(const task *t, int i)
{
    return t->cycle_time ? t->cycle_time[i] / t->unit_size : t->density;
}

static double time_of(const task *t, int i, int64_t n)
{
    double compute = t->function ? hs__speed_time(&t->function[i], density_of(t, i), (double)n * t->unit_size)
                                 : (double)n * t->cycle_time[i];
    return t->model == HS_STEP_OVERLAP ? fmax(compute, t->comm_time[i]) : compute + t->comm_time[i];
}

static int fits(const task *t, int i, int64_t n, double deadline)
{
    return time_of(t, i, n) <= deadline;
}

static int64_t twice(int64_t n)
{
    return n <= INT64_MAX / 2 ? 2 * n : INT64_MAX;
}

static int can_compute(const task *t, int i)
{
    return (!t->function || t->function[i].points > 0) && (!t->cycle_time || t->cycle_time[i] <= DBL_MAX);
}

/* N, or as many units as the largest slice of host i holds. */
static int64_t limit_of(const task *t, int i)
{
    if (!t->function || t->function[i].max_size >= (double)t->units * t->unit_size)
        return t->units;
    int64_t n = (int64_t)(t->function[i].max_size / t->unit_size);
    return (double)n * t->unit_size > t->function[i].max_size ? n - 1 : n;
}

/* About how many units host i computes within a time. */
static double guess_count(const task *t, int i, double seconds)
{
    return floor(t->function ? hs__speed_size(&t->function[i], density_of(t, i), seconds) / t->unit_size
                             : seconds / t->cycle_time[i]);
}

/* The largest n in [0, limit] with t_i(n) <= T: a guess by division, then galloping and bisection, since the guess is
 * off by rounding only. */
static int64_t largest_count(const task *t, int i, double deadline)
{
    if (!can_compute(t, i) || !fits(t, i, 0, deadline))
        return 0;
    double guess = guess_count(t, i, t->model == HS_STEP_OVERLAP ? deadline : deadline - t->comm_time[i]);
    int64_t limit = limit_of(t, i), low = guess >= (double)limit ? limit : (int64_t)guess, high = low, stride = 1;
    while (low > 0 && !fits(t, i, low, deadline)) {
        high = low;
        low = low > stride ? low - stride : 0;
        stride = twice(stride);
    }
    if (high == low) {
        for (stride = 1; high < limit && fits(t, i, high, deadline); stride = twice(stride)) {
            low = high;
            high = limit - high > stride ? high + stride : limit;
        }
        if (fits(t, i, high, deadline))
            return high;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(fits(t, i, middle, deadline) ? &low : &high) = middle;
    }
    return low;
}

static void fill_caps(const task *t, double deadline)
{
    for (int i = 0; i < t->hosts; i++) {
        int64_t n = largest_count(t, i, deadline);
        t->cap[i] = n >= t->minimum ? n : 0;
    }
}

/* The largest caps, so many: the last of t->order. */
static const int64_t *largest_caps(const task *t, int64_t most)
{
    memcpy(t->order, t->cap, (size_t)t->hosts * sizeof *t->order);
    hs__sort_int64s(t->order, (size_t)t->hosts);
    return t->order + t->hosts - most;
}

/* Whether some set of hosts can share all units within the deadline; leaves the caps in t->cap. */
static int feasible(const task *t, double deadline)
{
    fill_caps(t, deadline);
    int64_t most = t->units / t->minimum, left = t->units;
    const int64_t *cap = most < t->hosts ? largest_caps(t, most) : t->cap;
    for (int i = 0; i < t->hosts && i < most && left > 0; i++)
        left -= cap[i] < left ? cap[i] : left;
    return left == 0;
}

/* The least deadline that is feasible; DBL_MAX is known to be. */
static double least_deadline(const task *t)
{
    uint64_t infeasible = 0, enough = hs__bits_of(DBL_MAX);
    if (feasible(t, 0.0))
        return 0.0;
    while (enough - infeasible > 1) {
        uint64_t middle = infeasible + (enough - infeasible) / 2;
        *(feasible(t, hs__double_of(middle)) ? &enough : &infeasible) = middle;
    }
    return hs__double_of(enough);
}

/* Keeps in t->cap only the k hosts with the largest caps, lowest index first among equals. */
static void choose_hosts(const task *t)
{
    int64_t most = t->units / t->minimum;
    if (most >= t->hosts)
        return;
    const int64_t *largest = largest_caps(t, most);
    int64_t threshold = largest[0], ties = 0;
    for (int64_t i = 0; i < most; i++)
        ties += largest[i] == threshold;
    for (int i = 0; i < t->hosts; i++)
        if (t->cap[i] < threshold || (t->cap[i] == threshold && ties-- <= 0))
            t->cap[i] = 0;
}

/* What host i of the chosen ones takes when the water stands at `level`. */
static int64_t level_count(const task *t, int i, double level)
{
    if (t->cap[i] == 0)
        return 0;
    int64_t n = largest_count(t, i, level);
    return n < t->minimum ? t->minimum : (n < t->cap[i] ? n : t->cap[i]);
}

/* Whether the chosen hosts hold no more than N units at this level. */
static int below_units(const task *t, double level)
{
    int64_t left = t->units;
    for (int i = 0; i < t->hosts; i++) {
        int64_t n = level_count(t, i, level);
        if (n > left)
            return 0;
        left -= n;
    }
    return 1;
}

/* Counts of the chosen hosts at the highest level that holds no more than N units; the rest goes, lowest index first,
 * to the hosts that the next level would give more. */
static void spread(const task *t, double step_time, int64_t *count)
{
    uint64_t low = 0, high = hs__bits_of(step_time);
    if (below_units(t, step_time))
        low = high;
    while (high > low + 1) {
        uint64_t middle = low + (high - low) / 2;
        *(below_units(t, hs__double_of(middle)) ? &low : &high) = middle;
    }
    int64_t left = t->units;
    for (int i = 0; i < t->hosts; i++)
        left -= count[i] = level_count(t, i, hs__double_of(low));
    for (int i = 0; i < t->hosts && left > 0; i++) {
        int64_t more = level_count(t, i, hs__double_of(high)) - count[i];
        more = more < left ? more : left;
        count[i] += more;
        left -= more;
    }
}

static double step_time_of(const task *t, const int64_t *count)
{
    double largest = 0.0;
    for (int i = 0; i < t->hosts; i++)
        if (count[i] > 0)
            largest = fmax(largest, time_of(t, i, count[i]));
    return largest;
}

static int valid(const task *t)
{
    for (int i = 0; i < t->hosts; i++)
        if ((t->function && hs_speed_check(&t->function[i], NULL) != HS_OK) ||
            (t->cycle_time && !(t->cycle_time[i] > 0)) || !(t->comm_time[i] >= 0))
            return 0;
    return t->units >= 0 && t->minimum >= 1 && (t->model == HS_STEP_SERIAL || t->model == HS_STEP_OVERLAP);
}

static hs_status solve(const task *t, int64_t *count, double *step_time)
{
    if (!valid(t))
        return HS_ERR_ARG;
    if (t->units < t->minimum || !feasible(t, DBL_MAX))
        return HS_ERR_INFEASIBLE;
    double deadline = least_deadline(t);
    HS_ASSERT(deadline == 0 || !feasible(t, nextafter(deadline, 0)));
    feasible(t, deadline); /* leaves its caps */
    choose_hosts(t);
    spread(t, deadline, count);
    HS_ASSERT(hs_slices_check(count, t->hosts, t->units, t->minimum, NULL) == HS_OK);
    HS_ASSERT(step_time_of(t, count) == deadline || deadline == 0);
    if (step_time)
        *step_time = step_time_of(t, count);
    return HS_OK;
}

hs_status hs__slices_compute(const hs__slices_task *given, hs_step_model model, int64_t *count, double *step_time,
                             int64_t *scratch)
{
    const hs__slice_sizes *sizes = given->sizes;
    task t = {.cycle_time = given->cycle_time,
              .comm_time = given->comm_time,
              .hosts = given->hosts,
              .units = given->units,
              .minimum = given->minimum,
              .model = model,
              .cap = scratch,
              .order = scratch + given->hosts,
              .function = sizes ? sizes->pace : NULL,
              .unit_size = sizes ? sizes->unit_bytes : 0};
    return solve(&t, count, step_time);
}

hs_status hs_slices_compute(const double *cycle_time, const double *comm_time, int hosts, int64_t units,
                            int64_t minimum, hs_step_model model, int64_t *count, double *step_time)
{
    if (!cycle_time || !comm_time || !count || hosts < 1)
        return HS_ERR_ARG;
    const hs__slices_task given = {
        .cycle_time = cycle_time, .comm_time = comm_time, .hosts = hosts, .units = units, .minimum = minimum};
    int64_t *scratch = hs__array_new(2 * (size_t)hosts, sizeof *scratch);
    hs_status status = HS_ERR_NOMEM;
    if (scratch)
        status = hs__slices_compute(&given, model, count, step_time, scratch);
    free(scratch);
    return status;
}

hs_status hs_slices_compute_by_size(const hs_slices_params *params, int64_t *count, double *step_time)
{
    if (!params || !params->function || !params->comm_time || !count || params->hosts < 1 || params->units < 1 ||
        !hs__quantity_in_range(params->work) || !hs__quantity_in_range(params->data))
        return HS_ERR_ARG;
    if (hs__reserved_check(params->reserved, sizeof params->reserved / sizeof *params->reserved, NULL) != HS_OK)
        return HS_ERR_ARG;
    int64_t *scratch = hs__array_new(2 * (size_t)params->hosts, sizeof *scratch);
    if (!scratch)
        return HS_ERR_NOMEM;
    task t = {.comm_time = params->comm_time,
              .hosts = params->hosts,
              .units = params->units,
              .minimum = params->minimum,
              .model = params->model,
              .cap = scratch,
              .order = scratch + params->hosts,
              .function = params->function,
              .density = params->work / params->data,
              .unit_size = params->data / (double)params->units};
    hs_status status = solve(&t, count, step_time);
    free(scratch);
    return status;
}
