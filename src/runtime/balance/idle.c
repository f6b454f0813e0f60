/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/balance/idle.h"
#include "util/assert.h"
#include "util/clock.h"
#include <math.h>
#include <stddef.h>

/* How long a rank measures its own speed: a share of the phase, within limits. */
#define SHARE 0.05
#define SHORTEST_S 5e-3
#define LONGEST_S 50e-3

void hs__idle_measure(hs__idle *idle, double phase_seconds)
{
    if (!idle->kernel)
        idle->kernel = hs__kernel_create(HS_PROBE_STENCIL);
    if (!idle->kernel)
        return;
    double seconds = fmin(fmax(SHARE * phase_seconds, SHORTEST_S), LONGEST_S);
    double flop = 0, elapsed;
    int64_t begun = hs__clock_ns();
    do {
        flop += hs__kernel_run(idle->kernel);
        elapsed = (double)(hs__clock_ns() - begun) * 1e-9;
    } while (elapsed < seconds);
    double speed = flop / elapsed;
    if (idle->speed <= 0)
        idle->speed = speed;
    idle->ratio = speed > 0 ? idle->speed / speed : 0;
    HS_ASSERT(idle->ratio >= 0);
}

void hs__idle_forget(hs__idle *idle)
{
    idle->speed = idle->ratio = 0;
}

void hs__idle_end(hs__idle *idle)
{
    hs__kernel_free(idle->kernel);
    idle->kernel = NULL;
}
