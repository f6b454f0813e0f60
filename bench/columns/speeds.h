/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_BENCH_SPEEDS_H
#define HS_BENCH_SPEEDS_H

#include "util/random.h"
#include <math.h>
#include <time.h>

/* Random speeds: uniform in [0.1, 1.1); Pareto with exponent 1.2 (heavy-tailed); spread evenly over five decades. */
enum { UNIFORM, PARETO, DECADES, KINDS };
static const char *const kind_name[KINDS] = {"uniform", "pareto", "decades"};

static inline void draw_speeds(hs__random *random, int kind, double *speed, int hosts)
{
    for (int i = 0; i < hosts; i++) {
        double u = hs__random_unit(random);
        speed[i] = kind == UNIFORM ? 0.1 + u : kind == PARETO ? pow(1 - u, -1 / 1.2) : pow(10, 5 * u);
    }
}

static inline double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
