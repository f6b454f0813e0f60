/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes big platform files of shapes found in practice, for tests and benchmarks.
 *
 * usage: make_platform sites HOSTS SEED      clusters of hosts under sites under one backbone, zones in zones
 *        make_platform explicit HOSTS SEED   a random graph of as many switches, every pair's route written out
 *        make_platform graph HOSTS SEED      the same graph with neighbours only (Floyd) */
#include "util/random.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 10, SPEEDS = 25, MOST_SWITCHES = 4096, DEGREE = 3 };

static void head(void)
{
    puts("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">");
}

/* One cluster of a site, behind the site's router, sometimes with a backbone. */
static void print_cluster(int site, int cluster, int first, int hosts, hs__random *random)
{
    printf("      <cluster id=\"c%d.%d\" prefix=\"node-\" suffix=\".s%d\" radical=\"%d-%d\" speed=\"%lld.5Gf\" "
           "bw=\"125MBps\" lat=\"100us\"%s/>\n",
           site, cluster, site, first, first + hosts - 1, (long long)(1 + hs__random_below(random, SPEEDS)),
           hs__random_below(random, 2) ? " bb_bw=\"1.25GBps\" bb_lat=\"100us\"" : "");
}

static void print_site(int site, int hosts, hs__random *random)
{
    int clusters = 0;
    printf("    <zone id=\"site%d\" routing=\"Full\">\n", site);
    for (int first = 1; first <= hosts; clusters++) {
        int size = 20 + (int)hs__random_below(random, 100);
        size = first + size - 1 > hosts ? hosts - first + 1 : size;
        print_cluster(site, clusters, first, size, random);
        first += size;
    }
    printf("      <zone id=\"exit%d\" routing=\"Full\"><router id=\"gw%d\"/></zone>\n", site, site);
    for (int c = 0; c < clusters; c++)
        printf("      <link id=\"up%d.%d\" bandwidth=\"1.25GBps\" latency=\"100us\"/>\n", site, c);
    for (int c = 0; c < clusters; c++) {
        printf("      <zoneRoute src=\"c%d.%d\" dst=\"exit%d\" gw_src=\"node-c%d.%d_router.s%d\" gw_dst=\"gw%d\">"
               "<link_ctn id=\"up%d.%d\"/></zoneRoute>\n",
               site, c, site, site, c, site, site, site, c);
        for (int d = c + 1; d < clusters; d++)
            printf("      <zoneRoute src=\"c%d.%d\" dst=\"c%d.%d\" gw_src=\"node-c%d.%d_router.s%d\" "
                   "gw_dst=\"node-c%d.%d_router.s%d\"><link_ctn id=\"up%d.%d\"/><link_ctn id=\"up%d.%d\"/>"
                   "</zoneRoute>\n",
                   site, c, site, d, site, c, site, site, d, site, site, c, site, d);
    }
    puts("    </zone>");
}

static void print_sites(int hosts, hs__random *random)
{
    head();
    puts("  <zone id=\"grid\" routing=\"Floyd\">\n    <zone id=\"backbone\" routing=\"Floyd\">");
    for (int s = 0; s < SITES; s++)
        printf("      <router id=\"city%d\"/>\n", s);
    for (int s = 1; s < SITES; s++)
        printf("      <link id=\"bb%d\" bandwidth=\"1.25GBps\" latency=\"2.25ms\" sharing_policy=\"FATPIPE\"/>\n", s);
    for (int s = 1; s < SITES; s++)
        printf("      <route src=\"city%d\" dst=\"city%d\"><link_ctn id=\"bb%d\"/></route>\n", s,
               (int)hs__random_below(random, s), s);
    puts("    </zone>");
    for (int s = 0; s < SITES; s++)
        print_site(s, hosts / SITES + (s < hosts % SITES), random);
    for (int s = 0; s < SITES; s++)
        printf("    <link id=\"wan%d\" bandwidth=\"1.25GBps\" latency=\"1ms\"/>\n", s);
    for (int s = 0; s < SITES; s++)
        printf(
            "    <zoneRoute src=\"site%d\" dst=\"backbone\" gw_src=\"gw%d\" gw_dst=\"city%d\"><link_ctn id=\"wan%d\"/>"
            "</zoneRoute>\n",
            s, s, s, s);
    puts("  </zone>\n</platform>");
}

/* A random tree of switches with some chords; host h hangs on switch h % switches by link h. */
typedef struct graph {
    int switches, edges;
    int end[MOST_SWITCHES * DEGREE][2];
    int before[MOST_SWITCHES]; /* the edge towards the switch searched from */
} graph;

static void make_graph(graph *g, int hosts, hs__random *random)
{
    g->switches = hosts > MOST_SWITCHES ? MOST_SWITCHES : hosts;
    for (int s = 1; s < g->switches; s++) {
        g->end[g->edges][0] = s;
        g->end[g->edges++][1] = (s > 3 ? s - 3 : 0) + (int)hs__random_below(random, s > 3 ? 3 : s);
    }
    for (int s = 8; s < g->switches; s += 7) {
        g->end[g->edges][0] = s;
        g->end[g->edges++][1] = (int)hs__random_below(random, s - 6);
    }
}

/* Breadth first from one switch. */
static void search(graph *g, int from)
{
    static int queue[MOST_SWITCHES];
    int head = 0, tail = 0;
    for (int s = 0; s < g->switches; s++)
        g->before[s] = -1;
    queue[tail++] = from;
    while (head < tail) {
        int s = queue[head++];
        for (int e = 0; e < g->edges; e++)
            for (int side = 0; side < 2; side++) {
                int t = g->end[e][1 - side];
                if (g->end[e][side] == s && t != from && g->before[t] < 0) {
                    g->before[t] = e;
                    queue[tail++] = t;
                }
            }
    }
}

static void print_nodes_and_links(const graph *g, int hosts, int with_switches, hs__random *random)
{
    for (int h = 0; h < hosts; h++)
        printf("    <host id=\"h%d\" speed=\"%lldMf\"/>\n", h, (long long)(50 + hs__random_below(random, 100)));
    for (int s = 0; with_switches && s < g->switches; s++)
        printf("    <router id=\"s%d\"/>\n", s);
    for (int l = 0; l < hosts + g->edges; l++)
        printf("    <link id=\"%d\" bandwidth=\"%lldkBps\" latency=\"%lldus\"/>\n", l,
               (long long)(1000 + hs__random_below(random, 100000)), (long long)(20 + hs__random_below(random, 4000)));
}

static void print_explicit(int hosts, hs__random *random)
{
    static graph g;
    make_graph(&g, hosts, random);
    head();
    puts("  <zone id=\"all\" routing=\"Full\">");
    print_nodes_and_links(&g, hosts, 0, random);
    for (int a = 0; a < hosts; a++) {
        search(&g, a % g.switches);
        for (int b = 0; b < a; b++) {
            printf("    <route src=\"h%d\" dst=\"h%d\"><link_ctn id=\"%d\"/>", b, a, b);
            for (int s = b % g.switches; s != a % g.switches;) {
                int e = g.before[s];
                printf("<link_ctn id=\"%d\"/>", hosts + e);
                s = g.end[e][g.end[e][0] == s];
            }
            printf("<link_ctn id=\"%d\"/></route>\n", a);
        }
    }
    puts("  </zone>\n</platform>");
}

static void print_graph(int hosts, hs__random *random)
{
    static graph g;
    make_graph(&g, hosts, random);
    head();
    puts("  <zone id=\"all\" routing=\"Floyd\">");
    print_nodes_and_links(&g, hosts, 1, random);
    for (int h = 0; h < hosts; h++)
        printf("    <route src=\"h%d\" dst=\"s%d\"><link_ctn id=\"%d\"/></route>\n", h, h % g.switches, h);
    for (int e = 0; e < g.edges; e++)
        printf("    <route src=\"s%d\" dst=\"s%d\"><link_ctn id=\"%d\"/></route>\n", g.end[e][0], g.end[e][1],
               hosts + e);
    puts("  </zone>\n</platform>");
}

int main(int argc, char **argv)
{
    int hosts = argc == 4 ? atoi(argv[2]) : 0;
    hs__random random = {argc == 4 ? (uint64_t)atoll(argv[3]) : 0};
    if (hosts > 0 && strcmp(argv[1], "sites") == 0)
        print_sites(hosts, &random);
    else if (hosts > 0 && strcmp(argv[1], "explicit") == 0)
        print_explicit(hosts, &random);
    else if (hosts > 0 && strcmp(argv[1], "graph") == 0)
        print_graph(hosts, &random);
    else {
        fprintf(stderr, "usage: make_platform sites|explicit|graph HOSTS SEED\n");
        return 2;
    }
    return fflush(stdout) != 0;
}
