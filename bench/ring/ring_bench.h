/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_BENCH_RING_H
#define HS_BENCH_RING_H

/* Common parts of the ring benchmarks. The paper's ratio H/W has no units; W in Mflop and H in kB reproduce its regimes:
 * nearly all of 37 hosts at 0.1, some at 1, one or very few at 10. */

#include <heteroslice/hs_ring.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double bench_work = 1e9; /* flop */

static inline double bench_halo(double ratio)
{
    return ratio * bench_work / 1e6 * 1e3;
}

/** The paper's two sizes of platform. */
typedef struct bench_size {
    const char *name;
    int hosts, routers, links;
} bench_size;

static const bench_size bench_sizes[] = {{"first", 37, 47, 91}, {"second", 70, 103, 182}};

static inline void bench_fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static inline hs_platform *bench_platform(int hosts, int routers, int links, int seed)
{
    hs_platform *platform;
    hs_error error;
    if (hs_platform_generate(hosts, routers, links, (uint64_t)seed, &platform, &error) != HS_OK)
        bench_fail("generate", error.text);
    return platform;
}

static inline hs_ring_params bench_params(double ratio, hs_ring_routes routes, hs_ring_share share,
                                          hs_ring_search search)
{
    hs_ring_params params;
    hs_ring_params_init(&params);
    params.work = bench_work;
    params.halo = bench_halo(ratio);
    params.routes = routes;
    params.share = share;
    params.search = search;
    return params;
}

static inline double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** Plan; *seconds (may be NULL) gets the CPU time. */
static inline hs_ring *bench_plan(const hs_platform *platform, const hs_ring_params *params, double *seconds)
{
    hs_ring *ring;
    hs_error error;
    double start = bench_seconds();
    if (hs_ring_create(platform, params, &ring, &error) != HS_OK)
        bench_fail("plan", error.text);
    if (seconds)
        *seconds = bench_seconds() - start;
    return ring;
}

static inline int bench_argument(int argc, char **argv, int index, int otherwise)
{
    return argc > index ? atoi(argv[index]) : otherwise;
}

static const char *const bench_share_names[] = {"greedy", "maxmin", "optimal", "kinsol"};
static const char *const bench_search_names[] = {"paper", "best"};
static const char *const bench_routes_names[] = {"fixed", "free"};

#endif
