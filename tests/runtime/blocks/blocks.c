/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices are the same before and after any sequence of moves, and the rectangles tile the blocks after each. */
#include "runtime/blocks/blocks.h"
#include "tests/mpi.h"
#include "util/random.h"

enum { MATRICES = 3, MOVES = 10 };

static const int64_t shape[MATRICES][3] = {{2, 3, 8}, {1, 1, 5}, {4, 4, 4}}; /* rows, columns, bytes of an element */

/* The byte that belongs at byte b of element (i, j) of the matrix, rows and columns by index. */
static unsigned char truth(int m, int64_t i, int64_t j, int64_t b)
{
    return (unsigned char)(17 * i + 101 * j + 7 * b + 31 * m + (i * j) % 251);
}

typedef enum what { FILL, CHECK } what;

/* Every byte of this rank's rectangle of matrix m. */
static void visit(const hs_blocks *layout, int m, void *data, what to_do)
{
    hs_blocks_rectangle mine = hs_blocks_mine(layout);
    const int64_t *row = hs_blocks_index(layout, HS_BLOCKS_ROWS), *column = hs_blocks_index(layout, HS_BLOCKS_COLUMNS);
    int64_t high = shape[m][0], wide = shape[m][1], bytes = shape[m][2], ld = mine.rows * high;
    REQUIRE((data == NULL) == (mine.rows == 0 || mine.columns == 0));
    for (int64_t j = 0; j < mine.columns * wide; j++)
        for (int64_t i = 0; i < mine.rows * high; i++)
            for (int64_t b = 0; b < bytes; b++) {
                unsigned char *place = (unsigned char *)data + (i + j * ld) * bytes + b;
                unsigned char value = truth(m, row[mine.first_row + i / high] * high + i % high,
                                            column[mine.first_column + j / wide] * wide + j % wide, b);
                if (to_do == FILL)
                    *place = value;
                else
                    REQUIRE(*place == value);
            }
}

static void add_matrices(hs_blocks *layout, void **data)
{
    for (int m = 0; m < MATRICES; m++) {
        REQUIRE(hs_blocks_add_matrix(layout, shape[m][0], shape[m][1], shape[m][2], &data[m]) == HS_OK);
        visit(layout, m, data[m], FILL);
    }
}

/* The columns that planners are told are the rectangles. */
static void columns_agree(const hs_blocks *layout)
{
    hs_column_layout columns;
    hs_blocks_layout(layout, &columns);
    for (int c = 0; c < columns.columns; c++)
        for (int i = columns.first[c]; i < columns.first[c + 1]; i++) {
            hs_blocks_rectangle r = hs_blocks_rectangles(layout)[columns.host[i]];
            REQUIRE(r.rows == columns.height[i] && r.columns == columns.width[c]);
        }
}

static void check_all(const hs_blocks *layout, void **data)
{
    REQUIRE(hs__block_partition_check(layout->cut));
    columns_agree(layout);
    for (int m = 0; m < MATRICES; m++)
        visit(layout, m, data[m], CHECK);
}

/* Speeds of all kinds: even, far apart, some of them 0; one of them above 0. */
static void random_speeds(hs__random *random, int size, double *speed)
{
    int kind = (int)hs__random_below(random, 3);
    for (int r = 0; r < size; r++) {
        speed[r] = 1 + hs__random_unit(random) * (kind == 1 ? 99 : 1);
        if (kind == 2 && hs__random_below(random, 3) == 0)
            speed[r] = 0;
    }
    speed[hs__random_below(random, size)] = 1;
}

static void stats_agree(const hs_blocks *layout)
{
    hs_blocks_stats stats;
    hs_blocks_get_stats(layout, &stats);
    REQUIRE(stats.moved_blocks == stats.planned_blocks);
    REQUIRE(stats.moved_bytes == stats.moved_blocks * (2 * 3 * 8 + 5 + 4 * 4 * 4));
}

static void random_moves(hs_context *context, int64_t blocks, uint64_t seed)
{
    hs__random random = {seed};
    hs_blocks *layout;
    void *data[MATRICES];
    double *speed = malloc((size_t)context->size * sizeof *speed);
    random_speeds(&random, context->size, speed);
    REQUIRE(hs_blocks_create(context, blocks, &(hs_blocks_params){.speed = speed}, &layout) == HS_OK);
    REQUIRE(memcmp(hs_blocks_speeds(layout), speed, (size_t)context->size * sizeof *speed) == 0);
    add_matrices(layout, data);
    for (int k = 0; k < MOVES; k++) {
        random_speeds(&random, context->size, speed);
        hs_status status;
        if (hs__random_below(&random, 3) > 0) {
            status = hs_blocks_rebalance(layout, speed);
        } else {
            hs_columns_params params;
            hs_columns *plan;
            hs_column_layout columns;
            hs_columns_params_init(&params);
            params.blocks = blocks;
            REQUIRE(hs_columns_create(speed, context->size, &params, &plan) == HS_OK);
            REQUIRE(hs_columns_layout(plan, &columns) == HS_OK);
            status = hs_blocks_move(layout, &columns);
            hs_columns_free(plan);
        }
        REQUIRE(status == HS_OK || status == HS_UNCHANGED || status == HS_ERR_INFEASIBLE);
        check_all(layout, data);
        stats_agree(layout);
    }
    free(speed);
    hs_blocks_free(layout);
    for (int m = 0; m < MATRICES; m++)
        REQUIRE(data[m] == NULL);
}

/* More than 2^31 bytes from one rank to another, where there is memory for it and HS_TEST_BIG asks for it. */
static void huge_move(hs_context *context)
{
    enum { BLOCKS = 3, HIGH = 8192, WIDE = 4096 }; /* 9 blocks of 256 MiB */
    static const int first[] = {0, 1}, before[] = {0}, after[] = {1};
    static const int64_t whole[] = {BLOCKS};
    hs_blocks *layout;
    double *data;
    if (context->size < 2 || !getenv("HS_TEST_BIG"))
        return;
    int room = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) >= 12e9;
    MPI_Bcast(&room, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (context->rank == 0)
        printf("%d ranks: more than 2^31 bytes %s\n", context->size,
               room ? "move" : "need 12 GB of free memory: skipped");
    if (!room)
        return;
    hs_blocks_params params = {.layout = &(hs_column_layout){1, first, whole, before, whole}};
    REQUIRE(hs_blocks_create(context, BLOCKS, &params, &layout) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(layout, HIGH, WIDE, sizeof *data, (void **)&data) == HS_OK);
    int64_t elements = (int64_t)BLOCKS * BLOCKS * HIGH * WIDE;
    for (int64_t i = 0; context->rank == 0 && i < elements; i++)
        data[i] = (double)i;
    REQUIRE(hs_blocks_move(layout, &(hs_column_layout){1, first, whole, after, whole}) == HS_OK);
    for (int64_t i = 0; context->rank == 1 && i < elements; i++)
        if (data[i] != (double)i)
            REQUIRE(!"an element has another value");
    hs_blocks_stats stats;
    hs_blocks_get_stats(layout, &stats);
    REQUIRE(stats.moved_bytes == elements * (int64_t)sizeof *data && stats.moved_bytes > INT32_MAX);
    hs_blocks_free(layout);
}

int main(int argc, char **argv)
{
    hs_context *context;
    MPI_Init(&argc, &argv);
    REQUIRE(hs_init(MPI_COMM_WORLD, &(hs_params){.mode = HS_BALANCE_OFF}, &context, NULL) == HS_OK);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        random_moves(context, 1, seed);
        random_moves(context, 3, seed);
        random_moves(context, 11, seed);
        random_moves(context, 40, seed);
    }
    huge_move(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return 0;
}
