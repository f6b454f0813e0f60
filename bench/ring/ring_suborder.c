/* SPDX-License-Identifier: BSD-3-Clause */
/* What keeping one order costs: the best membership for each ratio of computing to messages, in the order of the ring
 * of all hosts, against the best ring of any order. Usage: ring_suborder [SEEDS] */
#include "bench/ring/ring_bench.h"

enum { MOST_HOSTS = 16, RATIOS = 11 };

/* The ring of all hosts; its mean seconds of messages come back too. */
static hs_ring *whole_ring(const hs_platform *platform, hs_ring_params *params, double *message_s)
{
    hs_ring *ring = bench_plan(platform, params, NULL);
    *message_s = 0;
    for (int k = 0; k < hs_ring_size(ring); k++)
        *message_s += hs_ring_comm_time(ring, k) / hs_ring_size(ring);
    return ring;
}

/* The step time of some members in the order of the whole ring. */
static double step_in_order(const hs_platform *platform, const hs_ring_params *params, const hs_ring *whole,
                            const hs_ring *members)
{
    int order[MOST_HOSTS], count = 0;
    hs_ring *ring;
    for (int k = 0; k < hs_ring_size(whole); k++)
        for (int j = 0; j < hs_ring_size(members); j++)
            if (hs_ring_host(members, j) == hs_ring_host(whole, k))
                order[count++] = hs_ring_host(whole, k);
    if (hs_ring_create_given(platform, params, order, count, &ring, NULL) != HS_OK)
        bench_fail("suborder", "no ring");
    double step = hs_ring_step_time(ring);
    hs_ring_free(ring);
    return step;
}

static void one_platform(int hosts, int seed, hs_step_model model)
{
    double message_s, speed = 0;
    hs_platform *platform = bench_platform(hosts, hosts / 2, hosts + hosts / 2 + 1, seed);
    for (int h = 0; h < hosts; h++)
        speed += hs_platform_host_speed(platform, h);
    hs_ring_params params = bench_params(1, HS_RING_ROUTES_FIXED, HS_RING_SHARE_MAXMIN, HS_RING_SEARCH_BEST);
    params.work = 1e6 * speed;
    hs_ring *whole = whole_ring(platform, &params, &message_s), *best[RATIOS];
    params.model = model;
    for (int i = 0; i < RATIOS; i++) {
        params.work = speed * message_s * ldexp(1, i - 4);
        best[i] = bench_plan(platform, &params, NULL);
    }
    for (int i = 0; i < RATIOS; i++) {
        double kept = INFINITY;
        params.work = speed * message_s * ldexp(1, i - 4);
        for (int j = 0; j < RATIOS; j++)
            kept = fmin(kept, step_in_order(platform, &params, whole, best[j]));
        printf("%d,%d,%s,%g,%d,%.6f\n", hosts, seed, model == HS_STEP_SERIAL ? "serial" : "overlap", ldexp(1, i - 4),
               hs_ring_size(best[i]), kept / hs_ring_step_time(best[i]));
    }
    for (int i = 0; i < RATIOS; i++)
        hs_ring_free(best[i]);
    hs_ring_free(whole);
    hs_platform_free(platform);
}

int main(int argc, char **argv)
{
    int seeds = argc > 1 ? atoi(argv[1]) : 5;
    printf("hosts,seed,model,ratio,members,kept_order_over_best\n");
    for (int hosts = 8; hosts <= MOST_HOSTS; hosts += 4)
        for (int seed = 1; seed <= seeds; seed++)
            for (hs_step_model model = HS_STEP_SERIAL; model <= HS_STEP_OVERLAP; model++)
                one_platform(hosts, seed, model);
    return 0;
}
