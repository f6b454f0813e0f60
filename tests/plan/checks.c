/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_<object>_check() finds what is broken: each plan is right as it was made, and wrong once one number is changed. */
#include "plan/binding/binding.h"
#include "plan/boxes/boxes.h"
#include "plan/columns/plan.h"
#include "plan/divisible/plan.h"
#include "plan/placement/placement.h"
#include "plan/rebalance/plan.h"
#include "plan/ring/plan.h"
#include "tests/plan/divisible/oracle.h"
#include "tests/plan/one_switch.h"
#include "tests/unit.h"
#include <heteroslice/hs_collective.h>
#include <heteroslice/hs_grid.h>
#include <heteroslice/hs_mapping.h>
#include <heteroslice/hs_reduction.h>

static hs_error error = {.line = 7};

/* The check `call` is fine, and refused with these words after `statement`, which `undo` takes back. */
#define BREAK(statement, undo, call, words)      \
    do {                                         \
        assert_int_equal(call, HS_OK);           \
        statement;                               \
        assert_int_equal(call, HS_ERR_INTERNAL); \
        CHECK_ERROR_SAYS(&error, 0, words);      \
        undo;                                    \
    } while (0)

/* Hosts of speeds 1, 2, ... on one switch of 100 bytes/s. */
static hs_platform *star(int hosts)
{
    return one_switch((const double[]){1, 2, 3, 4}, hosts, 100, 0);
}

static void rings(void **state)
{
    hs_platform *p = star(4);
    hs_ring *ring;
    hs_ring_params params;
    hs_ring_params_init(&params);
    params.work = 100;
    params.halo = 1;
    for (int routes = 0; routes < 2; routes++) {
        params.routes = (hs_ring_routes)routes;
        assert_int_equal(hs_ring_create(p, &params, &ring, &error), HS_OK);
#define CHECK hs_ring_check(p, &params, ring, &error)
        int host = ring->member[0].host, link = ring->links[0];
        BREAK(ring->member[0].host = ring->member[1].host, ring->member[0].host = host, CHECK, "as another one does");
        BREAK(ring->links[0] = ring->links[1], ring->links[0] = link, CHECK, "path from");
        BREAK(ring->path[0].bandwidth *= 3, ring->path[0].bandwidth /= 3, CHECK, "carries");
        BREAK(ring->path[1].bandwidth /= 2, ring->path[1].bandwidth *= 2, CHECK, "max-min rate");
        BREAK(ring->member[2].share += .1, ring->member[2].share -= .1, CHECK, "computes");
        BREAK(ring->member[2].comm_time *= 2, ring->member[2].comm_time /= 2, CHECK, "communicates");
        BREAK(ring->step_time *= .9, ring->step_time /= .9, CHECK, "the step takes");
        BREAK(ring->lower_bound *= 1e6, ring->lower_bound /= 1e6, CHECK, "lower bound");
        BREAK(ring->paths--, ring->paths++, CHECK, "paths in a ring");
#undef CHECK
        hs_ring_free(ring);
    }
    hs_platform_free(p);
}

static void slices(void **state)
{
    const double cycle[] = {1, 2, 3}, comm[] = {0, 0, 0};
    int64_t count[3];
    assert_int_equal(hs_slices_compute(cycle, comm, 3, 20, 2, HS_STEP_SERIAL, count, NULL), HS_OK);
#define CHECK hs_slices_check(count, 3, 20, 2, &error)
    BREAK(count[0]--, count[0]++, CHECK, "not 20");
    int64_t kept = count[2];
    BREAK(count[2] = 1, count[2] = kept, CHECK, "host 2 has 1");
    BREAK(count[2] += 30, count[2] -= 30, CHECK, "host 2 has");
#undef CHECK
}

/* A rectangle with another above it in its column. */
static hs_rectangle *second_in_a_column(const hs_columns *plan)
{
    for (int k = 1; k < plan->count; k++)
        if (plan->rectangle[k].x == plan->rectangle[k - 1].x)
            return &plan->rectangle[k];
    fail_msg("every column has one rectangle");
    return NULL;
}

static void columns(void **state)
{
    const double speed[] = {1, 2, 3, 4, 5};
    hs_columns_params params;
    hs_columns *plan;
    hs_columns_params_init(&params);
    for (int k = 0; k < 4; k++) {
        params.method = k % 2 ? HS_COLUMNS_RECURSIVE : HS_COLUMNS_COLUMNS;
        params.blocks = k / 2 * 30;
        assert_int_equal(hs_columns_create(speed, 5, &params, &plan), HS_OK);
#define CHECK hs_columns_check(plan, &error)
        hs_rectangle *r = &plan->rectangle[1], kept = *r;
        BREAK(r->height /= 2, *r = kept, CHECK, "half perimeters");
        BREAK((r->y = plan->rectangle[0].y, r->x = plan->rectangle[0].x), *r = kept, CHECK, "");
        BREAK(r->host = plan->rectangle[2].host, *r = kept, CHECK, "has two rectangles");
        BREAK(plan->half_perimeter_sum *= 2, plan->half_perimeter_sum /= 2, CHECK, "half perimeters");
        if (plan->columns > 0) { /* it reaches into the one above it, with the same sides and area */
            hs_rectangle *second = second_in_a_column(plan);
            double y = second->y;
            BREAK(second->y -= plan->blocks > 0 ? 1 : second->height / 2, second->y = y, CHECK, "overlap");
            double height = second->height, largest = plan->half_perimeter_max; /* one has the height of both */
            second[-1].height += height;
            second->height = 0;
            plan->half_perimeter_max = fmax(largest, second[-1].width + second[-1].height);
            assert_int_equal(CHECK, HS_ERR_INTERNAL);
            CHECK_ERROR_SAYS(&error, 0, "area of the square");
            second[-1].height -= height;
            second->height = height;
            plan->half_perimeter_max = largest;
        }
        if (plan->columns > 0)
            BREAK(plan->first[plan->columns]--, plan->first[plan->columns]++, CHECK, "the columns hold");
#undef CHECK
        hs_columns_free(plan);
    }
}

static void grids(void **state)
{
    const double speed[] = {6, 5, 4, 3, 2, 1}, slower[] = {6, 5, 4, 3, 2, .5};
    for (int64_t blocks = 0; blocks <= 60; blocks += 60) {
        hs_grid *grid;
        assert_int_equal(hs_grid_create(speed, 2, 3, blocks, &grid), HS_OK);
        const double *now = speed;
        int64_t asked = blocks;
        BREAK(now = slower, now = speed, hs_grid_check(grid, now, asked, &error), blocks ? "the value" : "an area of");
        BREAK(asked = 61, asked = blocks, hs_grid_check(grid, now, asked, &error), "the rows");
        hs_grid_free(grid);
    }
}

static void boxes(void **state)
{
    const hs_boxes_domain domain = {2, {12, 9}, {0, 1}, 1, HS_BOXES_CORNERS};
    const double cycle[] = {1, 2, 3, 4}, halo[] = {.4, .3, .2, .1}; /* all hosts have cells */
    for (hs_boxes_method method = HS_BOXES_ROWS; method <= HS_BOXES_COLUMNS; method++) {
        hs_boxes *plan;
        hs_boxes_params params = {.method = method};
        assert_int_equal(hs_boxes_create(&domain, cycle, halo, 4, &params, &plan, &error), HS_OK);
#define CHECK hs_boxes_check(plan, cycle, halo, HS_STEP_SERIAL, &error)
        hs_box *box = &plan->box[0], kept = *box;
        int host = plan->host[0];
        BREAK(box->count[0]--, *box = kept, CHECK, "the boxes have");
        BREAK(box->first[0] -= 12, *box = kept, CHECK, "outside of the domain");
        BREAK(*box = plan->box[1], *box = kept, CHECK, "meet");
        BREAK(plan->host[0] = plan->host[1], plan->host[0] = host, CHECK, "has another place");
        BREAK(plan->first[hs__boxes_columns(plan)]--, plan->first[hs__boxes_columns(plan)]++, CHECK, "no place");
        BREAK(plan->step_time *= 2, plan->step_time /= 2, CHECK, "the step takes");
#undef CHECK
        hs_boxes_free(plan);
    }
}

static void rebalances(void **state)
{
    int first[] = {0, 2, 5}, host[] = {0, 1, 2, 3, 4};
    int64_t width[] = {10, 20}, height[] = {10, 20, 12, 10, 8}, delta[] = {2, -2, -3, 1, 2};
    const hs_column_layout before = {2, first, width, host, height};
    const double speed[] = {1, 2, 3, 4, 9};
    hs_rebalance *plan;
    assert_int_equal(hs_rebalance_create(&before, delta, NULL, &plan, &error), HS_OK);
#define CHECK hs_rebalance_check(&before, NULL, plan, &error)
    hs_rebalance_operation *op = plan->operation, kept = *op;
    BREAK(op->count++, op->count--, CHECK, "");
    BREAK(op->count = 1000, *op = kept, CHECK, "operation 0 cannot be done");
    BREAK(plan->cost++, plan->cost--, CHECK, "cost");
    BREAK(plan->blocks_moved++, plan->blocks_moved--, CHECK, "blocks");
    double slides = plan->cost_slides_only;
    BREAK(plan->cost_slides_only = plan->cost / 2, plan->cost_slides_only = slides, CHECK, "slides alone");
    BREAK((plan->height[0]--, plan->height[1]++), (plan->height[0]++, plan->height[1]--), CHECK, "column 0");
    BREAK(plan->height[4]++, plan->height[4]--, CHECK, "column 1: rectangle 2 becomes 10 high, not 11");
    BREAK(plan->host[4] = 7, plan->host[4] = 4, CHECK, "hosts have changed");
    hs_rebalance_free(plan);
    assert_int_equal(hs_rebalance_create_speeds(&before, speed, 5, NULL, &plan, &error), HS_OK);
    assert_int_equal(plan->operation[0].kind, HS_REBALANCE_COLUMN);
    BREAK(plan->operation[0].count++, plan->operation[0].count--, CHECK, "wide");
    BREAK(plan->operation[0].from = 9, plan->operation[0].from = 0, CHECK, "operation 0 cannot be done");
#undef CHECK
    hs_rebalance_free(plan);
}

/* The k-th event of a kind. */
static hs_divisible_event *event_of(hs_divisible *plan, hs_divisible_what what, int k)
{
    for (int e = 0; e < plan->events; e++)
        if (plan->event[e].what == what && k-- == 0)
            return &plan->event[e];
    fail_msg("there are too few events of this kind");
    return NULL;
}

/* Each item brings half an item of results. */
static hs_divisible_params half_returned(int hosts, const double *cycle, const double *comm, double load)
{
    hs_divisible_params params = star_of(hosts, cycle, comm, load);
    params.results = .5;
    return params;
}

static void start_at(hs_divisible_event *e, double start)
{
    e->end += start - e->start;
    e->start = start;
}

/* One message at a time, nothing before its items have arrived: events that are long enough, but too early. */
static void divisibles_too_early(void **state)
{
    const double cycle[] = {1, 2, 3}, comm[] = {.3, .1, .2};
    hs_divisible *plan;
    hs_divisible_params params = half_returned(3, cycle, comm, 100);
    for (params.rounds = 1; params.rounds <= 2; params.rounds++) {
        assert_int_equal(hs_divisible_create(&params, &plan, &error), HS_OK);
        assert_int_equal(hs_divisible_rounds(plan), params.rounds);
#define CHECK hs_divisible_check(&params, plan, &error)
        for (int k = 0; k < 3 * params.rounds; k++) {
            hs_divisible_event *sent = event_of(plan, HS_DIVISIBLE_SEND, k);
            hs_divisible_event *computed = event_of(plan, HS_DIVISIBLE_COMPUTE, k);
            double start = computed->start, sending = sent->start;
            BREAK(start_at(computed, start * .9), start_at(computed, start), CHECK, "computes");
            if (k > 0)
                BREAK(start_at(sent, sending * .9), start_at(sent, sending), CHECK, "is sent items");
        }
        for (int k = 0; k < 3; k++) {
            hs_divisible_event *returned = event_of(plan, HS_DIVISIBLE_RETURN, k);
            double start = returned->start;
            BREAK(start_at(returned, start * .9), start_at(returned, start), CHECK, "returns results");
        }
#undef CHECK
        hs_divisible_free(plan);
    }
}

/* What a master with two ports does, one with a single port cannot: the first host returns while the last one is sent to. */
static void divisibles_of_another_port(void **state)
{
    const double cycle[] = {.1, .1}, comm[] = {1, 1};
    hs_divisible *plan;
    hs_divisible_params params = half_returned(2, cycle, comm, 10);
    params.order = HS_DIVISIBLE_FIFO;
    params.port = HS_DIVISIBLE_DUPLEX;
    assert_int_equal(hs_divisible_create(&params, &plan, &error), HS_OK);
    BREAK(params.port = HS_DIVISIBLE_ONE_PORT, params.port = HS_DIVISIBLE_DUPLEX,
          hs_divisible_check(&params, plan, &error), "returns results");
    hs_divisible_free(plan);
}

static void divisibles(void **state)
{
    const double cycle[] = {1, 2, 3}, comm[] = {0, .1, .2};
    hs_divisible *plan;
    hs_divisible_params params = half_returned(3, cycle, comm, 100);
    assert_int_equal(hs_divisible_create(&params, &plan, &error), HS_OK);
#define CHECK hs_divisible_check(&params, plan, &error)
    hs_divisible_event *last = &plan->event[plan->events - 1];
    assert_int_equal(last->what, HS_DIVISIBLE_RETURN);
    BREAK((last->start--, last->end--), (last->start++, last->end++), CHECK, "returns results");
    BREAK(last->end++, last->end--, CHECK, "returns results");
    BREAK(plan->chunk[1]++, plan->chunk[1]--, CHECK, "has a load of");
    BREAK(params.load = 101, params.load = 100, CHECK, "add up to");
    BREAK(plan->makespan *= 2, plan->makespan /= 2, CHECK, "it ends after");
    BREAK(plan->lower_bound *= 9, plan->lower_bound /= 9, CHECK, "lower bound");
    BREAK(params.items = HS_DIVISIBLE_INTEGER, params.items = HS_DIVISIBLE_REAL, CHECK, "has a load of");
#undef CHECK
    hs_divisible_free(plan);
}

static void collectives(void **state)
{
    const int host[] = {0, 1, 2, 2};
    hs_platform *p = star(3);
    hs_collective *plan;
    hs_collective_params params;
    hs_collective_params_init(&params);
    params.kind = HS_COLLECTIVE_REDUCE;
    params.bytes = 1000;
    params.ranks = 4;
    params.host = host;
    params.root = 1;
    assert_int_equal(hs_collective_create(p, &params, &plan, &error), HS_OK);
#define CHECK hs_collective_check(&params, plan, &error)
    int *parent = (int *)hs_collective_parent(plan), *place = (int *)hs_collective_place(plan);
    int child = place[0] > place[2] ? 0 : 2, kept = parent[child], at = place[child];
    BREAK(parent[child] = child, parent[child] = kept, CHECK, "which is not in the tree before it");
    BREAK(place[child] = 0, place[child] = at, CHECK, "not alone");
    BREAK(parent[1] = 0, parent[1] = -1, CHECK, "no root");
    BREAK(params.root = 0, params.root = 1, CHECK, "the root is 1");
#undef CHECK
    hs_collective_free(plan);
    hs_platform_free(p);
}

static void mappings(void **state)
{
    const int host[] = {0, 0, 1, 1};
    const int64_t first[] = {0, 1, 2, 3, 4};
    const int to[] = {2, 3, 0, 1};
    const hs_mapping_graph graph = {4, first, to, NULL};
    const hs_mapping_params params = {.ranks = 4, .host = host, .keep_first = 1};
    hs_platform *p = star(2);
    hs_mapping_cost cost;
    int rank[4];
    assert_int_equal(hs_mapping_graph_ranks(p, &params, &graph, rank, &cost, NULL, &error), HS_OK);
#define CHECK hs_mapping_check(p, &params, &graph, rank, cost, &error)
    int kept = rank[3];
    BREAK(rank[3] = rank[2], rank[3] = kept, CHECK, "out of range or taken");
    BREAK(cost.total++, cost.total--, CHECK, "the busiest link");
    BREAK((rank[0] = kept, rank[3] = 0), (rank[0] = 0, rank[3] = kept), CHECK, "not to rank 0");
#undef CHECK
    hs_platform_free(p);
}

static void placements_and_bindings(void **state)
{
    const hs__placement_host host[] = {{1, 2, 3}, {0, 2, 9}, {2, 1, 9}};
    int64_t count[3];
    double slowest;
    assert_int_equal(hs__placement_counts(host, 3, 5, count, &slowest), HS_OK);
#define CHECK hs__placement_check(host, 3, 5, count, slowest, &error)
    BREAK(count[0]--, count[0]++, CHECK, "are placed");
    BREAK((count[1]++, count[0]--), (count[1]--, count[0]++), CHECK, "host 1 of speed 0");
    BREAK((count[1]--, count[2]++), (count[1]++, count[2]--), CHECK, "has -1 of 5 ranks");
    BREAK(count[0] += 3, count[0] -= 3, CHECK, "at most 3 fit");
    BREAK(slowest *= 2, slowest /= 2, CHECK, "the slowest takes");
#undef CHECK
    const double work[] = {1, 2}, speed[] = {1, 2};
    const char allowed[] = {1, 1, 0, 1};
    char set[] = {1, 0, 0, 1};
    const hs__binding_node node = {2, 2, work, NULL, speed, allowed};
    BREAK(set[2] = 1, set[2] = 0, hs__binding_check(&node, set, &error), "may not run");
    BREAK(set[0] = 0, set[0] = 1, hs__binding_check(&node, set, &error), "no core");
}

/* A member of reserved[] that is not 0 may be a field of a later version, which this one cannot follow. */
static void fields_of_later_versions(void **state)
{
    hs_platform *p = star(2);
    const double one[] = {1, 1};
    const int host[] = {0, 1}, to[] = {1};
    const int64_t first[] = {0, 1, 1}, wide[] = {2}, high[] = {1, 1}, none[] = {0, 0};
    const hs_mapping_graph graph = {2, first, to, NULL};
    const hs_column_layout layout = {1, (int[]){0, 2}, wide, host, high};
    hs_ring_params ring = {.work = 1, .minimum = 1, .reserved = {1}};
    hs_columns_params columns = {.reserved = {[1] = 1}};
    hs_rebalance_params rebalance = {.reserved = {[7] = -1}};
    hs_divisible_params divisible;
    hs_collective_params collective;
    hs_mapping_params mapping = {.ranks = 2, .host = host, .reserved = {[7] = 1}};
    int rank[2];
    hs_divisible_params_init(&divisible);
    divisible.hosts = 2;
    divisible.cycle_time = divisible.comm_time = one;
    divisible.load = divisible.reserved[7] = 1;
    hs_collective_params_init(&collective);
    collective.ranks = 2;
    collective.host = host;
    collective.reserved[3] = 1;
    (void)state;
    assert_int_equal(hs_ring_create(p, &ring, &(hs_ring *){NULL}, &error), HS_ERR_ARG);
    CHECK_ERROR_SAYS(&error, 0, "reserved[0] is 1, expected 0");
    assert_int_equal(hs_columns_create(one, 2, &columns, &(hs_columns *){NULL}), HS_ERR_ARG);
    assert_int_equal(hs_rebalance_create(&layout, none, &rebalance, &(hs_rebalance *){NULL}, &error), HS_ERR_ARG);
    assert_int_equal(hs_divisible_create(&divisible, &(hs_divisible *){NULL}, &error), HS_ERR_ARG);
    CHECK_ERROR_SAYS(&error, 0, "reserved[7]");
    assert_int_equal(hs_collective_create(p, &collective, &(hs_collective *){NULL}, &error), HS_ERR_ARG);
    CHECK_ERROR_SAYS(&error, 0, "reserved[3]");
    assert_int_equal(hs_mapping_graph_ranks(p, &mapping, &graph, rank, NULL, NULL, &error), HS_ERR_ARG);
    CHECK_ERROR_SAYS(&error, 0, "reserved[7]");
    hs_platform_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings),
        cmocka_unit_test(slices),
        cmocka_unit_test(columns),
        cmocka_unit_test(grids),
        cmocka_unit_test(boxes),
        cmocka_unit_test(rebalances),
        cmocka_unit_test(divisibles),
        cmocka_unit_test(divisibles_too_early),
        cmocka_unit_test(divisibles_of_another_port),
        cmocka_unit_test(collectives),
        cmocka_unit_test(mappings),
        cmocka_unit_test(placements_and_bindings),
        cmocka_unit_test(fields_of_later_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
