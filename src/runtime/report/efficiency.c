/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/efficiency.h"
#include "util/assert.h"
#include <math.h>

static int all_known(const double *speed, int n)
{
    for (int r = 0; speed && r < n; r++)
        if (!(speed[r] > 0))
            return 0;
    return speed != 0;
}

void hs__efficiency_compute(const double *compute, const double *run, const double *speed, int n, hs__efficiency *out)
{
    int known = all_known(speed, n);
    double sum = 0, work = 0, rate = 0;
    hs__efficiency e = {0};
    for (int r = 0; r < n; r++) {
        double s = known ? speed[r] : 1;
        sum += compute[r];
        work += compute[r] * s;
        rate += s;
        e.longest = fmax(e.longest, compute[r]);
        e.run = fmax(e.run, run[r]);
    }
    e.mean = sum / n;
    e.load_balance = e.longest > 0 ? e.mean / e.longest : 1;
    e.communication = e.run > 0 ? e.longest / e.run : 1;
    e.parallel = e.load_balance * e.communication;
    e.lost = e.run > 0 ? (e.longest - e.mean) / e.run : 0;
    e.balanced = fmax(0, e.run - e.longest) + work / rate;
    HS_ASSERT(e.mean <= e.longest * (1 + 1e-12) && e.balanced <= fmax(e.run, e.longest) * (1 + 1e-12));
    HS_ASSERT(e.run <= 0 || e.longest <= 0 || fabs(e.parallel * e.run - e.mean) <= 1e-9 * e.mean);
    *out = e;
}
