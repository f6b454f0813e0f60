/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of planning: CPU seconds (median and worst of the seeds; one seed above 140 hosts) and peak memory by
 * platform size, H/W = 0.1, and their growth: the exponent of the number of hosts between neighbouring sizes and, in
 * rows named "all", the best fit over all sizes (least squares of the logarithms). Platform files on the command line
 * are planned on fixed routes too. Usage: ring_speed [SEEDS] [PLATFORM ...] */
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

/* One planning; CPU seconds. */
static double plan(const hs_platform *platform, const speed_case *c, double work, double halo, hs_ring **ring)
{
    double seconds;
    hs_ring_params params = bench_params(0, c->routes, c->share, c->search);
    params.work = work;
    params.halo = halo;
    *ring = bench_plan(platform, &params, &seconds);
    return seconds;
}

static void print_row(const hs_platform *platform, const speed_case *c, const hs_ring *ring, double median,
                      double worst)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%d,%d,%s,%s,%.6f,%.6f,%lld,%.9g,%.9g,%ld", hs_platform_hosts(platform), hs_platform_links(platform),
           c->name, bench_routes_names[c->routes], median, worst, (long long)hs_ring_evaluations(ring),
           hs_ring_step_time(ring), hs_ring_lower_bound(ring), usage.ru_maxrss);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints one row, about the last seed's ring; returns the median CPU time. */
static double measure(const int *size, int seeds, const speed_case *c)
{
    double seconds[99];
    for (int seed = seeds; seed >= 1; seed--) {
        hs_ring *ring;
        hs_platform *platform = bench_platform(size[0], size[1], size[2], seed);
        seconds[seed - 1] = plan(platform, c, bench_work * size[0] / 37, bench_halo(0.1), &ring);
        if (seed == 1) {
            qsort(seconds, (size_t)seeds, sizeof *seconds, ascending);
            print_row(platform, c, ring, seconds[seeds / 2], seconds[seeds - 1]);
        }
        hs_ring_free(ring);
        hs_platform_free(platform);
    }
    return seconds[seeds / 2];
}

/* Sums for the straight line through (log hosts, log seconds). */
typedef struct growth {
    double n, x, y, xx, xy;
    double last_hosts, last_seconds;
} growth;

static void grow(growth *g, int hosts, double seconds)
{
    double x = log(hosts), y = log(seconds);
    if (g->n > 0)
        printf(",%.2f\n", log(seconds / g->last_seconds) / log(hosts / g->last_hosts));
    else
        puts(",");
    fflush(stdout);
    g->n++;
    g->x += x;
    g->y += y;
    g->xx += x * x;
    g->xy += x * y;
    g->last_hosts = hosts;
    g->last_seconds = seconds;
}

static void generated(int seeds)
{
    static const int sizes[][3] = {{18, 24, 46},    {37, 47, 91},     {70, 103, 182},    {140, 206, 364},
                                   {250, 375, 750}, {500, 750, 1500}, {1000, 1500, 3000}};
    growth growths[CASES] = {0};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int c = 0; c < CASES; c++)
            if (cases[c].share != HS_RING_SHARE_OPTIMAL || sizes[s][0] <= 140)
                grow(&growths[c], sizes[s][0], measure(sizes[s], sizes[s][0] > 140 ? 1 : seeds, &cases[c]));
    for (int c = 0; c < CASES; c++) {
        const growth *g = &growths[c];
        printf("all,,%s,%s,,,,,,,%.2f\n", cases[c].name, bench_routes_names[cases[c].routes],
               (g->n * g->xy - g->x * g->y) / (g->n * g->xx - g->x * g->x));
    }
}

static void given(const char *file)
{
    hs_platform *platform;
    hs_error error;
    if (hs_platform_read(file, &platform, &error) != HS_OK)
        bench_fail(file, error.text);
    double speed = 0;
    for (int h = 0; h < hs_platform_hosts(platform); h++)
        speed += hs_platform_host_speed(platform, h) * hs_platform_host_cores(platform, h);
    for (int c = 0; c < CASES; c++)
        if (cases[c].routes == HS_RING_ROUTES_FIXED) {
            hs_ring *ring;
            double seconds = plan(platform, &cases[c], speed, 1e6, &ring);
            print_row(platform, &cases[c], ring, seconds, seconds);
            puts(",");
            hs_ring_free(ring);
        }
    hs_platform_free(platform);
}

int main(int argc, char **argv)
{
    int seeds = bench_argument(argc, argv, 1, 5);
    puts("hosts,links,search,routes,seconds,worst,evaluations,step_time,lower_bound,peak_kib,exponent");
    generated(seeds < 1 ? 1 : seeds > 99 ? 99 : seeds);
    for (int i = 2; i < argc; i++)
        given(argv[i]);
    return 0;
}
