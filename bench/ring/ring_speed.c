/* SPDX-License-Identifier: BSD-3-Clause */
/* What planning costs: CPU seconds and peak memory by platform size, H/W = 0.1, and how they grow: the exponent of the
 * number of hosts between neighbouring sizes. Files given are planned on fixed routes as well.
 * Usage: ring_speed [RUNS] [PLATFORM ...] */
#include "bench/ring/ring_bench.h"
#include <sys/resource.h>

typedef struct speed_case {
    const char *name;
    hs_ring_routes routes;
    hs_ring_share share;
    hs_ring_search search;
} speed_case;

static const speed_case cases[] = {
    {"greedy", HS_RING_ROUTES_FREE, HS_RING_SHARE_GREEDY, HS_RING_SEARCH_PAPER},
    {"greedy", HS_RING_ROUTES_FIXED, HS_RING_SHARE_GREEDY, HS_RING_SEARCH_PAPER},
    {"greedy-maxmin", HS_RING_ROUTES_FREE, HS_RING_SHARE_MAXMIN, HS_RING_SEARCH_PAPER},
    {"best", HS_RING_ROUTES_FREE, HS_RING_SHARE_MAXMIN, HS_RING_SEARCH_BEST},
    {"best", HS_RING_ROUTES_FIXED, HS_RING_SHARE_MAXMIN, HS_RING_SEARCH_BEST},
    {"best-optimal", HS_RING_ROUTES_FREE, HS_RING_SHARE_OPTIMAL, HS_RING_SEARCH_BEST},
};
enum { CASES = sizeof cases / sizeof *cases };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints one row; returns the median CPU time. */
static double measure(const hs_platform *platform, const speed_case *c, double work, double halo, int runs)
{
    double seconds[99], step_time = 0, bound = 0;
    int64_t evaluations = 0;
    for (int run = 0; run < runs; run++) {
        hs_ring_params params = bench_params(0, c->routes, c->share, c->search);
        params.work = work;
        params.halo = halo;
        hs_ring *ring = bench_plan(platform, &params, &seconds[run]);
        step_time = hs_ring_step_time(ring);
        bound = hs_ring_lower_bound(ring);
        evaluations = hs_ring_evaluations(ring);
        hs_ring_free(ring);
    }
    qsort(seconds, (size_t)runs, sizeof *seconds, ascending);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%d,%d,%s,%s,%.6f,%lld,%.9g,%.9g,%ld", hs_platform_hosts(platform), hs_platform_links(platform), c->name,
           bench_routes_names[c->routes], seconds[runs / 2], (long long)evaluations, step_time, bound, usage.ru_maxrss);
    return seconds[runs / 2];
}

int main(int argc, char **argv)
{
    static const int sizes[][3] = {{18, 24, 46},    {37, 47, 91},     {70, 103, 182},    {140, 206, 364},
                                   {250, 375, 750}, {500, 750, 1500}, {1000, 1500, 3000}};
    int runs = bench_argument(argc, argv, 1, 3);
    runs = runs < 1 ? 1 : runs > 99 ? 99 : runs;
    double last[CASES] = {0};
    int last_hosts = 0;
    puts("hosts,links,search,routes,seconds,evaluations,step_time,lower_bound,peak_kib,exponent");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        hs_platform *platform = bench_platform(sizes[s][0], sizes[s][1], sizes[s][2], 1);
        for (int c = 0; c < CASES; c++) {
            if (cases[c].share == HS_RING_SHARE_OPTIMAL && sizes[s][0] > 140)
                continue;
            double work = bench_work * sizes[s][0] / 37, halo = bench_halo(0.1);
            double seconds = measure(platform, &cases[c], work, halo, sizes[s][0] > 140 ? 1 : runs);
            if (last_hosts)
                printf(",%.2f\n", log(seconds / last[c]) / log((double)sizes[s][0] / last_hosts));
            else
                puts(",");
            last[c] = seconds;
            fflush(stdout);
        }
        last_hosts = sizes[s][0];
        hs_platform_free(platform);
    }
    for (int i = 2; i < argc; i++) {
        hs_platform *platform;
        hs_error error;
        if (hs_platform_read(argv[i], &platform, &error) != HS_OK)
            bench_fail(argv[i], error.text);
        double speed = 0;
        for (int h = 0; h < hs_platform_hosts(platform); h++)
            speed += hs_platform_host_speed(platform, h) * hs_platform_host_cores(platform, h);
        for (int c = 0; c < CASES; c++)
            if (cases[c].routes == HS_RING_ROUTES_FIXED) {
                measure(platform, &cases[c], speed, 1e6, 1);
                puts(",");
            }
        hs_platform_free(platform);
    }
    return 0;
}
