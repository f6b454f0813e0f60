/* SPDX-License-Identifier: BSD-3-Clause */
/* After random moves every unit and every halo has the contents of its former owner, checked against the definition. */
#include "runtime/slices/move.h"
#include "tests/mpi.h"
#include "util/random.h"

enum { ARRAYS = 3, MOVES = 40 };

/* The byte at place b of unit u of array a; boundary units beyond a fixed edge have values of their own. */
static unsigned char truth(int a, int64_t u, int64_t b)
{
    return (unsigned char)((u * 131 + b * 7 + a * 53 + 11) & 0xff);
}

static int64_t wrapped(const hs_layout *layout, int64_t u)
{
    return layout->edges == HS_PERIODIC ? ((u % layout->units) + layout->units) % layout->units : u;
}

static void fill(const hs_layout *layout, int a, void *data)
{
    const hs__array *array = &layout->arrays[a];
    hs_slice slice = hs_layout_slice(layout);
    if (slice.count == 0)
        return;
    for (int64_t i = -array->halo; i < slice.count + array->halo; i++)
        for (int64_t b = 0; b < array->unit_bytes; b++)
            ((unsigned char *)data)[i * array->unit_bytes + b] = truth(a, wrapped(layout, slice.first + i), b);
}

static void check(const hs_layout *layout, int a, const void *data)
{
    const hs__array *array = &layout->arrays[a];
    hs_slice slice = hs_layout_slice(layout);
    int64_t halo = slice.count > 0 ? array->halo : 0;
    for (int64_t i = -halo; i < slice.count + halo; i++)
        for (int64_t b = 0; b < array->unit_bytes; b++)
            REQUIRE(((const unsigned char *)data)[i * array->unit_bytes + b] ==
                    truth(a, wrapped(layout, slice.first + i), b));
}

/* Random slices, each empty or at least the halo: the same on all ranks from the same seed. */
static void random_slices(const hs_layout *layout, hs__random *random, int64_t *count)
{
    int p = layout->context->size;
    int64_t minimum = layout->halo > 0 ? layout->halo : 1, left = layout->units;
    for (int r = 0; r < p; r++)
        count[r] = 0;
    while (left > 0) {
        int r = (int)hs__random_below(random, p);
        int64_t more = minimum + hs__random_below(random, left);
        if (left < minimum || left - more < minimum)
            more = left;
        if (count[r] == 0 && more < minimum) { /* the rest is too small for a slice of its own */
            for (r = 0; count[r] == 0; r++)
                ;
        }
        count[r] += more < left ? more : left;
        left -= more < left ? more : left;
    }
}

static void neighbours_hold_the_next_units(const hs_layout *layout)
{
    hs_slice slice = hs_layout_slice(layout);
    if (slice.count == 0) {
        REQUIRE(slice.prev == MPI_PROC_NULL && slice.next == MPI_PROC_NULL);
        return;
    }
    int64_t end = slice.first + slice.count;
    int last = end == layout->units && layout->edges == HS_FIXED;
    REQUIRE(last == (slice.next == MPI_PROC_NULL));
    if (!last)
        REQUIRE(hs__layout_first(layout->count, slice.next) == wrapped(layout, end) && layout->count[slice.next] > 0);
}

static void random_moves(hs_context *context, int64_t units, int64_t halo, hs_edges edges)
{
    static const int64_t unit_bytes[ARRAYS] = {8, 13, 4096};
    hs__random random = {(uint64_t)(units * 10 + halo)};
    hs_layout *layout;
    void *data[ARRAYS];
    int64_t *count = malloc((size_t)context->size * sizeof *count);
    REQUIRE(hs_layout_create(context, units, halo, edges, &layout) == HS_OK);
    for (int a = 0; a < ARRAYS; a++) {
        REQUIRE(hs_layout_add_array(layout, unit_bytes[a], halo * (a != 1), &data[a]) == HS_OK);
        fill(layout, a, data[a]);
        check(layout, a, data[a]);
    }
    for (int k = 0; k < MOVES; k++) {
        random_slices(layout, &random, count);
        REQUIRE(hs__move(layout, count) == HS_OK);
        neighbours_hold_the_next_units(layout);
        for (int a = 0; a < ARRAYS; a++)
            check(layout, a, data[a]);
    }
    free(count);
    hs_layout_free(layout);
    for (int a = 0; a < ARRAYS; a++)
        REQUIRE(data[a] == NULL);
}

/* A solver swaps its two arrays: what moves is what each pointer points to now. */
static void swapped_pointers_move_along(hs_context *context)
{
    hs_layout *layout;
    void *data[2];
    hs__random random = {5};
    int64_t *count = malloc((size_t)context->size * sizeof *count);
    REQUIRE(hs_layout_create(context, 50, 1, HS_FIXED, &layout) == HS_OK);
    for (int a = 0; a < 2; a++)
        REQUIRE(hs_layout_add_array(layout, 24, 1, &data[a]) == HS_OK);
    for (int a = 0; a < 2; a++)
        fill(layout, 1 - a, data[a]);
    for (int k = 0; k < 6; k++) {
        void *swap = data[0];
        data[0] = data[1];
        data[1] = swap;
        random_slices(layout, &random, count);
        REQUIRE(hs__move(layout, count) == HS_OK);
        check(layout, k % 2 ? 1 : 0, data[0]);
        check(layout, k % 2 ? 0 : 1, data[1]);
    }
    free(count);
    hs_layout_free(layout);
}

/* All at once, or in rounds with so much memory. */
static void moves_within(double memory)
{
    hs_context *context;
    hs_params params = {.mode = HS_BALANCE_OFF, .move_memory = memory};
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    for (hs_edges edges = HS_FIXED; edges <= HS_PERIODIC; edges++) {
        random_moves(context, 200, 0, edges);
        random_moves(context, 200, 1, edges);
        random_moves(context, 61, 3, edges);
        random_moves(context, 4, 4, edges);
        random_moves(context, 1, 0, edges);
    }
    swapped_pointers_move_along(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    REQUIRE(context == NULL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    moves_within(1);
    moves_within(0.3);
    MPI_Finalize();
    return 0;
}
