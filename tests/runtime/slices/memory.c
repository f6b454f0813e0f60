/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory arrays take while they move: pages of their buffers that are there are counted whenever some are about
 * to be given back or freed. All at once that is old and new together; in rounds it keeps the promise of hs_balance(). */
#define _DEFAULT_SOURCE /* mincore() */
#include "runtime/slices/move.h"
#include "tests/mpi.h"
#include "util/array.h"
#include "util/pages.h"
#include <sys/mman.h>

enum { UNITS = 4000, UNIT_BYTES = 2000, ELEMENT_BYTES = 160, BUFFERS = 64, MOST_RANKS = 16 };

/* Lengths of all units: a buffer that is no larger has some of them, and none of the arrays here is so small. */
enum { LENGTHS_BYTES = UNITS * 8 + 64 };

static struct {
    char *memory[BUFFERS];
    size_t bytes[BUFFERS];
    int count;
    size_t page, peak; /* bytes */
} live;

/* Bytes of the whole pages that a buffer has. */
static size_t resident_bytes(char *memory, size_t bytes)
{
    size_t first = ((size_t)memory + live.page - 1) / live.page * live.page;
    size_t end = ((size_t)memory + bytes) / live.page * live.page, there = 0;
    if (first >= end)
        return 0;
    size_t pages = (end - first) / live.page;
    unsigned char *is_there = malloc(pages);
    REQUIRE(is_there && mincore((void *)first, end - first, is_there) == 0);
    for (size_t p = 0; p < pages; p++)
        there += is_there[p] & 1 ? live.page : 0;
    free(is_there);
    return there;
}

static void count_pages(void)
{
    size_t bytes = 0;
    for (int i = 0; i < live.count; i++)
        bytes += resident_bytes(live.memory[i], live.bytes[i]);
    live.peak = bytes > live.peak ? bytes : live.peak;
}

void *__real_hs__array_aligned(size_t bytes, size_t alignment);
void *__wrap_hs__array_aligned(size_t bytes, size_t alignment);
void __real_hs__park_buffer(void *memory, int under_way);
void __wrap_hs__park_buffer(void *memory, int under_way);
size_t __real_hs__pages_release(void *memory, size_t from, size_t to);
size_t __wrap_hs__pages_release(void *memory, size_t from, size_t to);

void *__wrap_hs__array_aligned(size_t bytes, size_t alignment)
{
    char *memory = __real_hs__array_aligned(bytes, alignment);
    size_t first = ((size_t)memory + live.page - 1) / live.page * live.page;
    REQUIRE(memory && live.count < BUFFERS);
    if (bytes <= LENGTHS_BYTES)
        return memory;
    if (first < (size_t)memory + bytes) /* one byte that is touched should take one small page */
        madvise((void *)first, (size_t)memory + bytes - first, MADV_NOHUGEPAGE);
    live.memory[live.count] = memory;
    live.bytes[live.count++] = bytes;
    return memory;
}

void __wrap_hs__park_buffer(void *memory, int under_way)
{
    count_pages();
    for (int i = 0; i < live.count; i++)
        if (live.memory[i] == memory) {
            live.memory[i] = live.memory[--live.count];
            live.bytes[i] = live.bytes[live.count];
        }
    __real_hs__park_buffer(memory, under_way);
}

size_t __wrap_hs__pages_release(void *memory, size_t from, size_t to)
{
    count_pages();
    return __real_hs__pages_release(memory, from, to);
}

/* ---- Arrays whose contents tell where they belong. ---- */

typedef struct arrays {
    hs_layout *layout;
    char *rows, *elements;
    int64_t *offset;
} arrays;

static int64_t elements_of(int64_t unit)
{
    return unit % 13;
}

static char truth(int64_t unit, int64_t element)
{
    return (char)(unit * 31 + element * 7 + 1);
}

static void visit(const arrays *a, int fill)
{
    hs_slice slice = hs_layout_slice(a->layout);
    for (int64_t i = 0; i < slice.count; i++) {
        int64_t unit = slice.first + i;
        char *row = a->rows + i * UNIT_BYTES;
        if (fill)
            memset(row, truth(unit, 0), UNIT_BYTES);
        REQUIRE(row[0] == truth(unit, 0) && row[UNIT_BYTES / 2] == row[0] && row[UNIT_BYTES - 1] == row[0]);
        REQUIRE(a->offset[i + 1] - a->offset[i] == elements_of(unit));
        for (int64_t e = 0; e < elements_of(unit); e++) {
            char *element = a->elements + (a->offset[i] + e) * ELEMENT_BYTES;
            if (fill)
                memset(element, truth(unit, e), ELEMENT_BYTES);
            REQUIRE(element[0] == truth(unit, e) && element[ELEMENT_BYTES - 1] == element[0]);
        }
    }
}

static void create(hs_context *context, arrays *a)
{
    REQUIRE(hs_layout_create(context, UNITS, 1, HS_PERIODIC, &a->layout) == HS_OK);
    hs_slice slice = hs_layout_slice(a->layout);
    int64_t *elements = malloc((size_t)slice.count * sizeof *elements);
    for (int64_t i = 0; i < slice.count; i++)
        elements[i] = elements_of(slice.first + i);
    REQUIRE(hs_layout_add_array(a->layout, UNIT_BYTES, 1, (void **)&a->rows) == HS_OK);
    REQUIRE(hs_layout_add_offsets(a->layout, elements, &a->offset) == HS_OK);
    REQUIRE(hs_layout_add_ragged(a->layout, ELEMENT_BYTES, &a->offset, (void **)&a->elements) == HS_OK);
    free(elements);
    visit(a, 1);
}

/* Bytes of both arrays on this rank. */
static int64_t held_bytes(const arrays *a)
{
    int64_t units = hs_layout_slice(a->layout).count;
    return hs__array_bytes(&a->layout->arrays[0], units) + hs__array_bytes(&a->layout->arrays[1], a->offset[units]);
}

/* ---- Moves, and what they may take. ---- */

/* Slices in proportion to (r + turn) modulo ranks, or to 1 : 50 from one end to the other: ranks grow and shrink much. */
static void slices_of_turn(int turn, int ranks, int64_t *count)
{
    int64_t sum = 0, left = UNITS;
    for (int r = 0; r < ranks; r++)
        sum += count[r] = turn % 3 == 2 ? (r == turn % ranks ? 50 : 1) : (r + turn) % ranks + 1;
    for (int r = 0; r < ranks; r++)
        left -= count[r] = count[r] * UNITS / sum;
    count[ranks - 1] += left;
}

static void peak_keeps_the_promise(double memory, int rounds)
{
    hs_context *context;
    hs_params params = {.mode = HS_BALANCE_OFF, .move_memory = memory};
    int64_t count[MOST_RANKS];
    arrays a;
    REQUIRE(world_size() <= MOST_RANKS);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    for (int turn = 0; turn < 6; turn++) {
        create(context, &a);
        REQUIRE(hs_layout_peak_bytes(a.layout) == 0);
        slices_of_turn(turn, world_size(), count);
        int64_t old = held_bytes(&a);
        live.peak = 0;
        REQUIRE(hs__move(a.layout, count) == HS_OK);
        int64_t new = held_bytes(&a), larger = old > new ? old : new, smaller = old + new - larger;
        int64_t pages = (2 * 2 * world_size() + 4) * (int64_t)live.page, halo = 2 * UNIT_BYTES;
        int64_t stated = hs_layout_peak_bytes(a.layout), counted = (int64_t)live.peak;
        int64_t promised = rounds == 1 ? old + new : larger + smaller / rounds + halo + pages;
        if (stated > promised || counted > promised)
            fprintf(stderr, "rank %d, turn %d: from %lld to %lld bytes, stated %lld, counted %lld, promised %lld\n",
                    world_rank(), turn, (long long)old, (long long)new, (long long)stated, (long long)counted,
                    (long long)promised);
        REQUIRE(stated <= promised && counted <= promised);
        REQUIRE(llabs(stated - counted) <= pages);
        REQUIRE(stated >= larger - pages);
        visit(&a, 0);
        hs_layout_free(a.layout);
    }
    REQUIRE(hs_finalize(&context) == HS_OK);
}

int main(int argc, char **argv)
{
    live.page = (size_t)sysconf(_SC_PAGESIZE);
    MPI_Init(&argc, &argv);
    peak_keeps_the_promise(1, 1);
    peak_keeps_the_promise(0.1, 10);
    peak_keeps_the_promise(1e-9, 100);
    MPI_Finalize();
    return 0;
}
