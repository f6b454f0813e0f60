/* SPDX-License-Identifier: BSD-3-Clause */
/* Quality of the search. "small": against every ring of 3-6 hosts on 200 random platforms, on fixed routes and over all
 * choices of paths ("unfinished": too many choices remain after bounding), once with the default budget (which tries
 * all rings) and once with a budget so small that only the local search works. "paper": against the literal greedy
 * construction and the certified bound on the paper's sizes at H/W = 1. Usage: ring_quality [PLATFORMS] [SEEDS] */
#include "bench/ring/ring_bench.h"
#include "tests/plan/ring/enumerate.h"

static const int small_routers = 6;
static const int64_t max_choices = 2000000; /* of paths that are tried */

/* Values of H/W for which every size of ring is the best somewhere. */
static const double small_ratios[] = {0.1, 0.3, 1, 3};

static void small_platforms(int platforms)
{
    static enumeration e;
    for (int seed = 1; seed <= platforms; seed++) {
        int hosts = 3 + seed % 4;
        hs_platform *platform = bench_platform(hosts, small_routers, hosts + small_routers - 1 + seed % 3, seed);
        for (int routes = 0; routes < 2; routes++) {
            hs_ring_params params = bench_params(small_ratios[seed / 4 % 4], (hs_ring_routes)routes,
                                                 HS_RING_SHARE_MAXMIN, HS_RING_SEARCH_BEST);
            memset(&e, 0, sizeof e);
            e.platform = platform;
            e.params = &params;
            e.hosts = hosts;
            e.most = max_choices;
            double time[2];
            for (int local = 0; local < 2; local++) {
                params.budget = local ? 150 : 0;
                hs_ring *ring = bench_plan(platform, &params, NULL);
                time[local] = hs_ring_step_time(ring);
                hs_ring_free(ring);
            }
            if (!(routes ? use_all_paths(&e) : use_routes(&e)))
                continue;
            double best = optimum_below(&e, time[0] * (1 + 1e-9));
            printf("%s,%d,%d,%s,%.9g,%.9g,%.6f,%.6f\n", is_complete(&e) ? "small" : "unfinished", hosts, seed,
                   bench_routes_names[routes], best, time[0], time[0] / best, time[1] / best);
        }
        hs_platform_free(platform);
    }
}

static void paper_platforms(int seeds)
{
    for (int size = 0; size < 2; size++)
        for (int seed = 1; seed <= seeds; seed++) {
            const bench_size *b = &bench_sizes[size];
            hs_platform *platform = bench_platform(b->hosts, b->routers, b->links, seed);
            for (int routes = 0; routes < 2; routes++) {
                double plain = 0;
                for (int share = HS_RING_SHARE_GREEDY; share <= HS_RING_SHARE_OPTIMAL; share++) {
                    hs_ring_params params =
                        bench_params(1, (hs_ring_routes)routes, (hs_ring_share)share,
                                     share == HS_RING_SHARE_GREEDY ? HS_RING_SEARCH_PAPER : HS_RING_SEARCH_BEST);
                    hs_ring *ring = bench_plan(platform, &params, NULL);
                    double time = hs_ring_step_time(ring);
                    plain = share == HS_RING_SHARE_GREEDY ? time : plain;
                    printf("%s,%d,%d,%s,%.9g,%.9g,%.6f,%.6f\n", bench_share_names[share], b->hosts, seed,
                           bench_routes_names[routes], plain, time, 1 - time / plain, time / hs_ring_lower_bound(ring));
                    hs_ring_free(ring);
                }
            }
            hs_platform_free(platform);
            fflush(stdout);
        }
}

int main(int argc, char **argv)
{
    puts("part,hosts,seed,routes,reference,step_time,ratio_or_gain,local_ratio_or_over_bound");
    small_platforms(bench_argument(argc, argv, 1, 200));
    paper_platforms(bench_argument(argc, argv, 2, 20));
    return 0;
}
