/* SPDX-License-Identifier: BSD-3-Clause */
/* Readings of concurrent flows captured on the emulated cluster (bench/platform/discover_lab.py --keep, on a busy machine):
 * the links found, and that any number of rounds gives a network. Hosts are h0 to h7. */
#include "plan/discover/discover.h"
#include "tests/unit.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS = 8, ALL = 1000 };

/* Feed the first rounds of a file. @return how many it fed */
static int feed(hs__discovery *d, const char *name, int most)
{
    char path[4096], line[256];
    const char *folder = getenv("HS_TEST_SRCDIR");
    snprintf(path, sizeof path, "%s/tests/plan/discover/captured/%s.csv", folder ? folder : ".", name);
    FILE *file = fopen(path, "r");
    hs__probe_flow flow[HOSTS];
    int n = 0, round = 0, fed = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fed < most) {
        int next = -1;
        hs__probe_flow read = {0};
        int fields = fscanf(file, "%d,h%d,h%d,%lf", &next, &read.from, &read.to, &read.rate);
        assert_true(fields == 4 || fields == EOF);
        if (next != round) {
            assert_int_equal(hs__discovery_add(d, flow, n), HS_OK);
            fed++;
            n = 0;
            round = next;
        }
        if (fields == EOF)
            break;
        flow[n++] = read;
    }
    fclose(file);
    return fed;
}

static hs__discovery *discover(const char *name, int rounds, int *fed)
{
    hs__discovery *d = NULL;
    assert_int_equal(hs__discovery_create(HOSTS, &d), HS_OK);
    *fed = feed(d, name, rounds);
    assert_int_equal(hs__discovery_rounds(d), *fed);
    assert_int_equal(hs__discovery_conclude(d), HS_OK);
    return d;
}

/* Which hosts each link between switches divides, as text: h0 is never on the side. */
static void finds(const char *name, int trunks, const char *const *expected)
{
    int fed, count, matched = 0;
    hs__discovery *d = discover(name, ALL, &fed);
    const hs__cut *cut = hs__discovery_cuts(d, &count);
    assert_int_equal(count, HOSTS + trunks);
    for (int c = HOSTS; c < count; c++) {
        char side[HOSTS + 1] = "";
        for (int h = 0; h < HOSTS; h++)
            side[h] = cut[c].side[h] ? '1' : '0';
        for (int k = 0; k < trunks; k++)
            matched += strcmp(side, expected[k]) == 0;
    }
    assert_int_equal(matched, trunks);
    hs__fit fit;
    assert_int_equal(hs__discovery_fit(d, &fit), HS_OK);
    printf("%s: %d rounds, readings missed by %.3f (median), %.3f (90 %%)\n", name, fed, fit.median, fit.late);
    assert_true(fit.explains && fit.median <= 0.12 && fit.median <= fit.late);
    hs__discovery_free(d);
}

static void finds_the_links(void **state)
{
    (void)state;
    finds("one-switch", 0, NULL);
    finds("two-sites", 1, (const char *const[]){"00001111"});
    finds("three-sites", 3, (const char *const[]){"00011100", "00000011", "00011111"});
    finds("racks", 1, (const char *const[]){"00000011"});
}

static void any_number_of_rounds_gives_a_network(void **state)
{
    (void)state;
    static const char *const names[] = {"one-switch", "two-sites", "three-sites", "racks"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (int rounds = 1, fed = 1; fed == rounds; rounds++) {
            int count;
            hs__discovery *d = discover(names[k], rounds, &fed);
            const hs__cut *cut = hs__discovery_cuts(d, &count);
            hs_platform *p = NULL;
            assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
            for (int h = 0; h < HOSTS; h++) {
                char id[8];
                snprintf(id, sizeof id, "h%d", h);
                assert_int_equal(hs_platform_add_host(p, id, 1e9, 1, NULL, NULL), HS_OK);
            }
            assert_int_equal(hs__cuts_build(cut, count, p, NULL), HS_OK);
            int unknown = 0, marked = 0;
            for (int c = 0; c < count; c++)
                unknown += !isfinite(cut[c].high[0]) || !isfinite(cut[c].high[1]);
            for (int l = 0; l < hs_platform_links(p); l++)
                marked += hs_platform_link_at_least(p, l) && hs_platform_link_twin(p, l) < l;
            assert_true(marked >= unknown && (marked > 0) == (unknown > 0));
            for (int i = 0; i < HOSTS; i++)
                for (int j = 0; j < HOSTS; j++) {
                    hs_route route = {0};
                    if (i == j)
                        continue;
                    assert_int_equal(hs_platform_route(p, i, j, &route), HS_OK);
                    assert_true(route.bandwidth > 0 && isfinite(route.bandwidth));
                    hs_route_free(&route);
                }
            hs_platform_free(p);
            hs__discovery_free(d);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_links),
        cmocka_unit_test(any_number_of_rounds_gives_a_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
