/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/slices/sampling.h"
#include <math.h>

/* What one span more leaves of what former ones have shown. */
#define FADING 0.875

/* What a clock tells of less than this part of a reading is nothing. */
#define PRECISION 0.02

/* Brackets that what a span costs has to be spread over. */
static double wanted(const hs__sampling *s)
{
    if (s->counted == 0 || s->reading == 0)
        return 1;
    double needed = (2 * s->reading + s->counting) / HS__SAMPLING_SHARE;
    return fmax(1, ceil(needed * s->counted / fmax(s->seconds, PRECISION * s->reading)));
}

/* Lets about so many brackets pass. Always as many would meet the same units in each iteration. */
static void pause_for(hs__sampling *s, double brackets)
{
    s->skip = (int64_t)(brackets * (0.5 + hs__random_unit(&s->random)));
}

void hs__sampling_break(hs__sampling *s)
{
    if (!s->open)
        return;
    s->open = 0;
    pause_for(s, wanted(s));
}

int hs__sampling_begin(hs__sampling *s, int64_t first)
{
    if (s->open && first == s->next)
        return 0;
    if (s->open) {
        s->scattered = 1;
        hs__sampling_break(s);
    }
    if (s->skip > 0) {
        s->skip--;
        return 0;
    }
    s->open = 1;
    s->first = s->next = first;
    s->brackets = 0;
    return 1;
}

int hs__sampling_end(hs__sampling *s, int64_t count)
{
    if (!s->open)
        return 0;
    s->next += count;
    s->brackets++;
    return s->scattered || s->next == s->end || (double)s->brackets >= wanted(s) ||
           (s->next - s->first) * HS__SAMPLING_PARTS >= s->units;
}

double hs__sampling_close(hs__sampling *s, double seconds)
{
    double net = fmax(0, seconds - s->reading);
    s->open = 0;
    s->seconds = FADING * s->seconds + net;
    s->counted = FADING * s->counted + (double)s->brackets;
    if ((double)s->brackets < wanted(s))
        pause_for(s, wanted(s) - (double)s->brackets);
    return net;
}
