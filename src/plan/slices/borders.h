/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_SLICES_BORDERS_H
#define HS_PLAN_SLICES_BORDERS_H

/* Borders between the slices of hosts in a fixed order. Host i with a slice of weight W takes
 * max(c, d_i) + exposed x min(c, d_i) seconds, c = W w_i: exposed is 1 when messages and computing add up
 * (HS_STEP_SERIAL), 0 when they overlap (HS_STEP_OVERLAP), and between the two as steps were measured. Where cycle times
 * depend on the size of the slice, c is what sizes.h says, and no host has more than its limit. */

#include "plan/slices/sizes.h"
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/** Borders are counted in groups of `stride` units; the last group has the rest too. */
typedef struct hs__slice_borders {
    const double *prefix; /* [units + 1] as of hs__weights_sum(); NULL: every unit weighs 1 */
    int64_t units, stride, groups;
    const double *cycle_time, *comm_time; /* [hosts] w and d, as hs_slices_compute_weighted() takes them */
    const hs__slice_sizes *sizes;         /* NULL: cycle times do not depend on the size */
    double exposed;
    int hosts;
    int64_t *border;       /* [hosts + 1] where host i begins */
    int64_t *least, *most; /* [hosts + 1] bounds of the borders */
} hs__slice_borders;

static inline int64_t hs__border_unit(const hs__slice_borders *t, int64_t group)
{
    return group == t->groups ? t->units : group * t->stride;
}

/** The weight of the groups before this one. */
static inline double hs__weight_before(const hs__slice_borders *t, int64_t group)
{
    int64_t unit = hs__border_unit(t, group);
    return t->prefix ? t->prefix[unit] : (double)unit;
}

/** Seconds of host i for groups first <= g < end. */
static inline double hs__slice_time(const hs__slice_borders *t, int i, int64_t first, int64_t end)
{
    double weight = hs__weight_before(t, end) - hs__weight_before(t, first), cycle = t->cycle_time[i];
    double compute = t->sizes ? hs__sized_time(t->sizes, i, cycle, weight) : weight * cycle;
    return fmax(compute, t->comm_time[i]) + t->exposed * fmin(compute, t->comm_time[i]);
}

/** Whether host i may have groups first <= g < end, if they take it long or not. */
static inline int hs__slice_allowed(const hs__slice_borders *t, int i, int64_t first, int64_t end)
{
    return t->cycle_time[i] <= DBL_MAX &&
           (!t->sizes || hs__sized_holds(t->sizes, i, hs__border_unit(t, end) - hs__border_unit(t, first)));
}

static inline int hs__slice_fits(const hs__slice_borders *t, int i, int64_t first, int64_t end, double deadline)
{
    return hs__slice_allowed(t, i, first, end) && hs__slice_time(t, i, first, end) <= deadline;
}

/** The furthest end, at most `most`, of a slice of host i from first on; `least` is known to be reached. */
int64_t hs__slice_reach(const hs__slice_borders *t, int i, int64_t first, double deadline, int64_t least, int64_t most);

/** Fill least[]: where host i begins at the earliest when those behind it have all that they can take by the deadline.
 * @param held    [hosts] units of each host: no border is more than `within` units before or behind that of these; NULL:
 *                borders may be anywhere
 * @return 1; 0: there are no such borders */
int hs__borders_earliest(const hs__slice_borders *t, double deadline, const int64_t *held, int64_t within);

/** Fill border[] with the borders nearest to those held by which every host meets the deadline: the one that is off most is
 * as near as can be, and then each in turn. The stride is 1; least[] is overwritten.
 * @return 1; 0: there are no borders by which every host meets the deadline */
int hs__borders_near(const hs__slice_borders *t, double deadline, const int64_t *held);

/** The longest time of any slice. */
double hs__borders_step(const hs__slice_borders *t);

/** Units between the borders. */
void hs__borders_counts(const hs__slice_borders *t, int64_t *count);

/** Whether every slice is empty or has at least so many units. */
int hs__borders_long_enough(const hs__slice_borders *t, int64_t minimum);

#endif
