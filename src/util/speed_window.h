/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_SPEED_WINDOW_H
#define HS_UTIL_SPEED_WINDOW_H

/* What is known of one rank's cycle time: the mean since its last change of speed, how noisy the readings are, and
 * whether the last reading was so far off that it is suspected to begin a new level. All zero is an empty window. */

#include <stdint.h>

enum { HS__WINDOW_STEPS = 5 };

typedef struct hs__speed_window {
    int64_t readings;               /* in the mean */
    double mean;                    /* seconds a unit */
    double suspect;                 /* the reading that waits to be confirmed; 0: none */
    double last;                    /* the reading before, for the noise */
    double steps[HS__WINDOW_STEPS]; /* |difference| of the last neighbouring readings: a ring buffer */
    int64_t stepped;                /* differences seen so far */
} hs__speed_window;

/** Take in a reading >= 0. @return 1 when it confirmed a change (the mean has jumped), else 0 */
int hs__speed_window_add(hs__speed_window *window, double reading);

/** A unit is so many times the work that it was: all that is known is in the new units. */
void hs__speed_window_scale(hs__speed_window *window, double factor);

/** Relative standard error of the mean; 1 (nothing is known) before the second reading. */
double hs__speed_window_error(const hs__speed_window *window);

#endif
