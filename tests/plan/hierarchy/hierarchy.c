/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/hierarchy/hierarchy.h"
#include "tests/short_of_memory.h"
#include "util/random.h"

enum { SITES = 2, HOSTS = 6 };
static const int all[] = {0, 1, 2, 3, 4, 5};

/* Hosts that take turns at two sites; each flow has a host's link to itself, and flows between sites share the backbone. */
static hs_platform *make_sites(int hosts, double link_Bps, double backbone_Bps)
{
    hs_platform *p;
    int link[HS__DISTANCE_HOSTS_MAX + 1], backbone;
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    for (int h = 0; h < hosts; h++) {
        char id[16];
        snprintf(id, sizeof id, "h%d", h);
        assert_int_equal(hs_platform_add_host(p, id, 1e9, 1, NULL, NULL), HS_OK);
        assert_int_equal(hs_platform_add_link(p, id, link_Bps, 0, HS_FATPIPE, &link[h], NULL), HS_OK);
    }
    assert_int_equal(hs_platform_add_link(p, "backbone", backbone_Bps, 0, HS_SHARED, &backbone, NULL), HS_OK);
    for (int a = 0; a < hosts; a++)
        for (int b = 0; b < a; b++) {
            int route[] = {link[a], link[b], backbone};
            assert_int_equal(hs_platform_add_route(p, a, b, route, a % SITES == b % SITES ? 2 : 3, 1, NULL), HS_OK);
        }
    return p;
}

static void distances_are(const hs_platform *p, int between)
{
    unsigned char distance[HOSTS * HOSTS];
    assert_int_equal(hs__distances_find(p, all, HOSTS, distance), HS_OK);
    for (int a = 0; a < HOSTS; a++)
        for (int b = 0; b < HOSTS; b++)
            assert_int_equal(distance[a * HOSTS + b], a % SITES == b % SITES ? 1 : between);
}

static void flows_share_links(void **state)
{
    (void)state;
    hs_platform *p = make_sites(HOSTS, 1e9, 18 * 1e9 / 4); /* 9 pairs, both ways; alone each would have 1e9 */
    distances_are(p, 4);
    hs_platform_free(p);
}

static void distances_are_rounded(void **state)
{
    (void)state;
    const double ratio[] = {1.5, 2.8, 2.9, 90, 1e6};
    const int expected[] = {2, 2, 4, 64, HS__DISTANCE_MAX};
    for (int k = 0; k < 5; k++) {
        hs_platform *p = make_sites(HOSTS, 1e9, 18 * 1e9 / ratio[k]);
        distances_are(p, expected[k]);
        hs_platform_free(p);
    }
}

/* Measured rates of equal links differ, too. */
static void equal_links_have_no_distances(void **state)
{
    (void)state;
    const double backbone[] = {1e12, 18 * 1e9 / 1.4};
    for (int k = 0; k < 2; k++) {
        unsigned char distance[HOSTS * HOSTS] = {77};
        hs_platform *p = make_sites(HOSTS, 1e9, backbone[k]);
        assert_int_equal(hs__distances_find(p, all, HOSTS, distance), HS_UNCHANGED);
        assert_int_equal(distance[0], 77);
        hs_platform_free(p);
    }
}

/* a and b by 8e9 forth and 2e9 back, both with c by 4e9. */
static void slower_direction_counts(void **state)
{
    (void)state;
    enum { N = 3 };
    const double Bps[N] = {8e9, 2e9, 4e9};
    static const int expected[N * N] = {1, 2, 1, 2, 1, 1, 1, 1, 1};
    const char *const id[N] = {"a", "b", "c"};
    int link[N];
    unsigned char distance[N * N];
    hs_platform *p;
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    for (int k = 0; k < N; k++)
        assert_int_equal(hs_platform_add_host(p, id[k], 1e9, 1, NULL, NULL), HS_OK);
    for (int k = 0; k < N; k++)
        assert_int_equal(hs_platform_add_link(p, id[k], Bps[k], 0, HS_FATPIPE, &link[k], NULL), HS_OK);
    hs_platform_add_route(p, 0, 1, &link[0], 1, 0, NULL);
    hs_platform_add_route(p, 1, 0, &link[1], 1, 0, NULL);
    hs_platform_add_route(p, 0, 2, &link[2], 1, 1, NULL);
    assert_int_equal(hs__distances_find(p, all, N, distance), HS_ERR_UNREACHABLE);
    hs_platform_add_route(p, 1, 2, &link[2], 1, 1, NULL);
    assert_int_equal(hs__distances_find(p, all, N, distance), HS_OK);
    for (int k = 0; k < N * N; k++)
        assert_int_equal(distance[k], expected[k]);
    hs_platform_free(p);
}

static void too_many_hosts(void **state)
{
    (void)state;
    int node[HS__DISTANCE_HOSTS_MAX + 1];
    unsigned char *distance = malloc(sizeof node * sizeof node);
    hs_platform *p = make_sites(HS__DISTANCE_HOSTS_MAX + 1, 1e9, 1e9);
    for (int h = 0; h <= HS__DISTANCE_HOSTS_MAX; h++)
        node[h] = h;
    assert_int_equal(hs__distances_find(p, node, HS__DISTANCE_HOSTS_MAX + 1, distance), HS_ERR_UNSUPPORTED);
    assert_int_equal(hs__distances_find(p, node, HS__DISTANCE_HOSTS_MAX, distance), HS_OK);
    assert_int_equal(hs__distances_find(p, node, 1, distance), HS_UNCHANGED);
    assert_int_equal(hs__distances_find(p, node, 0, distance), HS_UNCHANGED);
    free(distance);
    hs_platform_free(p);
}

/* ---- Domains ---- */

static unsigned char two_sites[HOSTS * HOSTS];

static hs__domain_parts parts_of(int parts, const double *weight, const int *host)
{
    for (int a = 0; a < HOSTS; a++)
        for (int b = 0; b < HOSTS; b++)
            two_sites[a * HOSTS + b] = a % SITES == b % SITES ? 1 : 8;
    return (hs__domain_parts){parts, weight, host, HOSTS, two_sites};
}

static int level_of(int domain)
{
    int level = 0;
    while (domain >> (level + 1))
        level++;
    return level;
}

/* The domains that are cut down to single parts make up the whole. @return the levels of the tree */
static int check_tree(int parts, const int *domain)
{
    double whole = 0;
    int levels = 0;
    for (int p = 0; p < parts; p++) {
        int level = level_of(domain[p]);
        levels = level > levels ? level : levels;
        whole += ldexp(1, -level);
        for (int q = 0; q < parts; q++) /* neither is within the other */
            assert_true(p == q || level_of(domain[q]) < level ||
                        domain[q] >> (level_of(domain[q]) - level) != domain[p]);
    }
    CHECK_CLOSE(whole, 1, 1e-12);
    return levels;
}

static void sites_are_cut_first(void **state)
{
    (void)state;
    const double weight[] = {8, 4, 6, 3, 4, 2};
    static const int expected[] = {4, 6, 10, 14, 11, 15}; /* 8 | 6 4 and 4 | 3 2 */
    int domain[HOSTS];
    hs__domain_parts of = parts_of(HOSTS, weight, all);
    assert_int_equal(hs__domains_find(&of, domain), HS_OK);
    assert_true(check_tree(HOSTS, domain) <= 3);
    for (int p = 0; p < HOSTS; p++)
        assert_int_equal(domain[p], expected[p]);
}

/* Parts of a host stay together, although its other host is no farther than any two of them. */
static void hosts_are_kept_whole(void **state)
{
    (void)state;
    const double weight[] = {1, 1, 1, 1, 1, 1};
    const int host[] = {0, 2, 0, 2, 0, 2};
    int domain[6];
    hs__domain_parts of = parts_of(6, weight, host);
    assert_int_equal(hs__domains_find(&of, domain), HS_OK);
    check_tree(6, domain);
    for (int p = 0; p < 6; p++)
        assert_int_equal(domain[p] >> (level_of(domain[p]) - 1), p % 2 ? 3 : 2);
}

static void weights_are_halved(void **state)
{
    (void)state;
    const double weight[] = {8, 6, 4, 4, 3, 2}, nothing[] = {0, 0, 0};
    const int host[] = {0, 2, 4, 0, 2, 4};
    int domain[6];
    static const int expected[] = {4, 5, 12, 13, 14, 15}; /* 8 6 | 4 4 3 2, and so on */
    unsigned char equal[HOSTS * HOSTS];
    memset(equal, 1, sizeof equal);
    hs__domain_parts of = {6, weight, all, HOSTS, equal};
    assert_int_equal(hs__domains_find(&of, domain), HS_OK);
    for (int p = 0; p < 6; p++)
        assert_int_equal(domain[p], expected[p]);
    of = parts_of(3, nothing, host);
    assert_int_equal(hs__domains_find(&of, domain), HS_OK);
    check_tree(3, domain);
    of = parts_of(1, weight, host);
    assert_int_equal(hs__domains_find(&of, domain), HS_OK);
    assert_int_equal(domain[0], 1);
}

/* Hosts each farther from the ones before it: cut one by one the tree would have 63 levels. */
static void levels_are_few(void **state)
{
    (void)state;
    enum { FEW = 64, MANY = (1 << HS__DOMAIN_LEVELS_MAX) + 1 };
    static unsigned char distance[FEW * FEW];
    static double weight[MANY];
    static int host[MANY], domain[MANY];
    for (int a = 0; a < FEW; a++)
        for (int b = 0; b < FEW; b++)
            distance[a * FEW + b] = (unsigned char)(1 << (a > b ? a : b) * 7 / (FEW - 1));
    for (int p = 0; p < MANY; p++) {
        weight[p] = pow(0.5, p);
        host[p] = p % FEW;
    }
    hs__domain_parts of = {FEW, weight, host, FEW, distance};
    assert_int_equal(hs__domains_find(&of, domain), HS_OK);
    assert_true(check_tree(FEW, domain) <= 6 + HS__DOMAIN_LEVELS_ADDED);
    of.parts = MANY - 1;
    assert_int_equal(hs__domains_find(&of, domain), HS_OK);
    assert_int_equal(check_tree(MANY - 1, domain), HS__DOMAIN_LEVELS_MAX);
    of.parts = MANY;
    domain[0] = 77;
    assert_int_equal(hs__domains_find(&of, domain), HS_ERR_UNSUPPORTED);
    assert_int_equal(domain[0], 77);
}

/* Any two parts of a domain that was cut at a distance have a way between them in steps no farther, and none in nearer ones
 * to the other side: the definition of single linkage, where no level is short. */
static void cuts_are_the_widest(void **state)
{
    (void)state;
    enum { MOST = 8 };
    hs__random random = {3};
    for (int k = 0; k < 200; k++) {
        int n = 2 + (int)(hs__random_unit(&random) * (MOST - 1)), domain[MOST], least = HS__DISTANCE_MAX, widest = 0;
        double weight[MOST];
        unsigned char near[MOST * MOST], d[MOST * MOST];
        for (int a = 0; a < n; a++)
            for (int b = 0; b <= a; b++)
                d[a * n + b] = d[b * n + a] = (unsigned char)(1 << (int)(hs__random_unit(&random) * 4));
        for (int a = 0; a < n; a++)
            weight[a] = hs__random_unit(&random);
        memcpy(near, d, sizeof near);
        for (int via = 0; via < n; via++) /* the widest step of the best way between two hosts */
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++) {
                    int step = near[a * n + via] > near[via * n + b] ? near[a * n + via] : near[via * n + b];
                    near[a * n + b] = (unsigned char)(step < near[a * n + b] ? step : near[a * n + b]);
                }
        hs__domain_parts of = {n, weight, all, n, d};
        int host[MOST];
        for (int p = 0; p < n; p++)
            host[p] = p;
        of.host = host;
        assert_int_equal(hs__domains_find(&of, domain), HS_OK);
        check_tree(n, domain);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < a; b++) {
                int apart = domain[a] >> (level_of(domain[a]) - 1) != domain[b] >> (level_of(domain[b]) - 1);
                widest = near[a * n + b] > widest ? near[a * n + b] : widest;
                if (apart && near[a * n + b] < least)
                    least = near[a * n + b];
            }
        assert_int_equal(least, widest);
    }
}

/* ---- Memory ---- */

static void memory_is_out(void **state)
{
    (void)state;
    const double weight[] = {8, 4, 6, 3, 4, 2};
    unsigned char distance[HOSTS * HOSTS] = {77};
    int domain[HOSTS] = {77};
    hs_platform *p = make_sites(HOSTS, 1e9, 1e9);
    hs__domain_parts of = parts_of(HOSTS, weight, all);
    hs_status found = HS_ERR_NOMEM, cut = HS_ERR_NOMEM;
    for (int n = 0; found == HS_ERR_NOMEM; n++) {
        assert_int_equal(distance[0], 77);
        memory_lasts(n);
        found = hs__distances_find(p, all, HOSTS, distance);
    }
    for (int n = 0; cut == HS_ERR_NOMEM; n++) {
        assert_int_equal(domain[0], 77);
        memory_lasts(n);
        cut = hs__domains_find(&of, domain);
    }
    memory_is_back();
    assert_int_equal(found, HS_OK);
    assert_int_equal(cut, HS_OK);
    hs_platform_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flows_share_links),
        cmocka_unit_test(distances_are_rounded),
        cmocka_unit_test(equal_links_have_no_distances),
        cmocka_unit_test(slower_direction_counts),
        cmocka_unit_test(too_many_hosts),
        cmocka_unit_test(sites_are_cut_first),
        cmocka_unit_test(hosts_are_kept_whole),
        cmocka_unit_test(weights_are_halved),
        cmocka_unit_test(levels_are_few),
        cmocka_unit_test(cuts_are_the_widest),
        cmocka_unit_test(memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
