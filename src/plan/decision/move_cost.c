/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/move_cost.h"
#include "util/assert.h"
#include <math.h>

void hs__move_cost_learn(hs__move_cost *cost, double units, double seconds)
{
    double of_units = cost->unit * units, foretold = cost->fixed + of_units, share = of_units / foretold;
    HS_ASSERT(cost->fixed > 0 && of_units >= 0 && seconds >= 0);
    if (seconds == 0)
        return;
    cost->fixed *= pow(seconds / foretold, 1 - share);
    cost->unit *= pow(seconds / foretold, share);
}
