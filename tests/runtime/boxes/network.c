/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks on two switches, in turns: the layout charges halos to the trunk, and ranks of one switch have one part of the domain. */
#include "runtime/boxes/boxes.h"
#include "tests/mpi.h"

enum { SIDE = 24 };

/* A file with host "h<r>" of each rank, on one switch or the other. */
static void write_hosts(const char *path)
{
    hs_platform *p;
    int hub[2], link;
    char id[16];
    REQUIRE(hs_platform_create(HS_ROUTING_GRAPH, &p) == HS_OK);
    for (int r = 0; r < world_size(); r++) {
        snprintf(id, sizeof id, "h%d", r);
        REQUIRE(hs_platform_add_host(p, id, 1e9, 1, NULL, NULL) == HS_OK);
    }
    for (int s = 0; s < 2; s++) {
        snprintf(id, sizeof id, "s%d", s);
        REQUIRE(hs_platform_add_router(p, id, &hub[s], NULL) == HS_OK);
    }
    for (int r = 0; r < world_size(); r++) {
        snprintf(id, sizeof id, "l%d", r);
        REQUIRE(hs_platform_add_link(p, id, 1e8, 0, HS_SHARED, &link, NULL) == HS_OK);
        REQUIRE(hs_platform_add_edge(p, r, hub[r % 2], link, NULL) == HS_OK);
    }
    REQUIRE(hs_platform_add_link(p, "trunk", 1e5, 0, HS_SHARED, &link, NULL) == HS_OK);
    REQUIRE(hs_platform_add_edge(p, hub[0], hub[1], link, NULL) == HS_OK);
    REQUIRE(hs_platform_write(p, path, NULL) == HS_OK);
    hs_platform_free(p);
}

static hs_context *start(void)
{
    static char host[16], path[] = "/tmp/hs-switches-XXXXXX";
    hs_context *context;
    if (world_rank() == 0) {
        int descriptor = mkstemp(path);
        REQUIRE(descriptor >= 0 && close(descriptor) == 0);
        write_hosts(path);
    }
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    snprintf(host, sizeof host, "h%d", world_rank());
    hs_params params = {.mode = HS_BALANCE_ON, .platform = path, .host = host, .timeout = PATIENCE, .work = 8e9};
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    forget_hosts(&params);
    return context;
}

/* Halo cells that this rank has from ranks of the other switch, over all ranks. */
static int64_t over_the_trunk(const hs_box_layout *layout, const int *at)
{
    int64_t mine = 0, all;
    int pieces, rank = layout->context->rank;
    const hs_box_piece *piece = hs_box_neighbours(layout, &pieces);
    for (int k = 0; k < pieces; k++)
        mine += at[piece[k].host] == at[rank] ? 0 : hs__box_cells(&piece[k].cells);
    MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, hs_comm(layout->context));
    return all;
}

/* One straight border is crossed by a face there and one back. */
static void check(const hs_box_layout *layout, const int *at)
{
    int64_t hash = hs__box_plan_hash(layout->plan, world_size()), least;
    MPI_Allreduce(&hash, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    REQUIRE(hash >= least);
    MPI_Allreduce(&hash, &least, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE(hash == least);
    int64_t cells = over_the_trunk(layout, at);
    REQUIRE(world_size() == 1 ? cells == 0 : cells > 0 && 2 * cells <= 3 * 2 * SIDE * SIDE);
    REQUIRE(world_size() == 1 || hs_box_step_time(layout) > 8 * (double)cells / 1e5);
}

/* A rank has stopped since all of them agreed to create a layout. */
static void missing_rank_is_named(hs_context *context)
{
    char named[64];
    hs__boxes_network network = {0};
    int odd = context->size - 1;
    context->peers.timeout = 2;
    MPI_Barrier(MPI_COMM_WORLD);
    if (context->rank != odd) {
        snprintf(named, sizeof named, "hs_box_create: rank %d did not arrive within 2 s", odd);
        REQUIRE(hs__box_network_share(context, &network) == HS_ERR_TIMEOUT && text_has(context, named));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const hs_boxes_domain domain = {3, {SIDE, SIDE, SIDE}, {0, 0, 0}, 1, HS_BOXES_FACES};
    hs_box_layout *layout;
    double *data;
    MPI_Init(&argc, &argv);
    hs_context *context = start();
    int size = world_size(), here = world_rank() % 2, *at = calloc((size_t)size, sizeof *at);
    double *speed = calloc((size_t)size, sizeof *speed);
    MPI_Allgather(&here, 1, MPI_INT, at, 1, MPI_INT, hs_comm(context));
    REQUIRE(hs_box_create(context, &domain, NULL, &layout) == HS_OK);
    REQUIRE(hs_box_add_array(layout, sizeof *data, (void **)&data) == HS_OK);
    check(layout, at);
    for (int turn = 0; turn < 2; turn++) {
        for (int r = 0; r < size; r++)
            speed[r] = (1 + (r + turn) % 2) * 2e3;
        REQUIRE(hs_box_rebalance(layout, speed) >= 0);
        check(layout, at);
    }
    free(speed);
    free(at);
    hs_box_free(layout);
    missing_rank_is_named(context);
    hs_status last = hs_finalize(&context);
    REQUIRE(size > 1 || last == HS_OK);
    MPI_Finalize();
    return 0;
}
