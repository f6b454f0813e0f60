/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast a rank is with slices of other sizes than the one it holds: what was told, and what its phases showed. */
#include "plan/decision/slices.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

/* A slice that is larger by less explains nothing. */
#define LEAST_GROWTH 1.01

/* So much may be noise of a reading. */
#define NOISE 1.08

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
    double known = s->paces.said_bytes > 0 ? s->paces.said_bytes : unit_bytes;
    s->paces.sizes.unit_bytes = known;
    s->paces.sizes.weight_bytes = hs__weight_bytes(s->prefix, s->units, known);
}

static hs_status make_room(hs__slices *s, size_t points)
{
    size_t ranks = (size_t)s->ranks;
    double **array[] = {&s->paces.held, &s->paces.held_bytes, &s->paces.former, &s->paces.former_bytes};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = hs__pool_new(&s->pool, ranks, sizeof **array[k]);
    s->paces.lessons = hs__pool_new(&s->pool, ranks, sizeof *s->paces.lessons);
    s->paces.room = hs__pool_new(&s->pool, ranks, sizeof *s->paces.room);
    s->paces.pace = hs__pool_new(&s->pool, ranks, sizeof *s->paces.pace);
    hs_speed_point *point = hs__pool_new(&s->pool, points, sizeof *point);
    if (hs__pool_status(&s->pool) == HS_OK)
        s->paces.room[0] = point;
    return hs__pool_status(&s->pool);
}

hs_status hs__slices_by_size(hs__slices *s, const hs_speed_function *function, const double *speed, double unit_bytes)
{
    size_t ranks = (size_t)s->ranks, points = 0;
    for (size_t i = 0; i < ranks; i++)
        points += 2 * ((size_t)function[i].points + 1) + HS__MOST_LESSONS;
    hs_status status = make_room(s, points);
    if (status != HS_OK)
        return status;
    hs_speed_point *room = s->paces.room[0];
    for (size_t i = 0; i < ranks; i++) {
        s->paces.pace[i] = s->paces.lessons[i].told = pace_of(&function[i], speed ? speed[i] : 1, room);
        HS_ASSERT(hs_speed_check(&s->paces.pace[i], NULL) == HS_OK);
        s->paces.room[i] = room + function[i].points + 1;
        room = s->paces.room[i] + function[i].points + 1 + HS__MOST_LESSONS;
    }
    s->paces.said_bytes = unit_bytes;
    s->paces.sizes.pace = s->paces.pace;
    know_bytes(s, 0);
    return HS_OK;
}

const hs__slice_sizes *hs__slices_sizes(const hs__slices *s)
{
    return s->paces.pace && s->paces.sizes.unit_bytes > 0 ? &s->paces.sizes : NULL;
}

int hs__slices_hold(const hs__slices *s)
{
    double units = 0;
    for (int i = 0; hs__slices_sizes(s) && i < s->ranks; i++)
        units += floor(s->paces.pace[i].max_size / s->paces.sizes.unit_bytes);
    return !hs__slices_sizes(s) || units >= (double)s->units;
}

double hs__slices_seconds(const hs__slices *s, int i, double cycle, double load)
{
    const hs__slice_sizes *sizes = hs__slices_sizes(s);
    return sizes ? hs__sized_time(sizes, i, cycle, load) : load * cycle;
}

void hs__slices_paces(const hs__slices *s, const int64_t *count, double *pace)
{
    const hs__slice_sizes *sizes = hs__slices_sizes(s);
    hs__slices_loads(s, count, pace);
    for (int i = 0; i < s->ranks; i++)
        pace[i] = sizes ? hs_speed_at(&sizes->pace[i], pace[i] * sizes->weight_bytes) : 1;
}

const double *hs__slices_pace(void *layout, const hs__decide_phase *phase)
{
    hs__slices *s = layout;
    know_bytes(s, phase->unit_bytes);
    if (!hs__slices_sizes(s))
        return NULL;
    hs__slices_loads(s, s->count, s->paces.held_bytes);
    for (int i = 0; i < s->ranks; i++)
        s->paces.held_bytes[i] *= s->paces.sizes.weight_bytes;
    hs__slices_paces(s, s->count, s->paces.held);
    return s->paces.held;
}

void hs__slices_leave_sizes(hs__slices *s)
{
    size_t bytes = (size_t)s->ranks * sizeof *s->paces.former;
    if (!s->paces.pace)
        return;
    memcpy(s->paces.former, s->paces.held, bytes);
    memcpy(s->paces.former_bytes, s->paces.held_bytes, bytes);
}

int hs__slices_explain(void *layout, int i, double factor)
{
    hs__slices *s = layout;
    if (!s->paces.pace || !(s->paces.former_bytes[i] > 0))
        return 0;
    const hs_speed_point was = {s->paces.former_bytes[i], s->paces.former[i]};
    const hs_speed_point now = {s->paces.held_bytes[i], s->paces.held[i] / factor};
    int grew = now.size > LEAST_GROWTH * was.size && now.speed < NOISE * was.speed;
    int shrank = was.size > LEAST_GROWTH * now.size && was.speed < NOISE * now.speed;
    if (!grew && !shrank)
        return 0;
    hs__lessons_add(&s->paces.lessons[i], was, now);
    s->paces.pace[i] = hs__lessons_pace(&s->paces.lessons[i], s->paces.room[i]);
    s->paces.held[i] = hs_speed_at(&s->paces.pace[i], now.size);
    return 1;
}
