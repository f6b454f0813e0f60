/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of hs ring for people. */
#include "cli/plan/ring_print.h"
#include "cli/base/bounds.h"
#include "cli/base/rows.h"
#include "util/assert.h"
#include "util/letters.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The widest id of the ring's hosts, at least as wide as the heading. */
static int id_width(const hs_platform *platform, const hs_ring *ring, const char *heading)
{
    int width = (int)strlen(heading);
    for (int k = 0; k < hs_ring_size(ring); k++)
        width = hs__column_with(width, hs_platform_node_id(platform, hs_ring_host(ring, k)));
    return width;
}

static double member_time(const void *ring, int k)
{
    return hs_ring_compute_time(ring, k) + hs_ring_comm_time(ring, k);
}

static double path_slowness(const void *ring, int f)
{
    return -hs_ring_path_at(ring, f)->bandwidth;
}

static void print_members(const hs_platform *platform, const hs_ring *ring, int with_units, int all)
{
    char compute[32], comm[32];
    int width = id_width(platform, ring, "HOST"), n = hs_ring_size(ring);
    cli_rows rows = cli_choose_rows(n, CLI_ROWS, all, member_time, ring);
    printf("\n%-*s  %8s%s  %12s  %12s\n", width, "HOST", "SHARE", with_units ? "       UNITS" : "", "COMPUTE",
           "MESSAGES");
    for (int k = 0; k < n; k++) {
        if (!cli_shows_row(&rows, k))
            continue;
        hs_quantity_format(hs_ring_compute_time(ring, k), HS_UNIT_TIME, compute, sizeof compute);
        hs_quantity_format(hs_ring_comm_time(ring, k), HS_UNIT_TIME, comm, sizeof comm);
        const char *id = hs_platform_node_id(platform, hs_ring_host(ring, k));
        printf("%-*s  %6.2f %%", hs__field(width, id), id, 100 * hs_ring_share_of(ring, k));
        if (with_units)
            printf("  %10lld", (long long)hs_ring_units(ring, k));
        printf("  %12s  %12s\n", compute, comm);
    }
    cli_print_rest(&rows, "hosts that take no longer");
}

/** A ring that is printed. */
typedef struct printed {
    const hs_platform *platform;
    const hs_ring *ring;
} printed;

/* Most hosts are left out since they cost more than they bring; others are off, or no route reaches them. */
static void print_outsider(FILE *out, const void *context, int v)
{
    const printed *p = context;
    hs_route route = {0};
    int off = !(hs_platform_host_speed(p->platform, v) > 0);
    int reached = hs_platform_route_listed(p->platform, hs_ring_host(p->ring, 0), v, &route) == HS_OK;
    fprintf(out, "%s%s", hs_platform_node_id(p->platform, v),
            off        ? " (speed 0)"
            : !reached ? " (no route from the ring)"
                       : "");
    hs_route_free(&route);
}

static int member(const void *context, int k)
{
    return hs_ring_host(((const printed *)context)->ring, k);
}

static void print_path(const hs_platform *platform, const hs_ring_path *path, int width)
{
    char bandwidth[32] = "unlimited";
    const char *from = hs_platform_node_id(platform, path->from), *to = hs_platform_node_id(platform, path->to);
    if (isfinite(path->bandwidth))
        hs_quantity_format(path->bandwidth, HS_UNIT_BANDWIDTH, bandwidth, sizeof bandwidth);
    printf("%-*s  %-*s  %12s ", hs__field(width, from), from, hs__field(width, to), to, bandwidth);
    for (size_t m = 0; m < path->count; m++)
        printf(" %s", hs_platform_link_id(platform, path->links[m]));
    putchar('\n');
}

static void print_paths(const hs_platform *platform, const hs_ring *ring, int all)
{
    int width = id_width(platform, ring, "FROM"), n = hs_ring_paths(ring);
    cli_rows rows = cli_choose_rows(n, 2 * CLI_ROWS, all, path_slowness, ring);
    if (n > 0)
        printf("\n%-*s  %-*s  %12s  LINKS\n", width, "FROM", width, "TO", "BANDWIDTH");
    for (int f = 0; f < n; f++)
        if (cli_shows_row(&rows, f))
            print_path(platform, hs_ring_path_at(ring, f), width);
    cli_print_rest(&rows, "paths that are no slower");
}

/* Of a large platform only the sizes 1, 2, 5, 10, 20 ..., the ring's and the last. */
static int is_round(int q)
{
    while (q % 10 == 0)
        q /= 10;
    return q == 1 || q == 2 || q == 5;
}

static void print_sizes(const hs_platform *platform, const hs_ring *ring, int all)
{
    char time[32];
    int n = hs_platform_hosts(platform);
    printf("\nHOSTS  STEP TIME\n");
    for (int q = 1; q <= n; q++) {
        if (!isfinite(hs_ring_by_size(ring, q)))
            continue;
        if (!all && n > CLI_ROWS && !is_round(q) && q != n && q != hs_ring_size(ring))
            continue;
        hs_quantity_format(hs_ring_by_size(ring, q), HS_UNIT_TIME, time, sizeof time);
        printf("%5d  %s\n", q, time);
    }
}

void cli_ring_print(const hs_platform *platform, const hs_ring *ring, const hs__bounds *bounds, int with_units, int all)
{
    const printed context = {platform, ring};
    HS_ASSERT(hs_ring_size(ring) >= 1 && hs_ring_size(ring) <= hs_platform_hosts(platform));
    print_members(platform, ring, with_units, all);
    cli_print_left_out(hs_platform_hosts(platform), hs_ring_size(ring), member, all, print_outsider, &context);
    print_paths(platform, ring, all);
    cli_print_bounds(bounds);
    print_sizes(platform, ring, all);
}
