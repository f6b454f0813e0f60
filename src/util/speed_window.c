/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/speed_window.h"
#include "util/median.h"
#include <math.h>
#include <string.h>

/* A reading is suspected when it is off by more than this, or by so many standard deviations. */
#define LEAST_CHANGE 0.08
#define CHANGE_DEVIATIONS 4

/* For normal noise the median of |difference| of two readings is 0.954 standard deviations. */
#define MEDIAN_STEP 0.954

/* Old readings fade beyond this many, so that a slow creep is followed. */
#define LONGEST_WINDOW 64

static double median_step(const hs__speed_window *w)
{
    double steps[HS__WINDOW_STEPS];
    memcpy(steps, w->steps, sizeof steps);
    return hs__median(steps, w->stepped < HS__WINDOW_STEPS ? (int)w->stepped : HS__WINDOW_STEPS);
}

/* Standard deviation of one reading relative to the mean, from the median of the last differences: one jump does not
 * raise it. 0 while fewer than two differences are known. */
static double noise(const hs__speed_window *w)
{
    return w->stepped < 2 || w->mean <= 0 ? 0 : median_step(w) / (MEDIAN_STEP * w->mean);
}

double hs__speed_window_error(const hs__speed_window *w)
{
    return w->readings < 2 ? 1 : noise(w) / sqrt((double)w->readings);
}

/* The change may have come in the middle of the phase of the first reading: then only the second tells the new level.
 */
static void restart(hs__speed_window *w, double first, double second, double limit)
{
    w->mean = fabs(first / second - 1) > limit ? second : (first + second) / 2;
    w->readings = 2;
    w->suspect = 0;
}

void hs__speed_window_scale(hs__speed_window *w, double factor)
{
    w->mean *= factor;
    w->suspect *= factor;
    w->last *= factor;
    for (int i = 0; i < HS__WINDOW_STEPS; i++)
        w->steps[i] *= factor;
}

int hs__speed_window_add(hs__speed_window *w, double reading)
{
    if (w->last > 0)
        w->steps[w->stepped++ % HS__WINDOW_STEPS] = fabs(reading - w->last);
    w->last = reading;
    double off = w->readings > 0 ? reading / w->mean - 1 : 0;
    double limit = fmax(LEAST_CHANGE, CHANGE_DEVIATIONS * noise(w));
    if (fabs(off) > limit) {
        if (w->suspect > 0 && (w->suspect > w->mean) == (off > 0)) {
            restart(w, w->suspect, reading, limit);
            return 1;
        }
        w->suspect = reading;
        return 0;
    }
    w->suspect = 0;
    w->readings = w->readings < LONGEST_WINDOW ? w->readings + 1 : LONGEST_WINDOW;
    w->mean += (reading - w->mean) / (double)w->readings;
    return 0;
}
