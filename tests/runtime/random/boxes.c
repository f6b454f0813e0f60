/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/boxes/geometry.h"
#include "tests/runtime/random/random.h"
#include <heteroslice/hs_box_layout.h>

enum { MOST_ARRAYS = 2, MOST_EXTENT = 8, MOST_BYTES = 24, MOST_RANKS = 64 };

typedef struct array {
    int64_t bytes; /* of a cell */
    unsigned char *data;
} array;

struct boxed {
    hs_boxes_domain domain; /* complete */
    hs_box_layout *layout;
    int64_t iteration;
    int arrays;
    array array[MOST_ARRAYS];
};

/* What a cell holds after so many iterations; one of a fixed boundary never changes. */
static void value(const boxed *s, int a, const int64_t *cell, int64_t iteration, unsigned char *bytes)
{
    int64_t number = a;
    for (int d = 0; d < HS__DIMS; d++) {
        int64_t extent = s->domain.extent[d], x = cell[d];
        x = s->domain.periodic[d] ? (x + extent) % extent : x;
        iteration = x < 0 || x >= extent ? 0 : iteration;
        number = number * 100 + x + 10;
    }
    for (int64_t b = 0; b < s->array[a].bytes; b++)
        bytes[b] = (unsigned char)hs__hash_spread((uint64_t)((number * 100 + b) * 1000 + iteration));
}

/* On how many sides a cell of the grown box lies outside of what this rank owns. */
static int outside(const hs_box *owned, const int64_t *cell)
{
    int sides = 0;
    for (int d = 0; d < HS__DIMS; d++)
        sides += cell[d] < owned->first[d] || cell[d] >= owned->first[d] + owned->count[d];
    return sides;
}

static int64_t visit_cell(const boxed *s, int a, const int64_t *cell, int64_t now, int64_t next)
{
    unsigned char expected[MOST_BYTES];
    hs_box mine = hs_box_mine(s->layout);
    int64_t at = 0;
    for (int d = 0; d < HS__DIMS; d++)
        at += (cell[d] - mine.first[d]) * hs_box_stride(s->layout, d);
    unsigned char *place = s->array[a].data + at * s->array[a].bytes;
    value(s, a, cell, now < 0 ? 0 : now, expected);
    int64_t wrong = now >= 0 && memcmp(place, expected, (size_t)s->array[a].bytes) != 0;
    value(s, a, cell, next, place);
    return wrong;
}

/* In all cells that lie outside of what this rank owns on at most so many sides: expects the contents of iteration `now`
 * and puts those of `next` in their place; now < 0: expects nothing. */
static void visit(const boxed *s, int a, int sides, int64_t now, int64_t next)
{
    hs_box mine = hs_box_mine(s->layout), owned = hs__box_owned(&s->domain, &mine, s->domain.halo);
    hs_box grown = hs__box_grown(&s->domain, &mine, s->domain.halo);
    int64_t cell[HS__DIMS], wrong = 0;
    for (int64_t i = 0, all = hs__box_cells(&grown); i < all; i++) {
        int64_t left = i;
        for (int d = HS__DIMS - 1; d >= 0; left /= grown.count[d--])
            cell[d] = grown.first[d] + left % grown.count[d];
        wrong += outside(&owned, cell) <= sides ? visit_cell(s, a, cell, now, next) : 0;
    }
    RIGHT(wrong == 0);
}

static void add_array(boxed *s, int a, hs__random *random)
{
    static const int64_t bytes[] = {1, 3, 8, MOST_BYTES};
    s->array[a].bytes = one_of(random, bytes, 4);
    RIGHT(hs_box_add_array(s->layout, s->array[a].bytes, (void **)&s->array[a].data) == HS_OK);
    visit(s, a, 0, -1, s->iteration);
}

boxed *boxed_new(hs_context *context, hs__random *random)
{
    boxed *s = calloc(1, sizeof *s);
    hs_boxes_domain domain = {.dims = 1 + (int)hs__random_below(random, HS__DIMS)};
    int64_t halo = hs__random_below(random, 3);
    RIGHT(s != NULL);
    for (int d = 0; d < domain.dims; d++) {
        domain.extent[d] = 1 + hs__random_below(random, MOST_EXTENT);
        domain.periodic[d] = (int)hs__random_below(random, 2);
        halo = halo < domain.extent[d] ? halo : domain.extent[d];
    }
    domain.halo = halo;
    domain.stencil = hs__random_below(random, 2) ? HS_BOXES_FACES : HS_BOXES_CORNERS;
    s->domain = hs__domain_complete(&domain);
    RIGHT(hs_box_create(context, &domain, NULL, &s->layout) == HS_OK);
    s->arrays = (int)hs__random_below(random, MOST_ARRAYS + 1);
    for (int a = 0; a < s->arrays; a++)
        add_array(s, a, random);
    return s;
}

/* Own cells have the contents of the next iteration, then the halo gets them. */
static void iterate(boxed *s, int a)
{
    int sides = s->domain.stencil == HS_BOXES_CORNERS ? HS__DIMS : 1;
    visit(s, a, 0, s->iteration, s->iteration + 1);
    RIGHT(hs_box_exchange_start(s->layout, s->array[a].data) == HS_OK);
    RIGHT(hs_box_exchange_wait(s->layout, s->array[a].data) == HS_OK);
    visit(s, a, sides, s->iteration + 1, s->iteration + 1);
}

/* A change that the program asks for. */
static hs_status rebalance(boxed *s, hs__random *random)
{
    double speed[MOST_RANKS];
    for (int r = 0; r < MOST_RANKS; r++)
        speed[r] = 0.1 + hs__random_unit(random);
    return hs_box_rebalance(s->layout, speed);
}

void boxed_step(boxed *s, double unit_s, hs__random *random)
{
    hs_box mine = hs_box_mine(s->layout);
    for (int a = 0; a < s->arrays; a++)
        iterate(s, a);
    s->iteration++;
    hs_box_compute_begin(s->layout);
    random_compute(unit_s * (double)hs__box_cells(&mine));
    hs_box_compute_end(s->layout);
    int asked = hs__random_below(random, 15) == 0;
    hs_status status = asked ? rebalance(s, random) : hs_box_balance(s->layout);
    RIGHT(status == HS_OK || status == HS_UNCHANGED);
    for (int a = 0; a < s->arrays; a++) /* where cells have moved, halos have come, too, corners among them */
        visit(s, a, status == HS_OK ? HS__DIMS : 0, s->iteration, s->iteration);
    if (s->arrays < MOST_ARRAYS && hs__random_below(random, 20) == 0)
        add_array(s, s->arrays++, random);
}

int64_t boxed_free(boxed *s)
{
    hs_box_stats stats;
    hs_box_get_stats(s->layout, &stats);
    hs_box_free(s->layout);
    for (int a = 0; a < s->arrays; a++)
        RIGHT(s->array[a].data == NULL);
    free(s);
    return stats.moves;
}
