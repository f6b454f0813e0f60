/* SPDX-License-Identifier: BSD-3-Clause */
/* Which flows a round has, given what is known already. */
#include "plan/discover/tree.h"
#include "tests/unit.h"

enum { HOSTS = 60, BEHIND_ONE = 25, BEHIND_BOTH = 35 };

/* Hosts of 10 behind a link of 30, most of them behind a link of 60 as well; those between are explored. */
static hs__discovery *two_links_in_a_row(void)
{
    static const double capacity[] = {30, 60};
    hs__discovery *d;
    assert_int_equal(hs__discovery_create(HOSTS, &d), HS_OK);
    for (int k = 0; k < 2; k++) {
        unsigned char side[HOSTS];
        for (int h = 0; h < HOSTS; h++)
            side[h] = h >= (k == 0 ? BEHIND_ONE : BEHIND_BOTH);
        assert_int_equal(hs__tree_add(d, &(hs__cut){.side = side, .host = -1}), HS_OK);
    }
    hs__tree_link(d);
    d->cut[HOSTS].explored[0] = d->cut[HOSTS].explored[1] = 2;
    for (int c = 0; c < d->cuts; c++)
        d->cut[c].capacity[0] = d->cut[c].capacity[1] = c < HOSTS ? 10 : capacity[c - HOSTS];
    return d;
}

/* Flows that could do 1.6 times what the link carries, counting those that are to fill the link before it; and no more. */
static void a_link_is_filled_and_no_fuller(void **state)
{
    hs__discovery *d = two_links_in_a_row();
    hs__probe_flow flow[HOSTS];
    int across[2] = {0}, busy[HOSTS] = {0}, n;
    assert_int_equal(hs__discovery_next(d, flow, &n), HS_OK);
    for (int k = 0; k < n; k++) {
        busy[flow[k].from]++;
        busy[flow[k].to]++;
        if ((flow[k].from >= BEHIND_BOTH) != (flow[k].to >= BEHIND_BOTH))
            across[flow[k].to >= BEHIND_BOTH]++;
    }
    for (int h = 0; h < HOSTS; h++)
        assert_in_range(busy[h], 0, 1);
    assert_int_equal(across[0], 10); /* 10 flows of 10 for 96 */
    assert_int_equal(across[1], 10);
    hs__discovery_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_is_filled_and_no_fuller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
