/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/window.h"
#include "util/assert.h"
#include <math.h>

enum { FIRST_CHUNK = 1024 };

static const double most_change = 4; /* of the chunks' size at once, a factor */

static int size_within(double bytes)
{
    return (int)fmin(fmax(bytes, FIRST_CHUNK), HS__CHUNK_MAX);
}

/* With half of what is expected: too little grows within two trips, too much would wait for long. */
void hs__window_begin(hs__window *w, double expected)
{
    *w = (hs__window){.size = size_within(expected * hs__window_queue / 2 / HS__WINDOW),
                      .judged = HS__WINDOW - 1,
                      .least_way = INFINITY};
}

int hs__window_send(hs__window *w, double now)
{
    HS_ASSERT(w->under_way < HS__WINDOW);
    w->chunk[w->sent % HS__WINDOW] = (hs__window_chunk){w->size, now, w->credited};
    w->sent++;
    w->under_way++;
    return w->size;
}

int hs__window_oldest(const hs__window *w)
{
    HS_ASSERT(w->under_way > 0);
    return w->sent - w->under_way;
}

/* The size follows the rate at which chunks arrive and how long they wait, each time when a whole window of one size has
 * arrived: the first of them tell of what was sent before. */
void hs__window_answered(hs__window *w, double arrived, double now)
{
    int number = hs__window_oldest(w);
    const hs__window_chunk *oldest = &w->chunk[number % HS__WINDOW];
    double way = arrived - oldest->sent, trip = now - oldest->sent;
    w->under_way--;
    w->credited += oldest->bytes;
    w->least_way = fmin(w->least_way, way);
    if (number < w->judged)
        return;
    double rate = (w->credited - oldest->credited) / trip, waited = way - w->least_way;
    double wanted = rate * (hs__window_queue + trip - waited) / HS__WINDOW;
    w->size = size_within(fmin(fmax(wanted, w->size / most_change), w->size * most_change));
    w->judged = w->sent + HS__WINDOW - 1;
}
