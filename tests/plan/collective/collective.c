/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of collective operations: hand-computed times, every tree over small platforms, invariants of all plans, several
 * ranks per host, windows, bad input. */
#include "tests/short_of_memory.h"
#include "util/random.h"
#include <heteroslice/hs_collective.h>

enum { MOST = 64 };

static int each[MOST]; /* one rank a host */

/* A switch and hosts; link h has rate[h] bytes/s and latency[h] s, NULL: 1 ms each. */
static hs_platform *star_with(int hosts, const double *rate, const double *latency, hs_sharing sharing)
{
    hs_platform *p = NULL;
    hs_error error;
    int host[MOST], router;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    for (int h = 0; h < hosts; h++) {
        char name[16];
        snprintf(name, sizeof name, "h%d", h);
        assert_int_equal(hs_platform_add_host(p, name, 1e9, 1, &host[h], &error), HS_OK);
        each[h] = h;
    }
    assert_int_equal(hs_platform_add_router(p, "s", &router, &error), HS_OK);
    for (int h = 0; h < hosts; h++) {
        char name[16];
        int link;
        snprintf(name, sizeof name, "l%d", h);
        assert_int_equal(hs_platform_add_link(p, name, rate[h], latency ? latency[h] : 1e-3, sharing, &link, &error),
                         HS_OK);
        assert_int_equal(hs_platform_add_edge(p, host[h], router, link, &error), HS_OK);
    }
    return p;
}

static hs_platform *star(int hosts, const double *rate, hs_sharing sharing)
{
    return star_with(hosts, rate, NULL, sharing);
}

static hs_collective_params params_of(hs_collective_kind kind, double bytes, int ranks, const int *host, int root)
{
    hs_collective_params params;
    hs_collective_params_init(&params);
    params.kind = kind;
    params.bytes = bytes;
    params.ranks = ranks;
    params.host = host;
    params.root = root;
    return params;
}

static hs_collective *plan_of(const hs_platform *platform, const hs_collective_params *params)
{
    hs_collective *plan = NULL;
    hs_error error;
    if (hs_collective_create(platform, params, &plan, &error) != HS_OK)
        fail_msg("%s", error.text);
    if (hs_collective_check(params, plan, &error) != HS_OK)
        fail_msg("%s", error.text);
    assert_true(hs_collective_piece(plan) <= params->bytes);
    return plan;
}

static double time_of(const hs_platform *platform, const hs_collective_params *params)
{
    hs_collective *plan = plan_of(platform, params);
    double time = hs_collective_time(plan);
    hs_collective_free(plan);
    return time;
}

/* ---- By hand: 1000 bytes at 1e6 bytes/s take 1 ms, a route has 2 ms of latency ---- */

static void test_by_hand(void **state)
{
    const double equal[] = {1e6, 1e6, 1e6, 1e6};
    hs_platform *platform = star(4, equal, HS_SHARED);
    (void)state;
    hs_collective_params p = params_of(HS_COLLECTIVE_BROADCAST, 1000, 1, each, 0);
    CHECK_CLOSE(time_of(platform, &p), 0, 1e-12);
    p.ranks = 2;
    CHECK_CLOSE(time_of(platform, &p), 5e-6 + 3e-3, 1e-12);
    p.kind = HS_COLLECTIVE_REDUCE;
    CHECK_CLOSE(time_of(platform, &p), 5e-6 + 3e-3 + 1000 * 0.2e-9, 1e-12);
    p.kind = HS_COLLECTIVE_ALLREDUCE;
    CHECK_CLOSE(time_of(platform, &p), 2 * (5e-6 + 3e-3) + 1000 * 0.2e-9, 1e-12);
    /* The root sends its second message 1 ms after its first: nobody else could sooner. */
    p = params_of(HS_COLLECTIVE_BROADCAST, 1000, 3, each, 0);
    CHECK_CLOSE(time_of(platform, &p), 5e-6 + 4e-3, 1e-12);
    p = params_of(HS_COLLECTIVE_BARRIER, 1e9, 2, each, 0);
    CHECK_CLOSE(time_of(platform, &p), 2 * (5e-6 + 2e-3), 1e-12); /* bytes count for nothing */
    hs_platform_free(platform);
}

/* Hosts joined in pairs by a link each way, which all flows share: host h sends at out[h] and receives at in[h] bytes/s. */
static hs_platform *one_way_links(int hosts, const double *out, const double *in)
{
    hs_platform *p = NULL;
    hs_error error;
    int link[2][MOST], route[2];
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    for (int h = 0, host; h < hosts; h++)
        for (int way = 0; way < 2; way++) {
            char name[16];
            snprintf(name, sizeof name, "%s%d", way ? "in" : "out", h);
            if (way == 0)
                assert_int_equal(hs_platform_add_host(p, name, 1e9, 1, &host, &error), HS_OK);
            assert_int_equal(hs_platform_add_link(p, name, way ? in[h] : out[h], 0, HS_SHARED, &link[way][h], &error),
                             HS_OK);
            each[h] = h;
        }
    for (int a = 0; a < hosts; a++)
        for (int b = 0; b < hosts; b++)
            if (a != b) {
                route[0] = link[0][a];
                route[1] = link[1][b];
                assert_int_equal(hs_platform_add_route(p, a, b, route, 2, 0, &error), HS_OK);
            }
    return p;
}

/* Host 2 sends a hundred times as slowly as all else goes: what it sends takes 100 ms, all else 1 ms. */
static void test_bounds_by_hand(void **state)
{
    static const double out[] = {1e6, 1e6, 1e4}, in[] = {1e6, 1e6, 1e6};
    static const struct {
        hs_collective_kind kind;
        int root;
        double bound;
    } rows[] = {
        {HS_COLLECTIVE_REDUCE, 0, 0.1},     {HS_COLLECTIVE_REDUCE, 2, 1e-3},   {HS_COLLECTIVE_REDUCE, -1, 1e-3},
        {HS_COLLECTIVE_BROADCAST, 0, 1e-3}, {HS_COLLECTIVE_BROADCAST, 2, 0.1}, {HS_COLLECTIVE_BROADCAST, -1, 1e-3},
        {HS_COLLECTIVE_ALLREDUCE, -1, 0.1}, {HS_COLLECTIVE_ALLREDUCE, 2, 0.1},
    };
    hs_platform *platform = one_way_links(3, out, in);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs_collective_params p = params_of(rows[i].kind, 1000, 3, each, rows[i].root);
        p.overhead = p.combine = 0;
        hs_collective *plan = plan_of(platform, &p);
        CHECK_CLOSE(hs_collective_lower_bound(plan), rows[i].bound, 1e-9);
        hs_collective_free(plan);
    }
    hs_platform_free(platform);
}

/* Long vectors come close to the slowest link's time, fast links between them. */
static void test_long_vectors(void **state)
{
    (void)state;
    double rate[16];
    for (int h = 0; h < 16; h++)
        rate[h] = h % 2 ? 12.5e6 : 125e6;
    hs_platform *platform = star(16, rate, HS_SHARED);
    for (int k = 0; k < 4; k++) {
        int root = k % 2;
        hs_collective_params p =
            params_of(k < 2 ? HS_COLLECTIVE_REDUCE : HS_COLLECTIVE_BROADCAST, 64e6, 16, each, root);
        hs_collective *plan = plan_of(platform, &p);
        assert_true(hs_collective_time(plan) <= 1.1 * hs_collective_lower_bound(plan));
        assert_true(hs_collective_piece(plan) < 64e6);
        const int *parent = hs_collective_parent(plan), *window = hs_collective_window(plan);
        for (int r = 0; r < 16; r++)
            if (parent[r] >= 0) /* two pieces where an end is slow */
                assert_int_equal(window[r], r % 2 || parent[r] % 2 ? 2 : 1);
        hs_collective_free(plan);
    }
    hs_platform_free(platform);
}

/* The first pieces end when they have come to the far host, which says nothing of those that the slow one waits for later. */
static void test_far_and_slow(void **state)
{
    (void)state;
    for (int root = 0; root < 3; root++) {
        double rate[] = {1e9, 1e9, 1e9}, latency[3] = {0};
        rate[(root + 1) % 3] = 1e6;
        latency[(root + 2) % 3] = 1;
        hs_platform *platform = star_with(3, rate, latency, HS_FATPIPE);
        for (int k = 0; k < 2; k++) {
            hs_collective_params p = params_of(k ? HS_COLLECTIVE_REDUCE : HS_COLLECTIVE_BROADCAST, 4e6, 3, each, root);
            p.least_piece = 1000;
            assert_true(time_of(platform, &p) >= 4);
        }
        hs_platform_free(platform);
    }
}

/* ---- Every tree over small platforms ---- */

/* The time of a broadcast of one piece: each host passes it on to its children in the order of their numbers by rank[].
 */
static double broadcast_time(int hosts, const double *rate, const int *parent, const int *order, double bytes)
{
    double ready[MOST], busy[MOST] = {0}, overhead = 5e-6, latency = 2e-3, end = 0;
    ready[order[0]] = 0;
    for (int k = 1; k < hosts; k++) {
        int to = order[k], from = parent[to];
        double start = fmax(ready[from], fmax(busy[from], busy[to]));
        busy[from] = start + bytes / rate[from];
        busy[to] = start + bytes / rate[to];
        ready[to] = start + overhead + latency + bytes / fmin(rate[from], rate[to]);
        end = fmax(end, ready[to]);
    }
    return end;
}

/* Continue an order of joining in every way. */
static void try_all(int hosts, const double *rate, int *parent, int *order, int count, double bytes, double *best)
{
    if (count == hosts) {
        *best = fmin(*best, broadcast_time(hosts, rate, parent, order, bytes));
        return;
    }
    for (int j = 0; j < hosts; j++) {
        int joined = 0;
        for (int k = 0; k < count; k++)
            joined |= order[k] == j;
        for (int k = 0; k < count && !joined; k++) {
            order[count] = j;
            parent[j] = order[k];
            try_all(hosts, rate, parent, order, count + 1, bytes, best);
        }
    }
}

static void test_every_tree(void **state)
{
    (void)state;
    hs__random random = {7};
    int optimal = 0, cases = 0;
    for (int hosts = 2; hosts <= 5; hosts++)
        for (int k = 0; k < 12; k++, cases++) {
            double rate[5], bytes = 4000, best = INFINITY;
            int parent[5] = {-1}, order[5] = {0};
            for (int h = 0; h < hosts; h++)
                rate[h] = 1e5 * (double)(1 + hs__random_below(&random, 30));
            hs_platform *platform = star(hosts, rate, HS_SHARED);
            hs_collective_params p = params_of(HS_COLLECTIVE_BROADCAST, bytes, hosts, each, 0);
            double time = time_of(platform, &p);
            try_all(hosts, rate, parent, order, 1, bytes, &best);
            assert_true(time >= best * (1 - 1e-9));
            assert_true(time <= 1.5 * best);
            optimal += time <= best * (1 + 1e-9);
            hs_platform_free(platform);
        }
    assert_true(2 * optimal >= cases);
}

/* ---- What must hold for any plan ---- */

static void test_any_platform(void **state)
{
    (void)state;
    static const hs_collective_kind kinds[] = {HS_COLLECTIVE_REDUCE, HS_COLLECTIVE_BROADCAST, HS_COLLECTIVE_ALLREDUCE,
                                               HS_COLLECTIVE_BARRIER};
    static const double sizes[] = {0, 8, 8192, 1 << 20, 1e8};
    hs__random random = {3};
    for (int seed = 1; seed <= 12; seed++) {
        hs_platform *platform = NULL;
        hs_error error;
        int hosts = 1 + seed, host[MOST], ranks = 1 + (int)hs__random_below(&random, 20);
        if (hs_platform_generate(hosts, hosts + 2, 2 * hosts + 2, (uint64_t)seed, &platform, &error) != HS_OK)
            fail_msg("%s", error.text);
        for (int r = 0; r < ranks; r++)
            host[r] = (int)hs__random_below(&random, hosts);
        for (int k = 0; k < 4; k++)
            for (int s = 0; s < 5; s++) {
                int root = (int)hs__random_below(&random, ranks + 1) - 1;
                hs_collective_params p = params_of(kinds[k], sizes[s], ranks, host, root);
                hs_collective *plan = plan_of(platform, &p), *again = plan_of(platform, &p);
                size_t row = (size_t)ranks * sizeof(int);
                assert_memory_equal(hs_collective_parent(plan), hs_collective_parent(again), row);
                assert_memory_equal(hs_collective_place(plan), hs_collective_place(again), row);
                assert_memory_equal(hs_collective_window(plan), hs_collective_window(again), row);
                assert_true(hs_collective_time(plan) == hs_collective_time(again));
                hs_collective_free(again);
                hs_collective_free(plan);
            }
        hs_platform_free(platform);
    }
}

/* Ranks of a host combine among themselves: one of each host sends elsewhere, once. */
static void test_ranks_of_a_host(void **state)
{
    (void)state;
    const double rate[] = {1e8, 1e7, 1e8, 1e7};
    int host[13], leaves = 0;
    hs_platform *platform = star(4, rate, HS_SHARED);
    for (int r = 0; r < 13; r++)
        host[r] = r % 4;
    hs_collective_params p = params_of(HS_COLLECTIVE_REDUCE, 1e6, 13, host, 5);
    hs_collective *plan = plan_of(platform, &p);
    const int *parent = hs_collective_parent(plan);
    for (int r = 0; r < 13; r++)
        leaves += parent[r] >= 0 && host[parent[r]] != host[r];
    assert_int_equal(leaves, 3);
    hs_collective_free(plan);
    hs_platform_free(platform);
}

/* Many equal hosts, a long vector, both directions at once: the parts go around. */
static void test_ring(void **state)
{
    (void)state;
    double rate[12];
    for (int h = 0; h < 12; h++)
        rate[h] = 1e8;
    hs_platform *platform = star(12, rate, HS_SHARED);
    hs_collective_params p = params_of(HS_COLLECTIVE_ALLREDUCE, 64e6, 12, each, -1);
    hs_collective *plan = plan_of(platform, &p);
    assert_int_equal(hs_collective_shape_of(plan), HS_COLLECTIVE_RING);
    /* 11 steps combine parts, 11 pass on the results; a host's link has what it sends and what it gets. */
    double part = 64e6 / 12;
    CHECK_CLOSE(hs_collective_time(plan), 11 * (2 * (5e-6 + 2e-3 + part / 0.5e8) + part * 0.2e-9), 1e-12);
    CHECK_CLOSE(hs_collective_piece(plan), part, 1e-12);
    hs_collective_free(plan);
    p.bytes = 8;
    plan = plan_of(platform, &p);
    assert_int_equal(hs_collective_shape_of(plan), HS_COLLECTIVE_TREE);
    hs_collective_free(plan);
    hs_platform_free(platform);
}

/* Two switches, joined by a link; host h is at switch h % 2, by a link of 1e8 bytes/s. */
static hs_platform *two_switches(int hosts, double bandwidth, double latency)
{
    hs_platform *p = NULL;
    hs_error error;
    int node, link;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    for (int v = 0; v < hosts + 2; v++) {
        char name[16];
        snprintf(name, sizeof name, "v%d", v);
        if (v < hosts)
            assert_int_equal(hs_platform_add_host(p, name, 1e9, 1, &each[v], &error), HS_OK);
        else
            assert_int_equal(hs_platform_add_router(p, name, &node, &error), HS_OK);
    }
    for (int v = 0; v <= hosts; v++) {
        char name[16];
        int to = v < hosts ? hosts + v % 2 : hosts + 1;
        snprintf(name, sizeof name, "l%d", v);
        assert_int_equal(hs_platform_add_link(p, name, v < hosts ? 1e8 : bandwidth, v < hosts ? 1e-3 : latency,
                                              HS_SHARED, &link, &error),
                         HS_OK);
        assert_int_equal(hs_platform_add_edge(p, v, to, link, &error), HS_OK);
    }
    return p;
}

/* Hosts of one switch follow each other around the ring, be the other switch's behind a narrow link or a long one. */
static void test_ring_of_two_switches(void **state)
{
    enum { HOSTS = 12 };
    static const struct {
        double bandwidth, latency;
    } links[] = {{0.99e8, 0}, {1e9, 1e-2}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        int crossings = 0;
        hs_platform *platform = two_switches(HOSTS, links[k].bandwidth, links[k].latency);
        hs_collective_params p = params_of(HS_COLLECTIVE_ALLREDUCE, 64e6, HOSTS, each, -1);
        hs_collective *plan = plan_of(platform, &p);
        assert_int_equal(hs_collective_shape_of(plan), HS_COLLECTIVE_RING);
        for (int r = 0; r < HOSTS; r++)
            crossings += r % 2 != hs_collective_parent(plan)[r] % 2;
        assert_int_equal(crossings, 2);
        hs_collective_free(plan);
        hs_platform_free(platform);
    }
}

/* ---- Bad input ---- */

static void refused(const hs_platform *platform, const hs_collective_params *params, hs_status expected)
{
    hs_collective *plan = (hs_collective *)&plan;
    hs_error error = {0};
    assert_int_equal(hs_collective_create(platform, params, &plan, &error), expected);
    assert_ptr_equal(plan, &plan);
    assert_true(error.text[0] != '\0');
    assert_int_equal(hs_collective_create(platform, params, &plan, NULL), expected);
}

static void test_bad_input(void **state)
{
    (void)state;
    const double rate[] = {1e6, 1e6, 1e6};
    hs_platform *platform = star(3, rate, HS_SHARED), *apart = NULL;
    const hs_collective_params good = params_of(HS_COLLECTIVE_REDUCE, 8, 3, each, 0);
    hs_collective_params bad;
    hs_error error;
    refused(NULL, &good, HS_ERR_ARG);
    refused(platform, NULL, HS_ERR_ARG);
    assert_int_equal(hs_collective_create(platform, &good, NULL, &error), HS_ERR_ARG);
#define REFUSED(field, value)                \
    do {                                     \
        bad = good;                          \
        bad.field = value;                   \
        refused(platform, &bad, HS_ERR_ARG); \
    } while (0)
    REFUSED(ranks, 0);
    bad = params_of(HS_COLLECTIVE_ALLREDUCE, 8, 0, each, -1);
    refused(platform, &bad, HS_ERR_ARG);
    REFUSED(host, NULL);
    REFUSED(kind, (hs_collective_kind)17);
    REFUSED(root, 3);
    REFUSED(root, -2);
    REFUSED(bytes, -1);
    REFUSED(bytes, NAN);
    REFUSED(bytes, INFINITY);
    REFUSED(combine, -1);
    REFUSED(overhead, NAN);
    REFUSED(least_piece, 0);
    REFUSED(least_piece, NAN);
    REFUSED(local_rate, 0);
    int outside[] = {0, 1, 3}, negative[] = {0, -1, 2};
    REFUSED(host, outside);
    REFUSED(host, negative);
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &apart), HS_OK);
    for (int h = 0, at; h < 3; h++)
        assert_int_equal(hs_platform_add_host(apart, h == 0 ? "a" : h == 1 ? "b" : "c", 1e9, 1, &at, &error), HS_OK);
    refused(apart, &good, HS_ERR_UNREACHABLE);
    hs_platform_free(apart);
    hs_platform_free(platform);
    hs_collective_free(NULL);
}

/* Whichever allocation fails, the plan does: ranks that chose another tree would wait for each other. */
static void test_memory_out(void **state)
{
    const double rate[] = {1e8, 2e8, 1e8, 5e7};
    hs_platform *platform = star(4, rate, HS_SHARED);
    hs_collective_params params = params_of(HS_COLLECTIVE_ALLREDUCE, 1e6, 4, each, -1);
    hs_status status = HS_ERR_NOMEM;
    (void)state;
    for (int k = 0; status != HS_OK; k++) {
        hs_collective *plan = NULL;
        hs_error error;
        memory_lasts(k);
        status = hs_collective_create(platform, &params, &plan, &error);
        if (memory_is_back() == (status == HS_OK))
            fail_msg("allocation %d failed, and the plan did not", k);
        hs_collective_free(plan);
    }
    hs_platform_free(platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_by_hand),       cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_long_vectors),         cmocka_unit_test(test_far_and_slow),
        cmocka_unit_test(test_every_tree),           cmocka_unit_test(test_any_platform),
        cmocka_unit_test(test_ranks_of_a_host),      cmocka_unit_test(test_ring),
        cmocka_unit_test(test_ring_of_two_switches), cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_memory_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
