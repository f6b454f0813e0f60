/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/lessons.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

/* Sizes this close are one: the later lesson counts. */
#define NEAR 1.01

static double rate_of(const hs_speed_point *point)
{
    return point->speed / point->size;
}

static double ratio(double a, double b)
{
    return fmax(a / b, b / a);
}

/* Whether both may hold: the larger slice takes longer. */
static int agree(const hs_speed_point *a, const hs_speed_point *b)
{
    return (a->size < b->size) == (rate_of(a) > rate_of(b)) && rate_of(a) != rate_of(b);
}

static void forget(hs__lessons *l, int k)
{
    l->lessons--;
    memmove(l->lesson + k, l->lesson + k + 1, (size_t)(l->lessons - k) * sizeof *l->lesson);
}

static void forget_furthest(hs__lessons *l, double size)
{
    forget(l, ratio(l->lesson[0].size, size) > ratio(l->lesson[l->lessons - 1].size, size) ? 0 : l->lessons - 1);
}

static void insert(hs__lessons *l, hs_speed_point lesson)
{
    int at = 0;
    for (int k = l->lessons - 1; k >= 0; k--)
        if (ratio(l->lesson[k].size, lesson.size) < NEAR || !agree(&l->lesson[k], &lesson))
            forget(l, k);
    if (l->lessons == HS__MOST_LESSONS)
        forget_furthest(l, lesson.size);
    while (at < l->lessons && l->lesson[at].size < lesson.size)
        at++;
    memmove(l->lesson + at + 1, l->lesson + at, (size_t)(l->lessons - at) * sizeof *l->lesson);
    l->lesson[at] = lesson;
    l->lessons++;
}

void hs__lessons_add(hs__lessons *l, hs_speed_point was, hs_speed_point now)
{
    insert(l, was);
    insert(l, now);
}

/* By how much lesson k is off. */
static double factor_of(const hs__lessons *l, int k)
{
    return l->lesson[k].speed / hs_speed_at(&l->told, l->lesson[k].size);
}

/* And what is told of a size, the first lesson behind which is `next`. */
static double factor_at(const hs__lessons *l, double size, int next)
{
    if (next == 0)
        return factor_of(l, 0);
    if (next == l->lessons)
        return factor_of(l, next - 1);
    double from = l->lesson[next - 1].size, part = (size - from) / (l->lesson[next].size - from);
    return (1 - part) * factor_of(l, next - 1) + part * factor_of(l, next);
}

/* Points that are told, and that neither contradict the last point taken nor the next lesson. */
static void take_told(const hs__lessons *l, int *told, int next, hs_speed_function *pace, hs_speed_point *point)
{
    const hs_speed_point *lesson = next < l->lessons ? &l->lesson[next] : NULL;
    for (; *told < l->told.points && (!lesson || l->told.point[*told].size < lesson->size); ++*told) {
        hs_speed_point p = l->told.point[*told];
        p.speed *= factor_at(l, p.size, next);
        const hs_speed_point *last = pace->points > 0 ? &point[pace->points - 1] : NULL;
        if ((!last || (p.size > last->size && agree(last, &p))) && (!lesson || agree(&p, lesson)))
            point[pace->points++] = p;
    }
}

hs_speed_function hs__lessons_pace(const hs__lessons *l, hs_speed_point *point)
{
    hs_speed_function pace = {point, 0, l->told.max_size};
    int told = 0;
    if (l->lessons == 0)
        return l->told;
    for (int next = 0; next < l->lessons; next++) {
        take_told(l, &told, next, &pace, point);
        point[pace.points++] = l->lesson[next];
    }
    take_told(l, &told, l->lessons, &pace, point);
    HS_ASSERT(hs_speed_check(&pace, NULL) == HS_OK);
    return pace;
}
