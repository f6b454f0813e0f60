/* SPDX-License-Identifier: BSD-3-Clause */
/* What planners without a verb of hs answer to a random question: told SUBJECT SEED [PLATFORM]. told.answers asks. */
#include "plan/binding/binding.h"
#include "plan/discover/discover.h"
#include "plan/hierarchy/hierarchy.h"
#include "plan/links/links.h"
#include "plan/placement/placement.h"
#include "plan/placement/rank_order.h"
#include "plan/slices/weighted.h"
#include "util/random.h"
#include <heteroslice/hs_boxes.h>
#include <heteroslice/hs_collective.h>
#include <heteroslice/hs_mapping.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256 };

static hs__random random_state;
static const hs_platform *platform; /* NULL: none was given */

static int64_t below(int64_t n)
{
    return hs__random_below(&random_state, n);
}

static double between(double low, double high)
{
    return hs__random_between(&random_state, low, high);
}

static void draw(double *value, int n, double low, double high)
{
    for (int i = 0; i < n; i++)
        value[i] = between(low, high);
}

/* Ranks on hosts of the platform, some on the same. @return how many */
static int draw_ranks(int *host)
{
    int hosts = hs_platform_hosts(platform), ranks = 1 + (int)below(2 * hosts);
    ranks = ranks < MOST ? ranks : MOST;
    for (int r = 0; r < ranks; r++)
        host[r] = (int)below(hosts);
    return ranks;
}

static void tell_integers(const char *name, const int *value, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++)
        printf(" %d", value[i]);
    printf("\n");
}

static void tell_counts(const char *name, const int64_t *value, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++)
        printf(" %lld", (long long)value[i]);
    printf("\n");
}

static void tell_reals(const char *name, const double *value, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++)
        printf(" %.9g", value[i]);
    printf("\n");
}

/* ---- Boxes ---- */

static void tell_boxes(const hs_boxes *plan, int hosts)
{
    printf("method %d, step %.9g\n", (int)hs_boxes_method_of(plan), hs_boxes_step_time(plan));
    for (int h = 0; h < hosts; h++) {
        const hs_box *b = &hs_boxes_all(plan)[h];
        printf("  %d: %lld %lld %lld, %lld x %lld x %lld, halo %lld in %.9g\n", h, (long long)b->first[0],
               (long long)b->first[1], (long long)b->first[2], (long long)b->count[0], (long long)b->count[1],
               (long long)b->count[2], (long long)hs_boxes_halo_cells(plan, h), hs_boxes_halo_time(plan, h));
    }
}

static hs_status boxes(void)
{
    double cycle[MOST], halo[MOST];
    int host[MOST], hosts = platform ? draw_ranks(host) : 1 + (int)below(12);
    hs_boxes_domain domain = {.dims = 1 + (int)below(3), .halo = below(3), .stencil = (hs_boxes_stencil)below(2)};
    for (int d = 0; d < HS_BOXES_MAX_DIMS; d++) { /* what the domain does not have means nothing */
        domain.extent[d] = d < domain.dims ? 5 + below(60) : -7;
        domain.periodic[d] = d < domain.dims ? (int)below(2) : 3;
    }
    draw(cycle, hosts, 1e-6, 5e-6);
    draw(halo, hosts, 1e-7, 1e-6);
    hs_boxes_network network = {platform, host, 8};
    hs_boxes_params params = {.model = (hs_step_model)below(2), .network = platform ? &network : NULL};
    hs_boxes *plan, *again;
    hs_status status = hs_boxes_create(&domain, cycle, platform ? NULL : halo, hosts, &params, &plan, NULL);
    if (status != HS_OK)
        return status;
    tell_boxes(plan, hosts);
    draw(cycle, hosts, 1e-6, 5e-6);
    params.held = plan;
    status = hs_boxes_create(&domain, cycle, platform ? NULL : halo, hosts, &params, &again, NULL);
    if (status == HS_OK) {
        tell_boxes(again, hosts);
        hs_boxes_free(again);
    }
    hs_boxes_free(plan);
    return status;
}

/* ---- Ranks on hosts ---- */

static hs_status tell_mapping(hs_status status, const hs_mapping_cost *cost, const hs_mapping_cost *before,
                              const int *rank, int vertices)
{
    if (status != HS_OK && status != HS_UNCHANGED)
        return status;
    printf("%s, %.9g of %.9g, together %.9g of %.9g\n", hs_status_text(status), cost->busiest, before->busiest,
           cost->total, before->total);
    tell_integers("rank", rank, vertices);
    return HS_OK;
}

static hs_status mapping(void)
{
    enum { DEGREE = 4 };
    int host[MOST], rank[MOST], to[MOST * DEGREE], ranks = draw_ranks(host), vertices = 1 + (int)below(ranks);
    int64_t first[MOST + 1] = {0};
    double bytes[MOST * DEGREE];
    for (int v = 0; v < vertices; v++)
        for (first[v + 1] = first[v]; first[v + 1] < first[v] + DEGREE; first[v + 1]++)
            to[first[v + 1]] = (int)below(vertices);
    draw(bytes, vertices * DEGREE, 1, 1000);
    hs_mapping_params params = {.ranks = ranks, .host = host, .keep_first = (int)below(2), .effort = 100000};
    hs_mapping_graph graph = {vertices, first, to, bytes};
    hs_mapping_cost cost, before;
    hs_status status = hs_mapping_graph_ranks(platform, &params, &graph, rank, &cost, &before, NULL);
    return tell_mapping(status, &cost, &before, rank, vertices);
}

static hs_status grid_mapping(void)
{
    int host[MOST], rank[MOST], ranks = draw_ranks(host), extent[] = {2, ranks >= 4 ? ranks / 2 : 1},
                                periodic[] = {(int)below(2), 1};
    double bytes[] = {between(1, 100), between(1, 100)};
    if (ranks < 2)
        extent[0] = 1;
    hs_mapping_params params = {.ranks = ranks, .host = host, .effort = 100000};
    hs_mapping_cost cost, before;
    hs_status status = hs_mapping_grid_ranks(platform, &params, 2, extent, periodic, bytes, rank, &cost, &before, NULL);
    return tell_mapping(status, &cost, &before, rank, extent[0] * extent[1]);
}

static hs_status collective(void)
{
    int host[MOST], ranks = draw_ranks(host);
    hs_collective_params params;
    hs_collective_params_init(&params);
    params.kind = (hs_collective_kind)below(4);
    params.bytes = params.kind == HS_COLLECTIVE_BARRIER ? 0 : between(8, 4e6);
    params.ranks = ranks;
    params.host = host;
    params.root = (int)below(ranks + 1) - 1;
    hs_collective *plan;
    hs_status status = hs_collective_create(platform, &params, &plan, NULL);
    if (status != HS_OK)
        return status;
    printf("%.9g s of at least %.9g, pieces of %.9g bytes, root %d, shape %d\n", hs_collective_time(plan),
           hs_collective_lower_bound(plan), hs_collective_piece(plan), hs_collective_root(plan),
           (int)hs_collective_shape_of(plan));
    if (hs_collective_shape_of(plan) == HS_COLLECTIVE_TREE)
        tell_integers("parent", hs_collective_parent(plan), ranks);
    else
        tell_integers("place", hs_collective_place(plan), ranks);
    hs_collective_free(plan);
    return HS_OK;
}

static hs_status rank_order(void)
{
    int host[MOST], ranks = draw_ranks(host);
    double comm[16 * MOST];
    hs__rank_order order;
    hs_status status = hs__rank_order_create(ranks, &order);
    if (status == HS_OK)
        status = hs__rank_order_plan(&order, platform, host, 8, NULL, NULL);
    if (status == HS_OK) {
        tell_integers("position", order.position, ranks);
        tell_integers("ring", order.ring, order.ring_hosts);
        tell_reals("speed", order.speed, ranks);
        for (hs__ring_ends ends = 0; ends < HS__RING_ENDS; ends++) {
            hs__rank_order_messages(&order, ends, 1e5, comm);
            tell_reals("seconds", comm, order.memberships * ranks);
            tell_reals("traffic", hs__rank_order_traffic(&order, ends), order.memberships);
        }
    }
    hs__rank_order_free(&order);
    return status;
}

static hs_status placement(void)
{
    hs__placement_host host[MOST];
    int64_t count[MOST];
    int hosts = hs_platform_hosts(platform), node[MOST], order[MOST], n;
    double slowest;
    for (int h = 0; h < hosts; h++) {
        node[h] = h;
        host[h] = (hs__placement_host){hs_platform_host_speed(platform, h), hs_platform_host_cores(platform, h),
                                       1 + below(6)};
    }
    hs_status status = hs__placement_counts(host, hosts, 1 + below(hosts), count, &slowest);
    if (status != HS_OK)
        return status;
    tell_counts("ranks", count, hosts);
    printf("slowest %.9g\n", slowest);
    status = hs__placement_order(platform, node, host, count, hosts, between(0.001, 0.5), order, &n, NULL);
    if (status == HS_OK)
        tell_integers("order", order, n);
    return status;
}

static hs_status domains(void)
{
    int node[MOST], domain[MOST], host[MOST], hosts = hs_platform_hosts(platform), parts = draw_ranks(host);
    unsigned char distance[MOST * MOST];
    double weight[MOST];
    for (int h = 0; h < hosts; h++)
        node[h] = h;
    draw(weight, parts, 1, 5);
    hs_status status = hs__distances_find(platform, node, hosts, distance);
    if (status == HS_UNCHANGED) {
        printf("all hosts are as near\n");
        return HS_OK;
    }
    if (status != HS_OK)
        return status;
    for (int h = 0; h < hosts; h++) {
        for (int g = 0; g < hosts; g++)
            printf("%d%c", distance[h * hosts + g], g + 1 < hosts ? ' ' : '\n');
    }
    status = hs__domains_find(&(hs__domain_parts){parts, weight, host, hosts, distance}, domain);
    if (status == HS_OK)
        tell_integers("domain", domain, parts);
    return status;
}

/* Which link has changed, from rates of flows that are drawn. */
static hs_status links(void)
{
    enum { FLOWS = HS__LINK_MAX_ROUNDS * MOST };
    static hs__link_flow flow[FLOWS];
    int hosts = hs_platform_hosts(platform), rounds = hs__link_rounds(hosts), first[HS__LINK_MAX_ROUNDS + 1] = {0},
        n = 0;
    for (int k = 0; k < rounds; k++) {
        for (int h = 0; h < hosts; h++)
            if (hs__link_partner(hosts, k, h) != h)
                flow[n++] = (hs__link_flow){h, hs__link_partner(hosts, k, h), between(1e6, 1e7)};
        first[k + 1] = n;
    }
    hs__link_change change;
    hs_status status = hs__link_explain(platform, rounds, first, flow, &change);
    if (status == HS_OK)
        printf("link %d from %.9g to %.9g, twin %d from %.9g to %.9g, host %d\n", change.link, change.before,
               change.after, change.twin, change.twin_before, change.twin_after, change.host);
    return status;
}

/* Max-min rates of flows on the platform, each a little off. */
static hs_status measure(hs__probe_flow *flow, int n)
{
    static hs_route route[MOST];
    const int *links[MOST];
    size_t counts[MOST];
    double rates[MOST];
    hs_status status = HS_OK;
    for (int k = 0; status == HS_OK && k < n; k++) {
        status = hs_platform_route(platform, flow[k].from, flow[k].to, &route[k]);
        links[k] = route[k].links;
        counts[k] = route[k].count;
    }
    if (status == HS_OK)
        status = hs_platform_maxmin(platform, links, counts, (size_t)n, rates);
    for (int k = 0; k < n; k++) {
        flow[k].rate = rates[k] * between(0.97, 1);
        hs_route_free(&route[k]);
    }
    return status;
}

static void tell_cuts(const hs__discovery *discovery, int hosts)
{
    int count;
    const hs__cut *cut = hs__discovery_cuts(discovery, &count);
    printf("%d rounds, %d flows\n", hs__discovery_rounds(discovery), hs__discovery_probes(discovery));
    for (int c = 0; c < count; c++) {
        for (int h = 0; h < hosts; h++)
            putchar(cut[c].side[h] ? 'x' : '.');
        printf(" host %d, policy %d, parent %d, full %d %d", cut[c].host, (int)cut[c].policy, cut[c].parent,
               cut[c].full[0], cut[c].full[1]);
        tell_reals(", capacities", cut[c].capacity, 2);
    }
}

static hs_status discovery(void)
{
    int hosts = hs_platform_hosts(platform), flows = 1;
    hs__probe_flow flow[MOST];
    hs__discovery *discovery;
    hs_status status = hs__discovery_create(hosts, &discovery);
    if (status != HS_OK)
        return status;
    while (status == HS_OK && flows > 0 && hs__discovery_rounds(discovery) < 60) {
        status = hs__discovery_next(discovery, 60 - hs__discovery_rounds(discovery), flow, &flows);
        if (status == HS_OK && flows > 0)
            status = measure(flow, flows);
        if (status == HS_OK && flows > 0)
            status = hs__discovery_add(discovery, flow, flows);
    }
    if (status == HS_OK)
        status = hs__discovery_conclude(discovery);
    if (status == HS_OK)
        tell_cuts(discovery, hosts);
    hs__discovery_free(discovery);
    return status;
}

/* ---- Without a platform ---- */

static hs_status binding(void)
{
    int ranks = 1 + (int)below(8), cores = 1 + (int)below(8), width[MOST];
    double work[MOST], speed[MOST], time[2];
    char now[MOST] = {0}, set[MOST], allowed[MOST];
    draw(work, ranks, 0.5, 4);
    draw(speed, cores, 1, 3);
    for (int r = 0; r < ranks; r++) {
        width[r] = 1 + (int)below(3);
        for (int c = 0; c < cores; c++)
            allowed[r * cores + c] = below(4) > 0;
        allowed[r * cores + r % cores] = 1;
        now[r * cores + r % cores] = 1;
    }
    hs__binding_node node = {ranks, cores, work, width, speed, allowed};
    hs_status status = hs__binding_plan(&node, now, set, &time[0], &time[1]);
    if (status != HS_OK && status != HS_UNCHANGED)
        return status;
    tell_reals(hs_status_text(status), time, 2);
    for (int r = 0; r < (status == HS_OK ? ranks : 0); r++) {
        for (int c = 0; c < cores; c++)
            putchar(set[r * cores + c] ? 'x' : '.');
        putchar('\n');
    }
    return HS_OK;
}

static hs_status slices(void)
{
    double weight[MOST], cycle[MOST], comm[MOST], prefix[MOST + 1], step;
    int hosts = 1 + (int)below(9), units = MOST - (int)below(200);
    int64_t count[MOST], held[MOST] = {units}, scratch[HS__SLICES_SCRATCH(MOST)];
    hs_step_model model = (hs_step_model)below(2);
    draw(weight, units, 0, 2);
    draw(cycle, hosts, 1, 6);
    draw(comm, hosts, 1, 40);
    hs_status status = hs_slices_compute(cycle, comm, hosts, units, 1 + below(4), model, count, &step);
    if (status == HS_OK) {
        tell_counts("equal units", count, hosts);
        tell_reals("step", &step, 1);
        memcpy(held, count, sizeof held);
    }
    status = hs_slices_compute_weighted(weight, cycle, comm, hosts, units, 1 + below(4), model, count, &step);
    if (status == HS_OK) {
        tell_counts("weights", count, hosts);
        tell_reals("step", &step, 1);
    }
    hs__weights_sum(weight, units, prefix);
    hs__slices_task task = {prefix, cycle, comm, NULL, hosts, units, 1};
    status = hs__slices_near(&task, between(0, 1), step * between(1, 1.3), held, count, scratch);
    if (status == HS_OK)
        tell_counts("near", count, hosts);
    return status == HS_ERR_INFEASIBLE ? HS_OK : status;
}

static const struct subject {
    const char *name;
    hs_status (*answer)(void);
    int on_platform; /* 1: always; 0: never; -1: where one is given */
} subjects[] = {{"boxes", boxes, -1},          {"mapping", mapping, 1},  {"grid-mapping", grid_mapping, 1},
                {"collective", collective, 1}, {"order", rank_order, 1}, {"placement", placement, 1},
                {"domains", domains, 1},       {"links", links, 1},      {"discovery", discovery, 1},
                {"binding", binding, 0},       {"slices", slices, 0}};

int main(int argc, char **argv)
{
    hs_platform *read = NULL;
    if (argc > 3 && hs_platform_read(argv[3], &read, NULL) != HS_OK)
        return 1;
    platform = read;
    for (size_t s = 0; argc > 2 && s < sizeof subjects / sizeof *subjects; s++) {
        const struct subject *subject = &subjects[s];
        if (strcmp(argv[1], subject->name) != 0 ||
            (subject->on_platform >= 0 && subject->on_platform != (platform != NULL)))
            continue;
        random_state.state = strtoull(argv[2], NULL, 10);
        hs_status status = subject->answer();
        if (status != HS_OK)
            printf("%s\n", hs_status_text(status));
        hs_platform_free(read);
        return 0;
    }
    fprintf(stderr, "usage: told SUBJECT SEED [PLATFORM]\n");
    return 2;
}
