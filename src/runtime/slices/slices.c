/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/slices.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

hs_status hs__slices_start(hs__slices *s, const double *comm)
{
    s->comm = hs__array_new((size_t)s->ranks, sizeof *s->comm);
    s->candidate = hs__array_new((size_t)s->ranks, sizeof *s->candidate);
    if (!s->comm || !s->candidate) {
        hs__slices_end(s);
        return HS_ERR_NOMEM;
    }
    if (comm)
        memcpy(s->comm, comm, (size_t)s->ranks * sizeof *s->comm);
    return HS_OK;
}

void hs__slices_end(hs__slices *s)
{
    free(s->comm);
    free(s->candidate);
    s->comm = NULL;
    s->candidate = NULL;
}

/* The step time of slices under cycle times. */
static double step_time(const hs__slices *s, const int64_t *count, const double *cycle)
{
    double longest = 0;
    for (int i = 0; i < s->ranks; i++) {
        double compute = (double)count[i] * cycle[i];
        if (count[i] > 0)
            longest = fmax(longest, s->model == HS_STEP_OVERLAP ? fmax(compute, s->comm[i]) : compute + s->comm[i]);
    }
    return longest;
}

static hs_status plan(void *layout, const double *cycle, double *now, double *best)
{
    hs__slices *s = layout;
    hs_status status = hs_slices_compute(cycle, s->comm, s->ranks, s->units, s->minimum, s->model, s->candidate, NULL);
    if (status != HS_OK)
        return status == HS_ERR_NOMEM ? status : HS_UNCHANGED;
    *now = step_time(s, s->count, cycle);
    *best = step_time(s, s->candidate, cycle);
    return HS_OK;
}

static hs_status traffic(void *layout, int64_t *units)
{
    const hs__slices *s = layout;
    *units = hs__moved_units_busiest(s->ranks, s->count, s->candidate);
    return HS_OK;
}

const hs__decide_kind hs__slices_kind = {plan, traffic};

/* Units that rank i holds under both cuts, given where its slices begin. */
static int64_t kept(int64_t from_first, int64_t from_count, int64_t to_first, int64_t to_count)
{
    int64_t first = from_first > to_first ? from_first : to_first;
    int64_t end = from_first + from_count < to_first + to_count ? from_first + from_count : to_first + to_count;
    return end > first ? end - first : 0;
}

int64_t hs__moved_units_busiest(int ranks, const int64_t *from, const int64_t *to)
{
    int64_t busiest = 0, from_first = 0, to_first = 0;
    for (int i = 0; i < ranks; i++) {
        int64_t stays = kept(from_first, from[i], to_first, to[i]);
        int64_t traffic = from[i] + to[i] - 2 * stays;
        busiest = traffic > busiest ? traffic : busiest;
        from_first += from[i];
        to_first += to[i];
    }
    return busiest;
}

int64_t hs__moved_units(int ranks, const int64_t *from, const int64_t *to)
{
    int64_t moved = 0, from_first = 0, to_first = 0;
    for (int i = 0; i < ranks; i++) {
        moved += to[i] - kept(from_first, from[i], to_first, to[i]);
        from_first += from[i];
        to_first += to[i];
    }
    return moved;
}
