/* SPDX-License-Identifier: BSD-3-Clause */
/* shared-ring-2003, figures 5 and 6: the number of hosts of the best ring, by H/W. Usage: ring_size [SEEDS] */
#include "bench/ring/ring_bench.h"

int main(int argc, char **argv)
{
    static const double ratios[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10};
    int seeds = bench_argument(argc, argv, 1, 20);
    puts("platform,seed,ratio,search,hosts,step_time,lower_bound");
    for (int size = 0; size < 2; size++)
        for (int seed = 1; seed <= seeds; seed++) {
            const bench_size *b = &bench_sizes[size];
            hs_platform *platform = bench_platform(b->hosts, b->routers, b->links, seed);
            for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++)
                for (int search = 0; search < 2; search++) {
                    hs_ring_params params =
                        bench_params(ratios[r], HS_RING_ROUTES_FREE,
                                     search ? HS_RING_SHARE_MAXMIN : HS_RING_SHARE_GREEDY, (hs_ring_search)search);
                    hs_ring *ring = bench_plan(platform, &params, NULL);
                    printf("%s,%d,%g,%s,%d,%.9g,%.9g\n", b->name, seed, ratios[r], bench_search_names[search],
                           hs_ring_size(ring), hs_ring_step_time(ring), hs_ring_lower_bound(ring));
                    hs_ring_free(ring);
                }
            hs_platform_free(platform);
            fflush(stdout);
        }
    return 0;
}
