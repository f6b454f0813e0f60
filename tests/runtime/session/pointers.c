/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers of registered arrays that the program swaps, which is fine where these are alike, or changes in another way on
 * one rank: then all ranks are told, nothing moves, and the next move goes well once the pointer is back. */
#include "tests/runtime/moves.h"

enum { ALIKE = 3 };

typedef hs_status mover(void *argument);

/* A rank without cells or blocks has no pointer that it could change. */
static int some_rank(int mine)
{
    int rank = mine ? world_rank() : world_size(), first;
    MPI_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    REQUIRE(first < world_size());
    return first;
}

static void refused(hs_context *context, mover *move, void *argument, void **place, void *instead)
{
    int changes = some_rank(*place != NULL) == world_rank();
    void *kept = *place;
    if (changes)
        *place = instead;
    hs_status status = move(argument);
    REQUIRE(status == HS_ERR_ARG || (status == HS_OK && world_size() == 1)); /* one rank alone: nothing would move */
    REQUIRE(status == HS_OK || !changes || text_has(context, "the program changed pointers"));
    *place = kept;
}

static void changed(hs_context *context, mover *move, void *argument, void **place, void *other)
{
    int64_t own = 0;
    refused(context, move, argument, place, &own);
    refused(context, move, argument, place, NULL);
    refused(context, move, argument, place, other);
    REQUIRE(move(argument) == HS_OK);
}

/* Exchanged pointers to arrays that are not alike. */
static void exchanged(hs_context *context, mover *move, void *argument, int64_t **data)
{
    int64_t *kept[ARRAYS] = {data[0], data[1]};
    if (world_rank() == 0) {
        data[0] = kept[1];
        data[1] = kept[0];
    }
    hs_status status = move(argument);
    REQUIRE(status == HS_ERR_ARG || (status == HS_OK && world_size() == 1));
    REQUIRE(world_rank() != 0 || status == HS_OK || text_has(context, "the program changed pointers"));
    data[0] = kept[0];
    data[1] = kept[1];
    REQUIRE(move(argument) == HS_OK);
}

static void pointers_of_slices(hs_context *context)
{
    rows r = {0};
    create_rows(context, &r);
    for (int a = 0; a < ARRAYS; a++)
        changed(context, move_rows, &r, (void **)&r.data[a], r.data[1 - a]);
    exchanged(context, move_rows, &r, r.data);
    visit_rows(&r, 0);
    hs_layout_free(r.layout);
    REQUIRE(!r.data[0] && !r.data[1]);
}

static void pointers_of_blocks(hs_context *context)
{
    square s = {0};
    create_square(context, &s);
    changed(context, move_square, &s, (void **)&s.data, &s);
    visit_square(&s, 0);
    int64_t *kept = s.data; /* what no registered pointer points to any more stays */
    s.data = NULL;
    hs_blocks_rectangle mine = hs_blocks_mine(s.layout);
    hs_blocks_free(s.layout);
    REQUIRE(!s.data);
    for (int64_t i = 0; i < mine.rows * mine.columns; i++)
        REQUIRE(kept[i] >= 0 && kept[i] < 1000 * BLOCKS);
    free(kept);
}

static void pointers_of_boxes(hs_context *context)
{
    plane p = {0};
    create_plane(context, &p);
    for (int a = 0; a < ARRAYS; a++)
        changed(context, move_plane, &p, (void **)&p.data[a], p.data[1 - a]);
    exchanged(context, move_plane, &p, p.data);
    visit_plane(&p, 0);
    hs_box_free(p.layout);
    REQUIRE(!p.data[0] && !p.data[1]);
}

/* Three arrays alike go round, as in a program of two old steps and a new one; every name keeps its contents. */
static void arrays_alike(hs_context *context)
{
    rows r = {0};
    int64_t *data[ALIKE];
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &r.layout) == HS_OK);
    for (int a = 0; a < ALIKE; a++)
        REQUIRE(hs_layout_add_array(r.layout, sizeof(int64_t), 0, (void **)&data[a]) == HS_OK);
    for (int turn = 0; turn < 2 * ALIKE; turn++) {
        int64_t *first = data[0];
        for (int a = 0; a < ALIKE; a++)
            data[a] = a + 1 < ALIKE ? data[a + 1] : first;
        hs_slice mine = hs_layout_slice(r.layout);
        for (int64_t i = 0; i < ALIKE * mine.count; i++)
            data[i % ALIKE][i / ALIKE] = ALIKE * (mine.first + i / ALIKE) + i % ALIKE;
        REQUIRE(move_rows(&r) == HS_OK);
        mine = hs_layout_slice(r.layout);
        for (int64_t i = 0; i < ALIKE * mine.count; i++)
            REQUIRE(data[i % ALIKE][i / ALIKE] == ALIKE * (mine.first + i / ALIKE) + i % ALIKE);
    }
    int64_t *kept = data[2]; /* two that point to one */
    data[2] = data[1];
    data[1] = data[0];
    REQUIRE(move_rows(&r) == HS_ERR_ARG || world_size() == 1);
    data[1] = data[2];
    data[2] = kept;
    REQUIRE(move_rows(&r) == HS_OK);
    hs_layout_free(r.layout);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const hs_params params = {.mode = HS_BALANCE_STATIC};
    hs_context *context;
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    pointers_of_slices(context);
    pointers_of_blocks(context);
    pointers_of_boxes(context);
    arrays_alike(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return 0;
}
