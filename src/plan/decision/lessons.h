/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DECISION_LESSONS_H
#define HS_PLAN_DECISION_LESSONS_H

/* The pace of one rank by the size of its slice: what the platform tells, and what phases measured, which outranks it. */

#include "util/speed.h"

enum { HS__MOST_LESSONS = 8 };

typedef struct hs__lessons {
    hs_speed_function told;                  /* borrowed points */
    hs_speed_point lesson[HS__MOST_LESSONS]; /* by rising size; the pace measured there */
    int lessons;
} hs__lessons;

/** Take in that a slice of now.size bytes goes at pace now.speed, where one of was.size bytes went at was.speed. Lessons that
 * the new one contradicts, by which more bytes would take no longer, and those of nearly the same size, are forgotten; of too
 * many that of the size furthest away. */
void hs__lessons_add(hs__lessons *lessons, hs_speed_point was, hs_speed_point now);

/** The pace by all that is known: through the lessons; between two of them, and beyond the last ones, what is told, in the
 * proportion by which the lessons are off.
 * @param[out] point  [told.points + HS__MOST_LESSONS]; borrowed by the result */
hs_speed_function hs__lessons_pace(const hs__lessons *lessons, hs_speed_point *point);

#endif
