/* SPDX-License-Identifier: BSD-3-Clause */
/* hs__<object>_check() finds what is broken: each object is right as the library made it, and wrong once one number of it
 * is changed. */
#include "runtime/blocks/blocks.h"
#include "runtime/boxes/boxes.h"
#include "runtime/collectives/collectives.h"
#include "runtime/farm/master.h"
#include "runtime/probe/pairs.h"
#include "runtime/reorder/reorder.h"
#include "runtime/session/messages.h"
#include "runtime/slices/layout.h"
#include "tests/mpi.h"
#include <heteroslice/hs_scatter.h>
#include <stdlib.h>

static hs_error error;

/* The check `call` is fine, and refused with these words after `statement`, which `undo` takes back. */
#define BREAK(statement, undo, call, words)                              \
    do {                                                                 \
        REQUIRE((call) == HS_OK);                                        \
        statement;                                                       \
        REQUIRE((call) == HS_ERR_INTERNAL);                              \
        if (!strstr(error.text, words))                                  \
            fprintf(stderr, "'%s' is not in '%s'\n", words, error.text); \
        REQUIRE(strstr(error.text, words) != NULL);                      \
        undo;                                                            \
        REQUIRE((call) == HS_OK);                                        \
    } while (0)

static void layouts(hs_context *context)
{
    hs_layout *layout;
    double *data;
    int last = world_size() - 1;
    REQUIRE(hs_layout_create(context, 30 * world_size(), 2, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, sizeof *data, 1, (void **)&data) == HS_OK);
#define CHECK hs__layout_check(layout, &error)
    BREAK(layout->count[last]++, layout->count[last]--, CHECK, "units");
    BREAK(layout->first++, layout->first--, CHECK, "begins at");
    BREAK(layout->arrays[0].halo = 3, layout->arrays[0].halo = 1, CHECK, "array 0 has a halo of 3");
    char **given = (char **)&layout->arrays[0].given;
    BREAK(++*given, --*given, CHECK, "no buffer");
    int64_t kept = layout->count[last];
    BREAK((layout->units += 1 - kept, layout->count[last] = 1), (layout->units += kept - 1, layout->count[last] = kept),
          CHECK, "at least 2");
    double weight[64];
    int64_t units = layout->count[context->rank];
    for (int64_t i = 0; i < units; i++)
        weight[i] = 2;
    REQUIRE(hs_layout_weights(layout, weight) == HS_OK);
    double *load = &layout->load[context->rank];
    BREAK(*load += 1, *load -= 1, CHECK, "does not weigh");
#undef CHECK
    hs_layout_free(layout);
}

static void blocks(hs_context *context)
{
    hs_blocks *layout;
    double *data;
    REQUIRE(hs_blocks_create(context, 12, NULL, &layout) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(layout, 1, 1, sizeof *data, (void **)&data) == HS_OK);
    hs__block_partition *cut = layout->cut;
    void **given = &layout->matrices[0].given;
#define CHECK hs__blocks_check(layout, &error)
    BREAK(layout->area[0]++, layout->area[0]--, CHECK, "rank 0 has");
    BREAK(cut->rectangle[0].first_row++, cut->rectangle[0].first_row--, CHECK, "do not tile");
    BREAK(cut->width[0]--, cut->width[0]++, CHECK, "do not tile");
    BREAK(cut->place[0][3] = 2, cut->place[0][3] = 3, CHECK, "do not tile");
    BREAK(*given = NULL, *given = data, CHECK, "has no memory");
#undef CHECK
    hs_blocks_free(layout);
}

static void boxes(hs_context *context)
{
    const hs_boxes_domain domain = {2, {30, 40}, {0, 1}, 1, HS_BOXES_FACES};
    hs_box_layout *layout;
    double *data;
    REQUIRE(hs_box_create(context, &domain, NULL, &layout) == HS_OK);
    REQUIRE(hs_box_add_array(layout, sizeof *data, (void **)&data) == HS_OK);
    hs_box *box = layout->plan->box, kept = *box;
    void **given = &layout->arrays[0].exchange.data;
#define CHECK hs__box_layout_check(layout, &error)
    BREAK(layout->cells[0]++, layout->cells[0]--, CHECK, "rank 0 has");
    BREAK(box->count[1]--, *box = kept, CHECK, "the boxes have");
    BREAK(box->first[0] = -1, *box = kept, CHECK, "outside of the domain");
    BREAK(*given = NULL, *given = data, CHECK, "has no memory");
#undef CHECK
    hs_box_free(layout);
}

/* Each rank sends 8 doubles to the next one; then the last rank expects one more. */
static void messages(hs_context *context)
{
    int rank = context->rank, size = context->size;
    hs__messages m = {.context = context};
    REQUIRE(hs__messages_plan(&m, 8, MPI_DOUBLE, (rank + 1) % size, HS__SEND) == HS_OK);
    REQUIRE(hs__messages_plan(&m, 8, MPI_DOUBLE, (rank + size - 1) % size, HS__RECEIVE) == HS_OK);
    REQUIRE(hs__messages_check(&m, &error) == HS_OK);
    if (rank == size - 1)
        m.bytes[HS__RECEIVE * size + (rank + size - 1) % size] += 8;
    hs_status status = hs__messages_check(&m, &error);
    REQUIRE(status == (rank == size - 1 ? HS_ERR_INTERNAL : HS_OK));
    REQUIRE(status == HS_OK || strstr(error.text, "sends 64 bytes, 72 are expected"));
    hs__messages_free(&m);
}

static void farms(void)
{
    double cycle[64], comm[64];
    hs_farm *farm;
    equal_costs(cycle, 1e-3, comm, 1e-5);
    hs_farm_params params = {.item_bytes = 8, .cycle_time = cycle, .comm_time = comm};
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, &params, &farm, NULL) == HS_OK);
    REQUIRE(hs_farm_plan(farm, 1000, NULL) == HS_OK);
    hs__farm_plan *plan = &farm->plan;
#define CHECK hs__farm_check(farm, &error)
    BREAK(plan->count[0]++, plan->count[0]--, CHECK, "items");
    BREAK(plan->n++, plan->n--, CHECK, "not 1001");
    int kept = plan->send[0];
    if (world_size() > 1)
        BREAK(plan->send[0] = plan->send[1], plan->send[0] = kept, CHECK, "each rank once");
    BREAK(plan->collect[0] += 64, plan->collect[0] -= 64, CHECK, "each rank once");
    if (world_rank() == 0)
        BREAK(plan->chunk[0]++, plan->chunk[0]--, CHECK, "its installments");
#undef CHECK
    hs_farm_free(farm);
}

/* A run of 100 items in the middle: rank 0 has items 0 to 29, rank 1 the next 20, and 50 are planned. */
static void masters(void)
{
    int64_t planned[] = {10, 40};
    hs__chunk chunks[] = {{0, 0, 30}, {1, 30, 20}};
    hs__worker worker[] = {{.assigned = 30, .done = 12}, {.assigned = 20, .unsent = 5}};
    const hs_farm_job job = {.n = 100};
    hs_farm farm = {.size = 2, .plan = {.n = 100, .rounds = 1, .chunk = planned}};
    hs__master m = {.farm = &farm, .job = &job, .next = 50, .worker = worker, .chunks = chunks, .chunk_count = 2};
#define CHECK hs__master_check(&m, &error)
    BREAK(chunks[1].first++, chunks[1].first--, CHECK, "chunk 1 begins");
    BREAK(chunks[1].rank = 0, chunks[1].rank = 1, CHECK, "rank 0 was assigned 30");
    BREAK(worker[1].done = 21, worker[1].done = 0, CHECK, "21 are done");
    BREAK(planned[0]--, planned[0]++, CHECK, "49 planned");
    BREAK(m.next--, m.next++, CHECK, "not 100");
#undef CHECK
}

static void parts(void)
{
    int child[] = {1, 3, 2, 2};
    hs__part tree = {.shape = HS_COLLECTIVE_TREE, .parent = -1, .children = 2, .child = child, .windows = child + 2};
    hs__part ring = {.shape = HS_COLLECTIVE_RING,
                     .parent = 2,
                     .prev = 1,
                     .place = 3,
                     .children = 1,
                     .child = child,
                     .windows = child + 2};
#define CHECK hs__part_check(&tree, 0, 4, &error)
    BREAK(child[1] = 1, child[1] = 3, CHECK, "the child 1 twice");
    BREAK(child[1] = 0, child[1] = 3, CHECK, "the child 0");
    BREAK(tree.parent = 0, tree.parent = -1, CHECK, "the parent 0");
    BREAK(tree.parent = 3, tree.parent = -1, CHECK, "the child 3");
#undef CHECK
#define CHECK hs__part_check(&ring, 0, 4, &error)
    BREAK(ring.place = 4, ring.place = 3, CHECK, "at place 4");
    BREAK(ring.prev = 3, ring.prev = 1, CHECK, "of the ring");
#undef CHECK
}

static void orders(void)
{
    int rank_of_vertex[] = {2, 0, 1};
    BREAK(rank_of_vertex[1] = 2, rank_of_vertex[1] = 0, hs__reorder_check(rank_of_vertex, 3, &error), "rank 0 has 0");
}

static void measured_pairs(void)
{
    hs__pairs pairs = {0};
    const hs__reading readings[] = {{0, 1, 1e8}, {2, 3, 5e7}};
    REQUIRE(hs__pairs_init(&pairs, 4) == HS_OK);
    REQUIRE(hs__pairs_add(&pairs, 0, readings, 2) == HS_OK);
#define CHECK hs__pairs_check(&pairs, &error)
    BREAK(pairs.count--, pairs.count++, CHECK, "have a place");
    BREAK(pairs.pair[1].j = 1, pairs.pair[1].j = 3, CHECK, "not in its place");
    BREAK(pairs.pair[0].inferred = 1e9, pairs.pair[0].inferred = 0, CHECK, "more than either");
    BREAK(pairs.top[2] /= 2, pairs.top[2] *= 2, CHECK, "hosts 2 and 3 show");
#undef CHECK
    hs__pairs_free(&pairs);
}

int main(int argc, char **argv)
{
    hs_context *context;
    MPI_Init(&argc, &argv);
    hs_params params = fake_hosts(HS_BALANCE_ON);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    layouts(context);
    blocks(context);
    boxes(context);
    messages(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    farms();
    masters();
    parts();
    orders();
    measured_pairs();
    forget_hosts(&params);
    MPI_Finalize();
    return 0;
}
