/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_MOVES_H
#define HS_TESTS_MOVES_H

/* Slices, blocks and boxes whose contents tell where they belong, moved back and forth: after each move, and after each that
 * failed, everything is bitwise right and, where it failed, where it was. */

#include "runtime/blocks/blocks.h"
#include "runtime/boxes/boxes.h"
#include "runtime/slices/move.h"
#include "tests/mpi.h"

enum { UNITS = 60, BLOCKS = 12, ARRAYS = 2 };

/* Numbers in a unit of array a: short messages, which MPI sends at once, and long ones. */
static inline int64_t width(int a)
{
    return a == 0 ? 1 : 600;
}

typedef struct rows {
    hs_layout *layout;
    int64_t *data[ARRAYS];
    int slow; /* a rank that is slow, where a test balances */
} rows;

static inline void visit_rows(const rows *r, int fill)
{
    hs_slice slice = hs_layout_slice(r->layout);
    for (int a = 0; a < ARRAYS; a++)
        for (int64_t i = 0; i < slice.count * width(a); i++) {
            int64_t truth = 1000000 * a + slice.first * width(a) + i;
            if (fill)
                r->data[a][i] = truth;
            REQUIRE(r->data[a][i] == truth);
        }
}

static inline void create_rows(hs_context *context, rows *r)
{
    REQUIRE(hs_layout_create(context, UNITS, 1, HS_FIXED, &r->layout) == HS_OK);
    for (int a = 0; a < ARRAYS; a++)
        REQUIRE(hs_layout_add_array(r->layout, width(a) * (int64_t)sizeof **r->data, 1, (void **)&r->data[a]) == HS_OK);
    visit_rows(r, 1);
}

/* From equal slices to uneven ones and back. */
static inline hs_status move_rows(void *argument)
{
    rows *r = argument;
    int size = r->layout->context->size;
    int64_t count[64] = {0}, before[64] = {0};
    for (int k = 0; k < size; k++)
        before[k] = r->layout->count[k];
    for (int k = 0; k < size; k++)
        count[k] = before[size - 1 - k];
    if (size > 1 && count[0] == before[0]) {
        count[0] += 3;
        count[size - 1] -= 3;
    }
    hs_status status = hs__move(r->layout, count);
    for (int k = 0; k < size; k++)
        REQUIRE(r->layout->count[k] == (status == HS_OK ? count : before)[k]);
    return status;
}

/* Of every rank: 1, 2, 3 ... and equal ones, in turn. */
static inline void speeds_in_turn(int turn, double *speed)
{
    for (int r = 0; r < world_size(); r++)
        speed[r] = turn % 2 ? 1 : 1 + r;
}

typedef struct square {
    hs_blocks *layout;
    int64_t *data;
    int turn;
} square;

static inline void visit_square(const square *s, int fill)
{
    hs_blocks_rectangle mine = hs_blocks_mine(s->layout);
    for (int64_t j = 0; j < mine.columns; j++)
        for (int64_t i = 0; i < mine.rows; i++) {
            int64_t truth = 1000 * hs_blocks_index(s->layout, HS_BLOCKS_ROWS)[mine.first_row + i] +
                            hs_blocks_index(s->layout, HS_BLOCKS_COLUMNS)[mine.first_column + j];
            if (fill)
                s->data[i + j * mine.rows] = truth;
            REQUIRE(s->data[i + j * mine.rows] == truth);
        }
}

static inline void create_square(hs_context *context, square *s)
{
    REQUIRE(hs_blocks_create(context, BLOCKS, NULL, &s->layout) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(s->layout, 1, 1, sizeof *s->data, (void **)&s->data) == HS_OK);
    visit_square(s, 1);
}

/* From blocks for speeds 1, 2, 3 ... to equal ones and back. */
static inline hs_status move_square(void *argument)
{
    square *s = argument;
    double speed[64];
    speeds_in_turn(s->turn, speed);
    hs_status status = hs_blocks_rebalance(s->layout, speed);
    s->turn += status >= 0;
    return status == HS_UNCHANGED ? HS_OK : status;
}

typedef struct plane {
    hs_box_layout *layout;
    int64_t *data[ARRAYS];
    int turn;
} plane;

static inline void visit_plane(const plane *p, int fill)
{
    hs_box mine = hs_box_mine(p->layout);
    for (int a = 0; a < ARRAYS; a++)
        for (int64_t i = 0; i < mine.count[0]; i++)
            for (int64_t k = 0; k < mine.count[1] * width(a); k++) {
                int64_t *place = &p->data[a][i * hs_box_stride(p->layout, 0) * width(a) + k];
                int64_t truth = 1000000 * a + 10000 * (mine.first[0] + i) + mine.first[1] * width(a) + k;
                if (fill)
                    *place = truth;
                REQUIRE(*place == truth);
            }
}

static inline void create_plane(hs_context *context, plane *p)
{
    const hs_boxes_domain domain = {2, {BLOCKS, BLOCKS}, {0, 0}, 1, HS_BOXES_FACES};
    const hs_box_params params = {.method = HS_BOXES_ROWS};
    REQUIRE(hs_box_create(context, &domain, &params, &p->layout) == HS_OK);
    for (int a = 0; a < ARRAYS; a++)
        REQUIRE(hs_box_add_array(p->layout, width(a) * (int64_t)sizeof **p->data, (void **)&p->data[a]) == HS_OK);
    visit_plane(p, 1);
}

/* From boxes for speeds 1, 2, 3 ... to equal ones and back. */
static inline hs_status move_plane(void *argument)
{
    plane *p = argument;
    double speed[64];
    speeds_in_turn(p->turn, speed);
    hs_status status = hs_box_rebalance(p->layout, speed);
    p->turn += status >= 0;
    return status == HS_UNCHANGED ? HS_OK : status;
}

#endif
