/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes of a square or flat domain over all hosts of a platform and its links, for step.c to play: the first line has the
 * planned seconds of a step and the bytes of all halos; then one line a host: its name, the flop of its box, the number of
 * messages that it receives, and who sends each with how many bytes.
 *
 * usage: plan PLATFORM LAYOUT ROWS COLUMNS CELL-BYTES FLOP-OF-A-CELL     LAYOUT: best, rows, grid or columns */
#include <heteroslice/hs_boxes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HOSTS = 1024 };

static hs_boxes_method method_of(const char *name)
{
    static const char *const names[] = {
        [HS_BOXES_BEST] = "best", [HS_BOXES_ROWS] = "rows", [HS_BOXES_GRID] = "grid", [HS_BOXES_COLUMNS] = "columns"};
    for (int k = 0; k <= HS_BOXES_COLUMNS; k++)
        if (strcmp(name, names[k]) == 0)
            return (hs_boxes_method)k;
    fprintf(stderr, "plan: unknown layout: %s\n", name);
    exit(2);
}

static double cells(const hs_box *box)
{
    return (double)box->count[0] * (double)box->count[1];
}

/* A neighbour may have several pieces; each is a message, as hs_box_exchange() sends them. */
static int print_host(const hs_boxes *plan, const hs_platform *platform, int host, double bytes, double flop)
{
    hs_box_piece *piece;
    int count;
    if (hs_boxes_halo(plan, host, &piece, &count) != HS_OK)
        return -1;
    printf("%s %.17g %d", hs_platform_node_id(platform, host), cells(hs_boxes_all(plan) + host) * flop, count);
    for (int k = 0; k < count; k++)
        printf(" %d %.0f", piece[k].host, cells(&piece[k].cells) * bytes);
    putchar('\n');
    free(piece);
    return 0;
}

static int print_plan(const hs_boxes *plan, const hs_platform *platform, double bytes, double flop)
{
    double halo = 0;
    for (int i = 0; i < hs_platform_hosts(platform); i++)
        halo += (double)hs_boxes_halo_cells(plan, i);
    printf("%.9g %.0f\n", hs_boxes_step_time(plan), halo * bytes);
    for (int i = 0; i < hs_platform_hosts(platform); i++)
        if (print_host(plan, platform, i, bytes, flop) != 0)
            return -1;
    return 0;
}

int main(int argc, char **argv)
{
    static int host[MAX_HOSTS];
    static double cycle[MAX_HOSTS];
    hs_platform *platform;
    hs_boxes *plan;
    hs_error error;
    if (argc != 7) {
        fprintf(stderr, "usage: plan PLATFORM LAYOUT ROWS COLUMNS CELL-BYTES FLOP-OF-A-CELL\n");
        return 2;
    }
    if (hs_platform_read(argv[1], &platform, &error) != HS_OK || hs_platform_hosts(platform) > MAX_HOSTS) {
        fprintf(stderr, "plan: %s: not read, or too many hosts\n", argv[1]);
        return 1;
    }
    double bytes = atof(argv[5]), flop = atof(argv[6]);
    int hosts = hs_platform_hosts(platform);
    for (int i = 0; i < hosts; i++) {
        host[i] = i;
        cycle[i] = flop / hs_platform_host_speed(platform, i);
    }
    hs_boxes_network network = {.platform = platform, .host = host, .cell_bytes = bytes};
    hs_boxes_params params = {.method = method_of(argv[2]), .network = &network};
    hs_boxes_domain domain = {.dims = 2, .extent = {atoll(argv[3]), atoll(argv[4])}, .halo = 1};
    if (hs_boxes_create(&domain, cycle, NULL, hosts, &params, &plan, &error) != HS_OK) {
        fprintf(stderr, "plan: no plan: %s\n", error.text);
        return 1;
    }
    int failed = print_plan(plan, platform, bytes, flop);
    hs_boxes_free(plan);
    hs_platform_free(platform);
    return failed != 0;
}
