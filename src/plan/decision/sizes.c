/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast a rank is with slices of other sizes than the one it holds. */
#include "plan/decision/slices.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>

/* A rank whose speed is the same at all sizes has pace 1. */
static hs_speed_function pace_of(const hs_speed_function *function, double speed, hs_speed_point *room)
{
    if (function->points > 0 && speed > 0)
        return hs__speed_scaled(function, 1, 1 / speed, room);
    room[0] = (hs_speed_point){1, 1};
    return (hs_speed_function){room, 1, function->max_size};
}

/* What is known of bytes by now. */
static void know_bytes(hs__slices *s, double unit_bytes)
{
    double known = s->said_bytes > 0 ? s->said_bytes : unit_bytes;
    s->sizes.unit_bytes = known;
    s->sizes.weight_bytes = hs__weight_bytes(s->prefix, s->units, known);
}

hs_status hs__slices_by_size(hs__slices *s, const hs_speed_function *function, const double *speed, double unit_bytes)
{
    size_t ranks = (size_t)s->ranks, points = ranks;
    for (size_t i = 0; i < ranks; i++)
        points += (size_t)function[i].points;
    s->pace = hs__array_new(ranks, sizeof *s->pace);
    s->point = hs__array_new(points, sizeof *s->point);
    s->held_pace = hs__array_new(ranks, sizeof *s->held_pace);
    if (!s->pace || !s->point || !s->held_pace)
        return HS_ERR_NOMEM;
    hs_speed_point *room = s->point;
    for (size_t i = 0; i < ranks; i++) {
        s->pace[i] = pace_of(&function[i], speed ? speed[i] : 1, room);
        HS_ASSERT(hs_speed_check(&s->pace[i], NULL) == HS_OK);
        room += function[i].points + 1;
    }
    s->said_bytes = unit_bytes;
    s->sizes.pace = s->pace;
    know_bytes(s, 0);
    return HS_OK;
}

const hs__slice_sizes *hs__slices_sizes(const hs__slices *s)
{
    return s->pace && s->sizes.unit_bytes > 0 ? &s->sizes : NULL;
}

int hs__slices_hold(const hs__slices *s)
{
    double units = 0;
    for (int i = 0; hs__slices_sizes(s) && i < s->ranks; i++)
        units += floor(s->pace[i].max_size / s->sizes.unit_bytes);
    return !hs__slices_sizes(s) || units >= (double)s->units;
}

double hs__slices_seconds(const hs__slices *s, int i, double cycle, double load)
{
    const hs__slice_sizes *sizes = hs__slices_sizes(s);
    return sizes ? hs__sized_time(sizes, i, cycle, load) : load * cycle;
}

const double *hs__slices_pace(void *layout, const hs__decide_phase *phase)
{
    hs__slices *s = layout;
    know_bytes(s, phase->unit_bytes);
    if (!hs__slices_sizes(s))
        return NULL;
    hs__slices_loads(s, s->count, s->held_pace);
    for (int i = 0; i < s->ranks; i++)
        s->held_pace[i] = hs_speed_at(&s->pace[i], s->held_pace[i] * s->sizes.weight_bytes);
    return s->held_pace;
}
