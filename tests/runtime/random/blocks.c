/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/runtime/random/random.h"

enum { MOST_MATRICES = 2, MOST_BLOCKS = 12, MOST_RANKS = 64 };

typedef struct matrix {
    int64_t rows, columns, bytes; /* of a block; of an element */
    unsigned char *data;
} matrix;

struct blocked {
    hs_context *context;
    hs_blocks *layout;
    int64_t iteration;
    int matrices;
    matrix matrix[MOST_MATRICES];
};

/* Byte b of element (i, j), global indices, after so many iterations. */
static unsigned char value(int m, int64_t i, int64_t j, int64_t b, int64_t iteration)
{
    return (unsigned char)hs__hash_spread((uint64_t)((((m * 1000 + i) * 1000 + j) * 16 + b) * 1000 + iteration));
}

/* Global index of element k of a rectangle's side that begins at place `first`, with blocks of so many elements. */
static int64_t element(const blocked *s, hs_blocks_axis axis, int64_t first, int64_t k, int64_t block)
{
    return hs_blocks_index(s->layout, axis)[first + k / block] * block + k % block;
}

/* Expects the contents of iteration `now` and puts those of `next` in their place; now < 0: expects nothing. */
static void visit(const blocked *s, int m, int64_t now, int64_t next)
{
    const matrix *x = &s->matrix[m];
    hs_blocks_rectangle mine = hs_blocks_mine(s->layout);
    int64_t rows = mine.rows * x->rows, wrong = 0;
    for (int64_t j = 0; j < mine.columns * x->columns; j++)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t b = 0; b < x->bytes; b++) {
                unsigned char *place = x->data + (i + j * rows) * x->bytes + b;
                int64_t row = element(s, HS_BLOCKS_ROWS, mine.first_row, i, x->rows);
                int64_t column = element(s, HS_BLOCKS_COLUMNS, mine.first_column, j, x->columns);
                wrong += now >= 0 && *place != value(m, row, column, b, now);
                *place = value(m, row, column, b, next);
            }
    RIGHT(wrong == 0);
}

static void add_matrix(blocked *s, int m, hs__random *random)
{
    static const int64_t bytes[] = {1, 4, 8};
    matrix *x = &s->matrix[m];
    *x = (matrix){1 + hs__random_below(random, 3), 1 + hs__random_below(random, 3), one_of(random, bytes, 3), NULL};
    RIGHT(hs_blocks_add_matrix(s->layout, x->rows, x->columns, x->bytes, (void **)&x->data) == HS_OK);
    visit(s, m, -1, s->iteration);
}

blocked *blocked_new(hs_context *context, hs__random *random)
{
    blocked *s = calloc(1, sizeof *s);
    RIGHT(s != NULL);
    s->context = context;
    RIGHT(hs_blocks_create(context, 1 + hs__random_below(random, MOST_BLOCKS), NULL, &s->layout) == HS_OK);
    s->matrices = (int)hs__random_below(random, MOST_MATRICES + 1);
    for (int m = 0; m < s->matrices; m++)
        add_matrix(s, m, random);
    return s;
}

/* A change that the program asks for. */
static hs_status rebalance(blocked *s, hs__random *random)
{
    double speed[MOST_RANKS];
    for (int r = 0; r < MOST_RANKS; r++)
        speed[r] = 0.1 + hs__random_unit(random);
    return hs_blocks_rebalance(s->layout, speed);
}

void blocked_step(blocked *s, double unit_s, hs__random *random)
{
    hs_blocks_rectangle mine = hs_blocks_mine(s->layout);
    for (int m = 0; m < s->matrices; m++)
        visit(s, m, s->iteration, s->iteration + 1);
    s->iteration++;
    hs_blocks_compute_begin(s->layout);
    random_compute(unit_s * (double)(mine.rows * mine.columns));
    hs_blocks_compute_end(s->layout);
    int asked = hs__random_below(random, 15) == 0;
    hs_status status = asked ? rebalance(s, random) : hs_blocks_balance(s->layout);
    RIGHT(status == HS_OK || status == HS_UNCHANGED);
    for (int m = 0; m < s->matrices; m++)
        visit(s, m, s->iteration, s->iteration);
    if (s->matrices < MOST_MATRICES && hs__random_below(random, 20) == 0)
        add_matrix(s, s->matrices++, random);
}

int64_t blocked_free(blocked *s)
{
    hs_blocks_stats stats;
    hs_blocks_get_stats(s->layout, &stats);
    hs_blocks_free(s->layout);
    for (int m = 0; m < s->matrices; m++)
        RIGHT(s->matrix[m].data == NULL);
    free(s);
    return stats.moves;
}
