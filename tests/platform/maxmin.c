/* SPDX-License-Identifier: BSD-3-Clause */
/* Max-min sharing by hand, against slow filling, and against its definition. */
#include "platform/maxmin.h"
#include "tests/unit.h"
#include "util/random.h"
#include <heteroslice/hs_platform.h>

enum { MOST_LINKS = 8, MOST_FLOWS = 12, MOST_CROSSED = 6, ROUNDS = 2000 };

typedef struct problem {
    hs_platform *platform;
    int links;
    size_t flows, counts[MOST_FLOWS];
    int crossed[MOST_FLOWS][MOST_CROSSED];
    const int *lists[MOST_FLOWS];
} problem;

static void make(problem *p, hs__random *random)
{
    char id[16];
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p->platform), HS_OK);
    p->links = 1 + (int)hs__random_below(random, MOST_LINKS);
    for (int l = 0; l < p->links; l++) {
        snprintf(id, sizeof id, "l%d", l);
        double bandwidth =
            hs__random_below(random, 2) ? (double)(1 + hs__random_below(random, 5)) : 1 + 9 * hs__random_unit(random);
        hs_sharing sharing = hs__random_below(random, 4) ? HS_SHARED : HS_FATPIPE;
        assert_int_equal(hs_platform_add_link(p->platform, id, bandwidth, 0, sharing, NULL, NULL), HS_OK);
    }
    p->flows = (size_t)hs__random_below(random, MOST_FLOWS + 1);
    for (size_t f = 0; f < p->flows; f++) {
        p->counts[f] = (size_t)hs__random_below(random, MOST_CROSSED + 1);
        p->lists[f] = p->crossed[f];
        for (size_t i = 0; i < p->counts[f]; i++)
            p->crossed[f][i] = (int)hs__random_below(random, p->links); /* also one link twice */
    }
}

static int crossings(const problem *p, size_t flow, int link)
{
    int times = 0;
    for (size_t i = 0; i < p->counts[flow]; i++)
        times += p->crossed[flow][i] == link;
    return times;
}

/* What a link still lets each rising flow gain; INFINITY when none of them crosses it. */
static double slack(const problem *p, int link, const double *rate, const int *rising)
{
    double bandwidth = hs_platform_link_bandwidth(p->platform, link), used = 0, gain = INFINITY;
    int weight = 0;
    for (size_t f = 0; f < p->flows; f++) {
        int times = crossings(p, f, link);
        used += times ? times * rate[f] : 0; /* a flow without links has an infinite rate */
        weight += rising[f] ? times : 0;
        if (hs_platform_link_sharing(p->platform, link) == HS_FATPIPE && times && rising[f])
            gain = fmin(gain, bandwidth - rate[f]);
    }
    if (hs_platform_link_sharing(p->platform, link) == HS_FATPIPE)
        return gain;
    return weight ? (bandwidth - used) / weight : INFINITY;
}

/* Raises all rates by the smallest slack, again and again, and stops the flows of the links that are full. */
static void fill_slowly(const problem *p, double *rate)
{
    int rising[MOST_FLOWS], left = 0;
    for (size_t f = 0; f < p->flows; f++) {
        rate[f] = p->counts[f] ? 0 : INFINITY;
        rising[f] = p->counts[f] > 0;
        left += rising[f];
    }
    while (left > 0) {
        double step = INFINITY;
        int full[MOST_LINKS];
        for (int l = 0; l < p->links; l++)
            step = fmin(step, slack(p, l, rate, rising));
        for (size_t f = 0; f < p->flows; f++)
            rate[f] += rising[f] ? step : 0;
        for (int l = 0; l < p->links; l++)
            full[l] = slack(p, l, rate, rising) <= 1e-12;
        for (int l = 0; l < p->links; l++)
            for (size_t f = 0; f < p->flows; f++)
                if (full[l] && rising[f] && crossings(p, f, l) &&
                    (hs_platform_link_sharing(p->platform, l) == HS_SHARED ||
                     rate[f] >= hs_platform_link_bandwidth(p->platform, l) - 1e-12)) {
                    rising[f] = 0;
                    left--;
                }
    }
}

/* Every flow has a bottleneck: a full link on which no flow is faster. No link carries more than it can. */
static void check_definition(const problem *p, const double *rate)
{
    for (size_t f = 0; f < p->flows; f++) {
        int has_bottleneck = p->counts[f] == 0;
        for (size_t i = 0; i < p->counts[f]; i++) {
            int l = p->crossed[f][i], fat = hs_platform_link_sharing(p->platform, l) == HS_FATPIPE;
            double used = 0, fastest = 0, bandwidth = hs_platform_link_bandwidth(p->platform, l);
            for (size_t g = 0; g < p->flows; g++) {
                used += crossings(p, g, l) ? crossings(p, g, l) * rate[g] : 0;
                fastest = crossings(p, g, l) ? fmax(fastest, rate[g]) : fastest;
            }
            assert_true((fat ? fastest : used) <= bandwidth * (1 + 1e-9));
            has_bottleneck |= fat ? rate[f] >= bandwidth * (1 - 1e-9)
                                  : used >= bandwidth * (1 - 1e-9) && rate[f] >= fastest * (1 - 1e-9);
        }
        assert_true(has_bottleneck);
    }
}

static void random_problems(void **state)
{
    hs__random random = {7};
    for (int round = 0; round < ROUNDS; round++) {
        problem p;
        double rate[MOST_FLOWS], expected[MOST_FLOWS];
        make(&p, &random);
        assert_int_equal(hs_platform_maxmin(p.platform, p.lists, p.counts, p.flows, rate), HS_OK);
        fill_slowly(&p, expected);
        for (size_t f = 0; f < p.flows; f++)
            CHECK_CLOSE(rate[f], expected[f], 1e-9);
        check_definition(&p, rate);
        hs_platform_free(p.platform);
    }
}

/* Links 10, 4 and a FATPIPE of 3: flow 0 shares the 10 with two others, of which one meets the 4 twice. */
static void by_hand(void **state)
{
    hs_platform *p;
    double rate[5];
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "ten", 10, 0, HS_SHARED, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "four", 4, 0, HS_SHARED, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "fat", 3, 0, HS_FATPIPE, NULL, NULL), HS_OK);
    const int a[] = {0}, b[] = {0, 1, 1}, c[] = {0, 2}, d[] = {2};
    const int *const lists[] = {a, b, c, d, NULL};
    const size_t counts[] = {1, 3, 2, 1, 0};
    assert_int_equal(hs_platform_maxmin(p, lists, counts, 5, rate), HS_OK);
    CHECK_CLOSE(rate[1], 2, 1e-12);
    CHECK_CLOSE(rate[2], 3, 1e-12);
    CHECK_CLOSE(rate[0], 5, 1e-12);
    CHECK_CLOSE(rate[3], 3, 1e-12);
    assert_true(isinf(rate[4]));
    assert_int_equal(hs_platform_maxmin(p, NULL, NULL, 0, NULL), HS_OK);
    const int beyond[] = {3};
    rate[0] = 42;
    assert_int_equal(hs_platform_maxmin(p, (const int *const[]){beyond}, (size_t[]){1}, 1, rate), HS_ERR_ARG);
    CHECK_CLOSE(rate[0], 42, 0);
    hs_platform_free(p);
}

/* Flows 0 and 1 cross a link of 10, flows 1 and 2 one of 4. */
static void rates_that_fit(void **state)
{
    static const double capacity[] = {10, 4};
    static const int first_of[] = {0, 1, 3, 4}, of_flow[] = {0, 0, 1, 1};
    static const struct {
        double rate[3];
        int fits;
    } rows[] = {{{8, 2, 2}, 1},
                {{0, 0, 0}, 1},
                {{8.1, 2, 2}, 0},
                {{7, 3.1, 0}, 0},
                {{1, 2, 2.1}, 0},
                {{5, 4.1, 0}, 0},
                {{10 * (1 + 1e-12), 0, 4}, 1}};
    int first_on[4], on_link[4];
    hs__list_by_link(2, 3, first_of, of_flow, first_on, on_link);
    const hs__sharing_graph graph = {2, 3, capacity, first_of, of_flow, first_on, on_link};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_int_equal(hs__rates_fit(&graph, rows[k].rate), rows[k].fits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(random_problems),
                                       cmocka_unit_test(rates_that_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
