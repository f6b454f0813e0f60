/* SPDX-License-Identifier: BSD-3-Clause */
/* Halos on links that hosts share: charged as the platform's routes say, and hosts laid so that few of them cross. */
#include "plan/boxes/boxes.h"
#include "tests/short_of_memory.h"
#include "util/random.h"
#include <heteroslice/hs_platform.h>

enum { MAX_HOSTS = 12 };

/* Hosts on two switches, in turns, with a trunk between them. */
static hs_platform *two_switches(int hosts, double bandwidth, double trunk)
{
    hs_platform *p;
    int hub[2], link;
    char id[16];
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    for (int i = 0; i < hosts; i++) {
        snprintf(id, sizeof id, "h%d", i);
        assert_int_equal(hs_platform_add_host(p, id, 1, 1, NULL, NULL), HS_OK);
    }
    for (int s = 0; s < 2; s++) {
        snprintf(id, sizeof id, "s%d", s);
        assert_int_equal(hs_platform_add_router(p, id, &hub[s], NULL), HS_OK);
    }
    for (int i = 0; i < hosts; i++) {
        snprintf(id, sizeof id, "l%d", i);
        assert_int_equal(hs_platform_add_link(p, id, bandwidth, 0, HS_SHARED, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_edge(p, i, hub[i % 2], link, NULL), HS_OK);
    }
    assert_int_equal(hs_platform_add_link(p, "trunk", trunk, 0, HS_SHARED, &link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_edge(p, hub[0], hub[1], link, NULL), HS_OK);
    return p;
}

static hs_boxes *plan_on(const hs_platform *p, const hs_boxes_domain *d, const double *cycle, int hosts,
                         hs_boxes_params params)
{
    static const int host[MAX_HOSTS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    hs_boxes_network network = {p, host, 8};
    hs_boxes *plan = NULL;
    hs_error error = {0};
    params.network = &network;
    if (hs_boxes_create(d, cycle, NULL, hosts, &params, &plan, &error) != HS_OK)
        fail_msg("%s", error.text);
    if (hs_boxes_check(plan, cycle, NULL, params.model, &error) != HS_OK)
        fail_msg("%s", error.text);
    return plan;
}

/* Two ranks on each of two hosts, and a trunk over which a halo takes longer than all of the computing: the ranks of the faster
 * host share the cells. */
static void slow_links_leave_one_host(void **state)
{
    static const int host[] = {0, 1, 0, 1};
    const double cycle[] = {1.5, 1, 1.5, 1};
    hs_platform *p = two_switches(2, 1e6, 1e-3);
    hs_boxes_network network = {p, host, 8};
    hs_boxes_domain d = {.dims = 2, .extent = {20, 20}, .halo = 1};
    hs_boxes *plan = NULL;
    assert_int_equal(hs_boxes_create(&d, cycle, NULL, 4, &(hs_boxes_params){.network = &network}, &plan, NULL), HS_OK);
    assert_int_equal(hs__box_cells(&hs_boxes_all(plan)[1]), 200);
    assert_int_equal(hs__box_cells(&hs_boxes_all(plan)[3]), 200);
    assert_true(hs_boxes_step_time(plan) == 200);
    hs_boxes_free(plan);
    hs_platform_free(p);
}

/* Their halos cross no link at all. */
static void ranks_of_one_host_share_by_speed(void **state)
{
    static const int host[] = {0, 0};
    const double cycle[] = {1, 3};
    hs_platform *p = two_switches(1, 1, 1);
    hs_boxes_network network = {p, host, 8};
    hs_boxes_domain d = {.dims = 2, .extent = {20, 20}, .halo = 1};
    hs_boxes *plan = NULL;
    assert_int_equal(hs_boxes_create(&d, cycle, NULL, 2, &(hs_boxes_params){.network = &network}, &plan, NULL), HS_OK);
    assert_true(hs_boxes_step_time(plan) == 300);
    hs_boxes_free(plan);
    hs_platform_free(p);
}

/* Two ranks behind one switch and one behind the other. A row takes 10 s, and the two cells at the border between the switches
 * 60 s, for which the ranks beside it wait: the first has 6 rows more than they. */
static void rows_make_up_for_halos(void **state)
{
    static const int host[] = {0, 2, 1}, rows[] = {14, 8, 8};
    const double cycle[] = {10, 10, 10};
    hs_platform *p = two_switches(3, 1e9, 16.0 / 60);
    hs_boxes_network network = {p, host, 8};
    hs_boxes_domain d = {.dims = 1, .extent = {30}, .halo = 1};
    hs_boxes_params params = {.method = HS_BOXES_ROWS, .network = &network};
    hs_boxes *plan = NULL;
    assert_int_equal(hs_boxes_create(&d, cycle, NULL, 3, &params, &plan, NULL), HS_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(hs_boxes_all(plan)[i].count[0], rows[i]);
    CHECK_CLOSE(hs_boxes_step_time(plan), 140, 1e-6);
    hs_boxes_free(plan);
    hs_platform_free(p);
}

/* ---- By the definition: every piece of a halo over the platform's route. ---- */

/* Calls act for each piece that comes from another platform host. */
typedef struct charge {
    const hs_platform *platform;
    double *busy, *halo_s;
    int second; /* links are loaded: hosts wait now */
} charge;

static void carry(charge *c, int from, int to, double bytes)
{
    hs_route route = {0};
    assert_int_equal(hs_platform_route(c->platform, from, to, &route), HS_OK);
    for (size_t k = 0; k < route.count; k++) {
        double *busy = &c->busy[route.links[k]];
        if (c->second) {
            c->halo_s[from] = fmax(c->halo_s[from], *busy);
            c->halo_s[to] = fmax(c->halo_s[to], *busy);
        } else {
            *busy += bytes / hs_platform_link_bandwidth(c->platform, route.links[k]);
        }
    }
    hs_route_free(&route);
}

/* @return seconds of the trunk, the last link */
static double check_charges(const hs_platform *p, const hs_boxes *plan, int hosts)
{
    double busy[MAX_HOSTS + 1] = {0}, halo_s[MAX_HOSTS] = {0};
    charge c = {p, busy, halo_s, 0};
    for (c.second = 0; c.second < 2; c.second++)
        for (int to = 0; to < hosts; to++) {
            hs_box_piece *piece = NULL;
            int count = 0;
            assert_int_equal(hs_boxes_halo(plan, to, &piece, &count), HS_OK);
            for (int k = 0; k < count; k++)
                if (piece[k].host != to)
                    carry(&c, piece[k].host, to, 8 * (double)hs__box_cells(&piece[k].cells));
            free(piece);
        }
    for (int i = 0; i < hosts; i++)
        assert_true(fabs(hs_boxes_halo_time(plan, i) - halo_s[i]) <= 1e-9 * halo_s[i]);
    return busy[hosts];
}

static void charged_by_routes(void **state)
{
    hs__random random = {37};
    for (int trial = 0; trial < 80; trial++) {
        int hosts = 2 + (int)hs__random_below(&random, MAX_HOSTS - 1);
        double slow = trial < 40 ? 1 : 0.02; /* halos take most of the step: each round of sizes has others */
        hs_boxes_domain d = {.dims = 2 + trial % 2, .halo = 1 + trial / 2 % 2};
        double cycle[MAX_HOSTS];
        for (int k = 0; k < d.dims; k++) {
            d.extent[k] = 6 + hs__random_below(&random, 20);
            d.periodic[k] = (int)hs__random_below(&random, 2);
        }
        d.stencil = (hs_boxes_stencil)hs__random_below(&random, 2);
        for (int i = 0; i < hosts; i++)
            cycle[i] = slow * (0.5 + hs__random_unit(&random));
        hs_platform *p = two_switches(hosts, 1000, 300);
        hs_boxes_params params = {.method = (hs_boxes_method)(trial % (d.dims == 2 ? 4 : 6)),
                                  .model = (hs_step_model)(trial / 4 % 2)};
        hs_boxes *plan = plan_on(p, &d, cycle, hosts, params);
        check_charges(p, plan, hosts);
        hs_boxes_free(plan);
        hs_platform_free(p);
    }
}

/* ---- Few bytes cross the trunk. ---- */

/* Bytes over a straight border between both switches, there and back: the least that a cut of the domain in two has. */
static double straight(const hs_boxes_domain *d, double trunk)
{
    double cells = (double)d->extent[0] * (double)d->extent[1] * (d->dims > 2 ? (double)d->extent[2] : 1), most = 0;
    for (int k = 0; k < d->dims; k++)
        most = fmax(most, (double)d->extent[k]);
    return 2 * 8 * cells / most / trunk;
}

/* Hosts of both switches come in turns: in their order, or by speed, every border would cross the trunk. */
static void one_straight_border(void **state)
{
    static const int64_t extents[][3] = {{60, 60, 1},  {30, 90, 1},  {90, 30, 1},
                                         {24, 24, 24}, {12, 20, 60}, {60, 12, 20}};
    double cycle[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t k = 0; k < sizeof extents / sizeof *extents; k++) {
        hs_boxes_domain d = {.dims = extents[k][2] > 1 ? 3 : 2, .halo = 1};
        memcpy(d.extent, extents[k], sizeof d.extent);
        hs_platform *p = two_switches(8, 1e5, 100);
        hs_boxes *plan = plan_on(p, &d, cycle, 8, (hs_boxes_params){0});
        double trunk_s = check_charges(p, plan, 8);
        if (trunk_s > straight(&d, 100) * 1.3)
            fail_msg("%lld x %lld x %lld: %g s of the trunk, %g s with one border", (long long)d.extent[0],
                     (long long)d.extent[1], (long long)d.extent[2], trunk_s, straight(&d, 100));
        hs_boxes_free(plan);
        hs_platform_free(p);
    }
}

/* ---- Oracle: all guillotine cuts of few cells on few hosts are all plans; the best with the network. ---- */

typedef struct oracle {
    hs_boxes_domain domain;
    const hs__boxes_costs *costs;
    hs_box box[4], part[4]; /* by host; of leaves */
    double best;
} oracle;

static void assign(oracle *o, int leaves, int leaf, unsigned used)
{
    double step;
    if (leaf == leaves) {
        assert_int_equal(hs__boxes_time(&o->domain, o->costs, o->box, &step), HS_OK);
        o->best = fmin(o->best, step);
        return;
    }
    for (int i = 0; i < o->costs->hosts; i++)
        if (!(used >> i & 1)) {
            o->box[i] = o->part[leaf];
            assign(o, leaves, leaf + 1, used | 1u << i);
            o->box[i] = (hs_box){{0}, {0}};
        }
}

/* Cuts one of the leaves from `from` on further, or deals them out. Each set of cuts comes at least once. */
static void cut(oracle *o, int leaves, int from)
{
    assign(o, leaves, 0, 0);
    for (int leaf = from; leaf < leaves && leaves < o->costs->hosts; leaf++)
        for (int d = 0; d < HS__DIMS; d++)
            for (int64_t at = 1; at < o->part[leaf].count[d]; at++) {
                hs_box kept = o->part[leaf];
                o->part[leaves] = kept;
                o->part[leaves].first[d] += at;
                o->part[leaves].count[d] -= at;
                o->part[leaf].count[d] = at;
                cut(o, leaves + 1, leaf);
                o->part[leaf] = kept;
            }
}

static void near_the_optimum(void **state)
{
    enum { TRIALS = 40 };
    hs__random random = {41};
    static const int host[] = {0, 1, 2, 3};
    double cycle[4], sum = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        int hosts = 2 + trial % 3;
        hs_boxes_domain d = {3, {2 + trial % 2, 4, 3 + trial % 3}, {0, trial / 2 % 2, 0}, 1, HS_BOXES_FACES};
        for (int i = 0; i < hosts; i++)
            cycle[i] = 0.4 + hs__random_unit(&random);
        hs_platform *p = two_switches(hosts, 200, trial % 4 * 30 + 20);
        hs__boxes_network network;
        assert_int_equal(hs__boxes_network_create(p, host, hosts, &network, NULL), HS_OK);
        hs__boxes_costs costs = {cycle, NULL, hosts, HS_STEP_SERIAL, &network, 8};
        oracle o = {.domain = d, .costs = &costs, .best = INFINITY};
        o.part[0] = (hs_box){{0}, {d.extent[0], d.extent[1], d.extent[2]}};
        cut(&o, 1, 0);
        hs_boxes *plan = plan_on(p, &d, cycle, hosts, (hs_boxes_params){0});
        double found = hs_boxes_step_time(plan);
        assert_true(found >= o.best * (1 - 1e-12));
        assert_true(found <= o.best * 2);
        sum += found / o.best;
        hs_boxes_free(plan);
        hs__boxes_network_free(&network);
        hs_platform_free(p);
    }
    assert_true(sum / TRIALS < 1.04);
}

/* Exchanges of hosts gain more for one method than for another, and none for rows. */
static void best_is_least(void **state)
{
    hs__random random = {19};
    double cycle[MAX_HOSTS];
    for (int trial = 0; trial < 14; trial++) {
        int hosts = 4 + trial % 6;
        hs_boxes_domain d = {.dims = 2 + trial % 2, .extent = {8, 10 + trial, 6}, .halo = 1};
        for (int i = 0; i < hosts; i++)
            cycle[i] = hs__random_between(&random, 0.4, 1.4);
        hs_platform *p = two_switches(hosts, 200, 50);
        hs_boxes *best = plan_on(p, &d, cycle, hosts, (hs_boxes_params){0});
        int last = d.dims > 2 ? HS_BOXES_SLABS : HS_BOXES_COLUMNS;
        for (int method = HS_BOXES_ROWS; method <= last; method++) {
            hs_boxes *one = plan_on(p, &d, cycle, hosts, (hs_boxes_params){.method = (hs_boxes_method)method});
            assert_true(hs_boxes_step_time(best) <= hs_boxes_step_time(one));
            hs_boxes_free(one);
        }
        hs_boxes_free(best);
        hs_platform_free(p);
    }
}

/* ---- Bad input, and memory that runs out. ---- */

static void bad_networks(void **state)
{
    const hs_boxes_domain d = {2, {20, 30}, {0, 1}, 1, HS_BOXES_FACES};
    const double cycle[] = {1, 2};
    const int host[] = {0, 1}, wrong[] = {0, 7};
    hs_platform *p = two_switches(2, 100, 100);
    const hs_boxes_network networks[] = {
        {NULL, host, 8}, {p, NULL, 8}, {p, host, 0}, {p, host, INFINITY}, {p, wrong, 8}};
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        hs_boxes *plan = NULL;
        hs_boxes_params params = {.network = &networks[k]};
        hs_error error = {0};
        assert_int_equal(hs_boxes_create(&d, cycle, NULL, 2, &params, &plan, &error), HS_ERR_ARG);
        assert_true(!plan && error.text[0]);
    }
    hs_platform_free(p);
}

static void out_of_memory(void **state)
{
    const hs_boxes_domain d = {3, {20, 30, 10}, {0, 1, 0}, 1, HS_BOXES_FACES};
    const double cycle[] = {1, 2, 3, 4};
    const int host[] = {0, 1, 2, 3};
    hs_platform *p = two_switches(4, 1000, 100);
    hs_boxes_network network = {p, host, 8};
    hs_boxes_params params = {.network = &network};
    hs_boxes *plan = NULL;
    hs_status status;
    int k = 0;
    do {
        memory_lasts(k++);
        status = hs_boxes_create(&d, cycle, NULL, 4, &params, &plan, NULL);
        memory_is_back();
        assert_true(status == HS_OK || (status == HS_ERR_NOMEM && !plan));
    } while (status != HS_OK);
    assert_true(k > 60);
    hs_boxes_free(plan);
    hs_platform_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_links_leave_one_host),
        cmocka_unit_test(ranks_of_one_host_share_by_speed),
        cmocka_unit_test(rows_make_up_for_halos),
        cmocka_unit_test(charged_by_routes),
        cmocka_unit_test(one_straight_border),
        cmocka_unit_test(near_the_optimum),
        cmocka_unit_test(best_is_least),
        cmocka_unit_test(bad_networks),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("boxes: networks", tests, NULL, NULL);
}
