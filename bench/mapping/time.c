/* SPDX-License-Identifier: BSD-3-Clause */
/* Time and gain of mapping: grids, and graphs of unequal weights, of N vertices on hosts of eight ranks each, assigned
 * round-robin, on 1 to 8 sites joined by links as wide as one host's: `time [N]`, by default 1000. Prints CSV; seconds
 * are cpu time of 3 plans; `left` is the busiest link's load relative to that of the given order. */
#include "util/random.h"
#include <heteroslice/hs_mapping.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ON_A_HOST = 8, NEIGHBOURS = 6, PLANS = 3 };

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        exit(EXIT_FAILURE);
    return memory;
}

static hs_platform *make_sites(int hosts, int sites)
{
    hs_platform *platform;
    int node, link;
    char name[24];
    if (hs_platform_create(HS_ROUTING_GRAPH, &platform) != HS_OK)
        exit(EXIT_FAILURE);
    for (int h = 0; h < hosts; h++) {
        snprintf(name, sizeof name, "h%d", h);
        hs_platform_add_host(platform, name, 1e9, ON_A_HOST, NULL, NULL);
    }
    for (int s = 0; s <= sites; s++) { /* the last one is the centre */
        snprintf(name, sizeof name, "r%d", s);
        hs_platform_add_router(platform, name, &node, NULL);
    }
    for (int n = 0; n < hosts + sites; n++) {
        snprintf(name, sizeof name, "l%d", n);
        hs_platform_add_link(platform, name, 1e9, 0, HS_SHARED, &link, NULL);
        hs_platform_add_edge(platform, n, n < hosts ? hosts + n % sites : hosts + sites, link, NULL);
    }
    return platform;
}

static double seconds_used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The problem: a grid, or a graph when it has no dimensions. */
typedef struct problem {
    const char *name;
    int dimensions, extent[3], periodic[3];
    hs_mapping_graph graph;
} problem;

static void map(const problem *x, int ranks, int sites)
{
    int hosts = (ranks + ON_A_HOST - 1) / ON_A_HOST, *host = allocate((size_t)ranks, sizeof *host),
        *rank = allocate((size_t)ranks, sizeof *rank);
    double took[PLANS];
    hs_platform *platform = make_sites(hosts, sites);
    hs_mapping_params params = {.ranks = ranks, .host = host};
    hs_mapping_cost cost = {0, 0}, before = {0, 0};
    for (int r = 0; r < ranks; r++)
        host[r] = r % hosts;
    for (int plan = 0; plan < PLANS; plan++) {
        double begun = seconds_used();
        hs_status status = x->dimensions > 0
                               ? hs_mapping_grid_ranks(platform, &params, x->dimensions, x->extent, x->periodic, NULL,
                                                       rank, &cost, &before, NULL)
                               : hs_mapping_graph_ranks(platform, &params, &x->graph, rank, &cost, &before, NULL);
        took[plan] = seconds_used() - begun;
        if (status < HS_OK)
            exit(EXIT_FAILURE);
    }
    qsort(took, PLANS, sizeof *took, ascending);
    printf("%s,%d,%d,%d,%.3f,%.3f,%.3f\n", x->name, ranks, hosts, sites, took[PLANS / 2], took[PLANS - 1],
           before.busiest > 0 ? cost.busiest / before.busiest : 1);
    fflush(stdout);
    hs_platform_free(platform);
    free(rank);
    free(host);
}

/* A graph whose neighbours are mostly near in a hidden order, with weights from 1 to 1000. */
static void make_graph(problem *x, int vertices)
{
    hs__random random = {11};
    int *hidden = allocate((size_t)vertices, sizeof *hidden), *to = allocate((size_t)vertices * NEIGHBOURS, sizeof *to);
    int *place = allocate((size_t)vertices, sizeof *place);
    int64_t *first = allocate((size_t)vertices + 1, sizeof *first);
    double *bytes = allocate((size_t)vertices * NEIGHBOURS, sizeof *bytes);
    for (int v = 0; v < vertices; v++) {
        int other = (int)hs__random_below(&random, v + 1);
        hidden[v] = hidden[other];
        hidden[other] = v;
    }
    for (int v = 0; v < vertices; v++)
        place[hidden[v]] = v;
    for (int v = 0; v < vertices; v++) {
        for (int k = 0; k < NEIGHBOURS; k++) {
            int far = 1 + (int)hs__random_below(&random, k < NEIGHBOURS - 1 ? 8 : vertices - 1);
            to[v * NEIGHBOURS + k] = hidden[(place[v] + far) % vertices];
            bytes[v * NEIGHBOURS + k] = (double)(1 + hs__random_below(&random, 1000));
        }
        first[v + 1] = (int64_t)NEIGHBOURS * (v + 1);
    }
    x->graph = (hs_mapping_graph){vertices, first, to, bytes};
    free(place);
    free(hidden);
}

/* The most square sides of a box of n cells. */
static void cut(int n, int dimensions, int *extent)
{
    for (int d = dimensions; d > 0; d--) {
        int side = 1;
        for (int s = 1; s <= n; s++) {
            double volume = 1;
            for (int k = 0; k < d; k++)
                volume *= s;
            if (n % s == 0 && volume <= n)
                side = s;
        }
        extent[d - 1] = side;
        n /= side;
    }
    extent[0] *= n;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    if (n < 2 || n > 100000)
        return EXIT_FAILURE;
    problem problems[] = {{.name = "grid-2", .dimensions = 2},
                          {.name = "torus-2", .dimensions = 2, .periodic = {1, 1}},
                          {.name = "grid-3", .dimensions = 3},
                          {.name = "graph"}};
    puts("problem,ranks,hosts,sites,median_s,worst_s,left");
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        if (problems[i].dimensions > 0)
            cut(n, problems[i].dimensions, problems[i].extent);
        else
            make_graph(&problems[i], n);
        for (int sites = 1; sites <= 8; sites *= 2)
            map(&problems[i], n, sites);
        free((void *)problems[i].graph.first);
        free((void *)problems[i].graph.to);
        free((void *)problems[i].graph.bytes);
    }
    return EXIT_SUCCESS;
}
