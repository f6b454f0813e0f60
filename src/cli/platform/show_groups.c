/* SPDX-License-Identifier: BSD-3-Clause */
/* A large platform in few rows: hosts of equal speed and cores together, and links of equal bandwidth, latency and sharing. */
#include "cli/platform/show_groups.h"
#include "cli/base/hosts.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/plural.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 20 };

/** Elements alike: what they are worth, how many, and the first and last of them. */
typedef struct group {
    double a, b;
    const char *sharing;
    int count, first, last;
} group;

/** Elements being put together. */
typedef struct grouping {
    group *group;
    int count;
} grouping;

const char *cli_sharing_name(const hs_platform *platform, int link)
{
    if (hs_platform_link_twin(platform, link) >= 0)
        return "splitduplex";
    return hs_platform_link_sharing(platform, link) == HS_FATPIPE ? "fatpipe" : "shared";
}

static int by_worth(const void *x, const void *y)
{
    const group *a = x, *b = y;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    if (a->b != b->b)
        return a->b < b->b ? -1 : 1;
    return strcmp(a->sharing, b->sharing);
}

static int by_worth_and_place(const void *x, const void *y)
{
    const group *a = x, *b = y;
    int worth = by_worth(a, b);
    return worth ? worth : (a->first > b->first) - (a->first < b->first);
}

static int by_count(const void *x, const void *y)
{
    const group *a = x, *b = y;
    return a->count != b->count ? (a->count < b->count ? 1 : -1) : (a->first > b->first) - (a->first < b->first);
}

/* Put what is alike together, the most frequent first. Each group has one element before, and they may be a million. */
static void join(grouping *g)
{
    int n = g->count;
    qsort(g->group, (size_t)n, sizeof *g->group, by_worth_and_place);
    g->count = 0;
    for (int i = 0; i < n; i++) {
        group *last = g->count > 0 ? &g->group[g->count - 1] : NULL;
        if (last && by_worth(last, &g->group[i]) == 0) {
            last->count++;
            last->last = g->group[i].last;
        } else {
            g->group[g->count++] = g->group[i];
        }
    }
    qsort(g->group, (size_t)g->count, sizeof *g->group, by_count);
}

static int sum(const grouping *g, int from)
{
    int elements = 0;
    for (int k = from; k < g->count; k++)
        elements += g->group[k].count;
    return elements;
}

static void print_rest(const grouping *g, const char *what)
{
    if (g->count > MOST_GROUPS)
        printf("%7d  other %s of %d kind%s\n", sum(g, MOST_GROUPS), what, g->count - MOST_GROUPS,
               hs__plural(g->count - MOST_GROUPS));
}

/* "a1", or "a1 ... a99" */
static void print_names(const hs_platform *platform, const group *g, const char *(*id)(const hs_platform *, int))
{
    printf(g->count > 1 ? "%s ... %s\n" : "%s\n", id(platform, g->first), id(platform, g->last));
}

static void print_hosts(const hs_platform *platform, grouping *g)
{
    char speed[32];
    int n = hs_platform_hosts(platform);
    g->count = 0;
    for (int v = 0; v < n; v++)
        g->group[g->count++] =
            (group){hs_platform_host_speed(platform, v), hs_platform_host_cores(platform, v), "", 1, v, v};
    join(g);
    HS_ASSERT(sum(g, 0) == n);
    printf("\n%7s  %12s  %5s  WHICH\n", "HOSTS", "SPEED", "CORES");
    for (int k = 0; k < g->count && k < MOST_GROUPS; k++) {
        hs_quantity_format(g->group[k].a, HS_UNIT_SPEED, speed, sizeof speed);
        printf("%7d  %12s  %5.0f  ", g->group[k].count, speed, g->group[k].b);
        print_names(platform, &g->group[k], hs_platform_node_id);
    }
    print_rest(g, "hosts");
    int functions = 0, limits = 0;
    cli_count_speeds_by_size(platform, &functions, &limits);
    if (functions + limits > 0)
        printf("\n%d host%s with speeds by size, %d with a largest slice\n", functions, hs__plural(functions), limits);
}

static void print_links(const hs_platform *platform, grouping *g)
{
    char bandwidth[32], latency[32];
    int n = hs_platform_links(platform);
    g->count = 0;
    for (int l = 0; l < n; l++)
        g->group[g->count++] = (group){hs_platform_link_bandwidth(platform, l),
                                       hs_platform_link_latency(platform, l),
                                       cli_sharing_name(platform, l),
                                       1,
                                       l,
                                       l};
    join(g);
    HS_ASSERT(sum(g, 0) == n);
    printf("\n%7s  %12s  %9s  %-11s  WHICH\n", "LINKS", "BANDWIDTH", "LATENCY", "SHARING");
    for (int k = 0; k < g->count && k < MOST_GROUPS; k++) {
        hs_quantity_format(g->group[k].a, HS_UNIT_BANDWIDTH, bandwidth, sizeof bandwidth);
        hs_quantity_format(g->group[k].b, HS_UNIT_TIME, latency, sizeof latency);
        printf("%7d  %12s  %9s  %-11s  ", g->group[k].count, bandwidth, latency, g->group[k].sharing);
        print_names(platform, &g->group[k], hs_platform_link_id);
    }
    print_rest(g, "links");
}

int cli_show_groups(const cli_verb *verb, const hs_platform *platform)
{
    int hosts = hs_platform_hosts(platform), links = hs_platform_links(platform);
    grouping g = {.group = hs__array_new((size_t)(hosts > links ? hosts : links) + 1, sizeof *g.group)};
    if (!g.group)
        return cli_bad_value(verb, "out of memory");
    int routers = hs_platform_routers(platform);
    printf("%d host%s, %d router%s, %d link%s (--all: a row for each)\n", hosts, hs__plural(hosts), routers,
           hs__plural(routers), links, hs__plural(links));
    print_hosts(platform, &g);
    if (links > 0)
        print_links(platform, &g);
    free(g.group);
    return CLI_OK;
}
