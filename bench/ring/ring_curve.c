/* SPDX-License-Identifier: BSD-3-Clause */
/* shared-ring-2003, figures 7 to 12: T/W against the size of the ring at H/W = 0.1, 1, 10; true T. The literal greedy
 * construction, and the best ring of each size that the search found. Usage: ring_curve [SEEDS] */
#include "bench/ring/ring_bench.h"

int main(int argc, char **argv)
{
    static const double ratios[] = {0.1, 1, 10};
    int seeds = bench_argument(argc, argv, 1, 20);
    puts("platform,seed,ratio,search,hosts,step_time");
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
                    for (int q = 1; q <= b->hosts; q++)
                        if (isfinite(hs_ring_by_size(ring, q)))
                            printf("%s,%d,%g,%s,%d,%.9g\n", b->name, seed, ratios[r], bench_search_names[search], q,
                                   hs_ring_by_size(ring, q));
                    hs_ring_free(ring);
                }
            hs_platform_free(platform);
            fflush(stdout);
        }
    return 0;
}
