/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact slices of units with weights, on hosts in a fixed order: minimise max over {i : n_i > 0} of t_i(W_i), where W_i
 * is the weight of slice i and t_i(W) = W w_i + d_i (serial) or max(W w_i, d_i) (overlap).
 *
 * Source: Pinar and Aykanat, "Fast optimal load balancing algorithms for 1D partitioning", JPDC 2004, sections 3 and 4;
 * Pinar, Tabak and Aykanat, "One-dimensional partitioning for heterogeneous systems", JPDC 2008, section 4.3: probing
 * over prefix sums, exact bisection, and borders of former probes that bound the search of later ones.
 * Differs: a host has a constant cost as well and may be left out, and the optimum found is levelled afterwards, or brought
 * near the slices that are held.
 *
 * Probe. For a deadline T each host in turn takes as many units as it can: border s_i is the furthest that the first i
 * hosts reach, since reaching further never hurts those that follow; T is feasible when s_p = N. The borders grow with
 * T. A feasible probe lowers the bound above to the longest time of its slices, an infeasible one raises the bound below
 * to the least time that a slice with one more unit takes: between the two nothing changes. So the bisection ends at the
 * optimum, exact in double precision, where the weight of a slice is the difference of two prefix sums.
 *
 * The smallest slice. Reaching furthest may hurt the next hosts when slices must have m > 1 units. The optimum without
 * that condition is a bound from below, and often meets it. When it does not, borders are at multiples of m. */
#include "plan/slices/weighted.h"
#include "plan/slices/borders.h"
#include "plan/slices/slices.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* When the search for the level of divisible loads ends: steps, or relative error. */
enum { LEVEL_STEPS = 200 };
#define LEVEL_ERROR 1e-6

/* Whether the hosts reach the last unit by the deadline; leaves the borders. */
static int feasible(const hs__slice_borders *t, double deadline)
{
    t->border[0] = 0;
    for (int i = 0; i < t->hosts; i++)
        t->border[i + 1] = hs__slice_reach(t, i, t->border[i], deadline, t->least[i + 1], t->most[i + 1]);
    return t->border[t->hosts] == t->groups;
}

/* The least deadline above the last, infeasible one at which a border is another. */
static double next_deadline(const hs__slice_borders *t)
{
    double next = INFINITY;
    for (int i = 0; i < t->hosts; i++)
        if (hs__slice_allowed(t, i, t->border[i], t->border[i + 1] + 1))
            next = fmin(next, hs__slice_time(t, i, t->border[i], t->border[i + 1] + 1));
    return next;
}

/* The weight that host i takes in so many seconds when loads are divisible. */
static double load_at(const hs__slice_borders *t, int i, double level)
{
    if (level <= t->comm_time[i])
        return 0;
    double seconds = level - t->exposed * t->comm_time[i];
    return t->sizes ? hs__sized_weight(t->sizes, i, t->cycle_time[i], seconds) : seconds / t->cycle_time[i];
}

/* Seconds in which the hosts take a divisible load of all the weight: a first guess. */
static double ideal_level(const hs__slice_borders *t)
{
    double low = 0, high = DBL_MAX, weight = hs__weight_before(t, t->groups);
    for (int k = 0; k < LEVEL_STEPS && high > low * (1 + LEVEL_ERROR); k++) {
        double holds = 0, level = high > 4 * low ? sqrt(fmax(low, DBL_MIN)) * sqrt(high) : low + (high - low) / 2;
        for (int i = 0; i < t->hosts; i++)
            holds += load_at(t, i, level);
        *(holds < weight ? &low : &high) = level;
    }
    return low;
}

/* The least feasible deadline; no border by it is beyond most[]. INFINITY: there is none. */
static double least_deadline(const hs__slice_borders *t, double guess)
{
    size_t bytes = ((size_t)t->hosts + 1) * sizeof *t->border;
    for (int i = 0; i <= t->hosts; i++) {
        t->least[i] = 0;
        t->most[i] = t->groups;
    }
    if (!feasible(t, DBL_MAX))
        return INFINITY;
    double low = 0, high = hs__borders_step(t), deadline = fmin(guess, high / 2);
    while (low < high) {
        if (feasible(t, deadline)) {
            memcpy(t->most, t->border, bytes);
            high = hs__borders_step(t);
        } else {
            double next = next_deadline(t);
            HS_ASSERT(next > deadline && next <= high);
            memcpy(t->least, t->border, bytes);
            low = next;
        }
        HS_ASSERT(low <= high);
        /* To the guess, and from there in doubling strides; never high itself, to which the middle of two neighbours rounds. */
        deadline = fmin(low + fmin(fabs(low - guess), (high - low) / 2), nextafter(high, 0));
    }
    return high;
}

/* The first border with so much weight before it. */
static int64_t border_after(const hs__slice_borders *t, double weight)
{
    int64_t low = -1, high = t->groups;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(hs__weight_before(t, middle) < weight ? &low : &high) = middle;
    }
    return high;
}

/* What the hosts from one on take together when loads are divisible. */
typedef struct takers {
    double speed;    /* units of weight a second */
    double constant; /* of it, what is lost in the seconds that weight does not change */
} takers;

static takers part_of(const hs__slice_borders *t, int i, double level)
{
    if (level <= t->comm_time[i] || !(t->cycle_time[i] <= DBL_MAX))
        return (takers){0, 0};
    if (t->sizes) /* in proportion to what each takes by the level */
        return (takers){load_at(t, i, level), 0};
    return (takers){1 / t->cycle_time[i], t->exposed * t->comm_time[i] / t->cycle_time[i]};
}

/* Among all borders with this step time: each host in turn takes its part of what is left, and the unit that the border
 * falls in if there is time for it. So a heavy unit leaves the others level. */
static void level_borders(const hs__slice_borders *t, double deadline, double level)
{
    const int64_t *earliest = t->least;
    takers rest = {0, 0};
    hs__borders_earliest(t, deadline, NULL, 0);
    for (int i = t->hosts - 1; i >= 0; i--) {
        rest.speed += part_of(t, i, level).speed;
        rest.constant += part_of(t, i, level).constant;
    }
    for (int i = 0; i < t->hosts; i++) {
        int64_t first = t->border[i];
        double before = hs__weight_before(t, first);
        takers mine = part_of(t, i, level);
        double load =
            (hs__weight_before(t, t->groups) - before + rest.constant) / rest.speed * mine.speed - mine.constant;
        int64_t from = earliest[i + 1] > first ? earliest[i + 1] : first;
        int64_t to = hs__slice_reach(t, i, first, deadline, from, t->most[i + 1]);
        int64_t wanted = load > 0 ? border_after(t, before + load * (1 - LEVEL_ERROR)) : first;
        t->border[i + 1] = wanted < from ? from : wanted > to ? to : wanted;
        HS_ASSERT(t->border[i + 1] == first || hs__slice_fits(t, i, first, t->border[i + 1], deadline));
        rest.speed -= mine.speed;
        rest.constant -= mine.constant;
    }
    HS_ASSERT(t->border[t->hosts] == t->groups);
}

/* The best borders at multiples of the stride. @return the step time; INFINITY: there are none */
static double cut(hs__slice_borders *t, int64_t stride)
{
    t->stride = stride;
    t->groups = t->units / stride;
    double level = ideal_level(t), deadline = least_deadline(t, level);
    if (deadline < INFINITY)
        level_borders(t, deadline, level);
    return deadline;
}

static hs_status cut_units(hs__slice_borders *t, int64_t minimum, const int64_t *held, int64_t *count,
                           double *step_time)
{
    if (t->units < minimum)
        return HS_ERR_INFEASIBLE;
    double step = cut(t, 1);
    if (step < INFINITY && !hs__borders_long_enough(t, minimum))
        step = cut(t, minimum);
    if (step == INFINITY)
        return HS_ERR_INFEASIBLE;
    HS_ASSERT(hs__borders_long_enough(t, minimum) && t->border[t->hosts] == t->groups);
    HS_ASSERT(hs__borders_step(t) == step);
    hs__borders_counts(t, count);
    if (held && t->stride == 1 && hs__borders_near(t, step, held) && hs__borders_long_enough(t, minimum))
        hs__borders_counts(t, count);
    if (step_time)
        *step_time = step;
    return HS_OK;
}

static int valid(const hs__slice_borders *t, int64_t minimum, hs_step_model model)
{
    for (int i = 0; i < t->hosts; i++)
        if (!(t->cycle_time[i] > 0) || !(t->comm_time[i] >= 0) ||
            (t->sizes && hs_speed_check(&t->sizes->pace[i], NULL) != HS_OK))
            return 0;
    return t->units >= 0 && minimum >= 1 && (model == HS_STEP_SERIAL || model == HS_STEP_OVERLAP);
}

/* scratch: room for three times as many borders. */
static hs__slice_borders borders_of(const hs__slices_task *task, double exposed, int64_t *scratch)
{
    size_t borders = (size_t)task->hosts + 1;
    return (hs__slice_borders){.prefix = task->prefix,
                               .units = task->units,
                               .stride = 1,
                               .groups = task->units,
                               .cycle_time = task->cycle_time,
                               .comm_time = task->comm_time,
                               .sizes = task->sizes,
                               .exposed = exposed,
                               .hosts = task->hosts,
                               .border = scratch,
                               .least = scratch + borders,
                               .most = scratch + 2 * borders};
}

hs_status hs__slices_cut(const hs__slices_task *task, hs_step_model model, const int64_t *held, int64_t *count,
                         double *step_time, int64_t *scratch)
{
    if (!task->prefix)
        return hs__slices_compute(task, model, count, step_time, scratch);
    hs__slice_borders t = borders_of(task, model == HS_STEP_SERIAL, scratch);
    return valid(&t, task->minimum, model) ? cut_units(&t, task->minimum, held, count, step_time) : HS_ERR_ARG;
}

hs_status hs__slices_near(const hs__slices_task *task, double exposed, double deadline, const int64_t *held,
                          int64_t *count, int64_t *scratch)
{
    hs__slice_borders t = borders_of(task, exposed, scratch);
    if (!hs__borders_near(&t, deadline, held) || !hs__borders_long_enough(&t, task->minimum))
        return HS_ERR_INFEASIBLE;
    hs__borders_counts(&t, count);
    return HS_OK;
}

hs_status hs__weights_sum(const double *weight, int64_t units, double *prefix)
{
    int zero = 1;
    for (int64_t u = 0; u < units; u++) {
        if (!(weight[u] >= 0 && weight[u] <= DBL_MAX))
            return HS_ERR_ARG;
        zero = zero && weight[u] == 0;
    }
    prefix[0] = 0;
    for (int64_t u = 0; u < units; u++)
        prefix[u + 1] = prefix[u] + (zero ? 1 : weight[u]);
    return prefix[units] <= DBL_MAX ? HS_OK : HS_ERR_ARG;
}

hs_status hs_slices_compute_weighted(const double *weight, const double *cycle_time, const double *comm_time, int hosts,
                                     int64_t units, int64_t minimum, hs_step_model model, int64_t *count,
                                     double *step_time)
{
    if (!weight || !cycle_time || !comm_time || !count || hosts < 1 || units < 0)
        return HS_ERR_ARG;
    hs__pool pool = {0};
    double *prefix = hs__pool_new(&pool, (size_t)units + 1, sizeof *prefix);
    int64_t *scratch = hs__pool_new(&pool, HS__SLICES_SCRATCH(hosts), sizeof *scratch);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK)
        status = hs__weights_sum(weight, units, prefix);
    const hs__slices_task task = {prefix, cycle_time, comm_time, NULL, hosts, units, minimum};
    if (status == HS_OK)
        status = hs__slices_cut(&task, model, NULL, count, step_time, scratch);
    hs__pool_free(&pool);
    return status;
}
