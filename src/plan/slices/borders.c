/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/slices/borders.h"
#include "util/assert.h"

int64_t hs__slice_reach(const hs__slice_borders *t, int i, int64_t first, double deadline, int64_t least, int64_t most)
{
    int64_t low = least > first ? least : first, high = most;
    if (low >= high || hs__slice_fits(t, i, first, high, deadline))
        return low >= high ? low : high;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(hs__slice_fits(t, i, first, middle, deadline) ? &low : &high) = middle;
    }
    return low;
}

/* The first beginning, from `least` on, of a slice of host i that ends there. */
static int64_t reach_back(const hs__slice_borders *t, int i, int64_t end, double deadline, int64_t least)
{
    int64_t low = least, high = end;
    if (low >= high || hs__slice_fits(t, i, low, end, deadline))
        return low;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(hs__slice_fits(t, i, middle, end, deadline) ? &high : &low) = middle;
    }
    return high;
}

int hs__borders_earliest(const hs__slice_borders *t, double deadline, const int64_t *held, int64_t within)
{
    int64_t *earliest = t->least, wanted = t->groups;
    earliest[t->hosts] = t->groups;
    for (int i = t->hosts - 1; i >= 0; i--) {
        wanted -= held ? held[i] : 0;
        earliest[i] = reach_back(t, i, earliest[i + 1], deadline, held && wanted > within ? wanted - within : 0);
        if (held && earliest[i] - wanted > within)
            return 0;
    }
    return earliest[0] == 0;
}

/* Each border in turn as near as it can be to the one held, none further than `within`; least[] is filled for that. */
static void nearest(const hs__slice_borders *t, double deadline, const int64_t *held, int64_t within)
{
    int64_t wanted = 0;
    t->border[0] = 0;
    for (int i = 0; i < t->hosts; i++) {
        int64_t first = t->border[i], from = t->least[i + 1] > first ? t->least[i + 1] : first;
        wanted += held[i];
        int64_t end = t->groups - wanted > within ? wanted + within : t->groups;
        int64_t to = hs__slice_reach(t, i, first, deadline, from, end);
        t->border[i + 1] = wanted < from ? from : wanted > to ? to : wanted;
    }
    HS_ASSERT(t->border[t->hosts] == t->groups && hs__borders_step(t) <= deadline);
}

/* A deadline and a distance are met exactly when the earliest borders are: what a host reaches grows with where it begins,
 * so from the earliest border on every later one within the distance has a next one. Bisection finds the least distance. */
int hs__borders_near(const hs__slice_borders *t, double deadline, const int64_t *held)
{
    int64_t low = 0, high = hs__borders_earliest(t, deadline, held, 0) ? 0 : t->units;
    if (high > 0 && !hs__borders_earliest(t, deadline, held, high))
        return 0;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(hs__borders_earliest(t, deadline, held, middle) ? &high : &low) = middle;
    }
    hs__borders_earliest(t, deadline, held, high);
    nearest(t, deadline, held, high);
    return 1;
}

double hs__borders_step(const hs__slice_borders *t)
{
    double step = 0;
    for (int i = 0; i < t->hosts; i++)
        if (t->border[i + 1] > t->border[i])
            step = fmax(step, hs__slice_time(t, i, t->border[i], t->border[i + 1]));
    return step;
}

void hs__borders_counts(const hs__slice_borders *t, int64_t *count)
{
    for (int i = 0; i < t->hosts; i++)
        count[i] = hs__border_unit(t, t->border[i + 1]) - hs__border_unit(t, t->border[i]);
}

int hs__borders_long_enough(const hs__slice_borders *t, int64_t minimum)
{
    for (int i = 0; i < t->hosts; i++) {
        int64_t n = hs__border_unit(t, t->border[i + 1]) - hs__border_unit(t, t->border[i]);
        if (n > 0 && n < minimum)
            return 0;
    }
    return 1;
}
