/* SPDX-License-Identifier: BSD-3-Clause */
/* shared-ring-2003, figures 13 and 14: the gain of refining the bandwidths after every insertion over the literal greedy
 * construction; in true T, not Eq. 4. Usage: ring_refinements [SEEDS] */
#include "bench/ring/ring_bench.h"

int main(int argc, char **argv)
{
    static const double ratios[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10};
    int seeds = bench_argument(argc, argv, 1, 20);
    puts("platform,seed,ratio,share,step_time,gain");
    for (int size = 0; size < 2; size++)
        for (int seed = 1; seed <= seeds; seed++) {
            const bench_size *b = &bench_sizes[size];
            hs_platform *platform = bench_platform(b->hosts, b->routers, b->links, seed);
            for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
                double plain = 0;
                for (int share = HS_RING_SHARE_GREEDY; share <= HS_RING_SHARE_OPTIMAL; share++) {
                    hs_ring_params params =
                        bench_params(ratios[r], HS_RING_ROUTES_FREE, (hs_ring_share)share, HS_RING_SEARCH_PAPER);
                    hs_ring *ring = bench_plan(platform, &params, NULL);
                    double time = hs_ring_step_time(ring);
                    plain = share == HS_RING_SHARE_GREEDY ? time : plain;
                    printf("%s,%d,%g,%s,%.9g,%.6f\n", b->name, seed, ratios[r], bench_share_names[share], time,
                           1 - time / plain);
                    hs_ring_free(ring);
                }
            }
            hs_platform_free(platform);
            fflush(stdout);
        }
    return 0;
}
