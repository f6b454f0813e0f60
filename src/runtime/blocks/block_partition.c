/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/blocks/block_partition.h"
#include "plan/rebalance/rebalance.h"
#include "util/array.h"
#include "util/hash.h"
#include <stdlib.h>
#include <string.h>

/* ---- Making and freeing. ---- */

static hs__block_partition *cut_new(int ranks, int columns, int64_t blocks)
{
    hs__block_partition *cut = hs__array_new(1, sizeof *cut);
    if (!cut)
        return NULL;
    *cut = (hs__block_partition){.ranks = ranks, .columns = columns, .blocks = blocks};
    cut->first = hs__pool_new(&cut->pool, (size_t)columns + 1, sizeof *cut->first);
    cut->host = hs__pool_new(&cut->pool, (size_t)ranks, sizeof *cut->host);
    cut->width = hs__pool_new(&cut->pool, (size_t)columns, sizeof *cut->width);
    cut->height = hs__pool_new(&cut->pool, (size_t)ranks, sizeof *cut->height);
    cut->rectangle = hs__pool_new(&cut->pool, (size_t)ranks, sizeof *cut->rectangle);
    for (int axis = 0; axis < 2; axis++) {
        cut->index[axis] = hs__pool_new(&cut->pool, (size_t)blocks, sizeof **cut->index);
        cut->place[axis] = hs__pool_new(&cut->pool, (size_t)blocks, sizeof **cut->place);
    }
    if (hs__pool_status(&cut->pool) == HS_OK)
        return cut;
    hs__block_partition_free(cut);
    return NULL;
}

void hs__block_partition_free(hs__block_partition *cut)
{
    if (!cut)
        return;
    hs__pool_free(&cut->pool);
    free(cut);
}

void hs__block_partition_keep_order(hs__block_partition *cut, const hs__block_partition *other)
{
    size_t bytes = (size_t)cut->blocks * sizeof **cut->index;
    for (int axis = 0; axis < 2; axis++) {
        memcpy(cut->index[axis], other->index[axis], bytes);
        memcpy(cut->place[axis], other->place[axis], bytes);
    }
}

hs__block_partition *hs__block_partition_copy(const hs__block_partition *cut)
{
    hs__block_partition *copy = cut_new(cut->ranks, cut->columns, cut->blocks);
    if (!copy)
        return NULL;
    memcpy(copy->first, cut->first, ((size_t)cut->columns + 1) * sizeof *cut->first);
    memcpy(copy->host, cut->host, (size_t)cut->ranks * sizeof *cut->host);
    memcpy(copy->width, cut->width, (size_t)cut->columns * sizeof *cut->width);
    memcpy(copy->height, cut->height, (size_t)cut->ranks * sizeof *cut->height);
    memcpy(copy->rectangle, cut->rectangle, (size_t)cut->ranks * sizeof *cut->rectangle);
    hs__block_partition_keep_order(copy, cut);
    return copy;
}

/* Rectangles from widths and heights. */
static void lay_rectangles(hs__block_partition *cut)
{
    int64_t x = 0;
    for (int c = 0; c < cut->columns; x += cut->width[c++]) {
        int64_t y = 0;
        for (int k = cut->first[c]; k < cut->first[c + 1]; y += cut->height[k++])
            cut->rectangle[cut->host[k]] = (hs_blocks_rectangle){y, x, cut->height[k], cut->width[c]};
    }
}

/* Ranks as hosts, each at most once; N rows and N columns. Counts the ranks named in seen[]. */
static hs_status check_layout(int ranks, int64_t blocks, const hs_column_layout *l, char *seen, hs_error *error)
{
    if (!l)
        return hs_error_set(error, HS_ERR_ARG, 0, "columns is NULL, expected a layout");
    hs_status status = hs__column_layout_check(l, error);
    int64_t wide = 0, high = 0;
    if (status != HS_OK)
        return status;
    for (int c = 0; c < l->columns; c++)
        wide += l->width[c];
    for (int k = 0; k < l->first[1]; k++)
        high += l->height[k];
    if (wide != blocks || high != blocks)
        return hs_error_set(error, HS_ERR_ARG, 0, "the layout has %lld x %lld blocks, not %lld x %lld", (long long)high,
                            (long long)wide, (long long)blocks, (long long)blocks);
    for (int k = 0; k < l->first[l->columns]; k++) {
        if (l->host[k] < 0 || l->host[k] >= ranks)
            return hs_error_set(error, HS_ERR_ARG, 0, "the layout names rank %d of %d", l->host[k], ranks);
        if (seen[l->host[k]]++)
            return hs_error_set(error, HS_ERR_ARG, 0, "the layout names rank %d twice", l->host[k]);
    }
    return HS_OK;
}

/* Sets first[] so that each column has room for its ranks and for those that are left out. */
static void make_room(hs__block_partition *cut, const hs_column_layout *l)
{
    int *held = cut->first + 1; /* ranks of each column, summed up at the end */
    for (int c = 0; c < l->columns; c++)
        held[c] = l->first[c + 1] - l->first[c];
    for (int left_out = cut->ranks - l->first[l->columns]; left_out > 0; left_out--) {
        int fewest = 0;
        for (int c = 1; c < l->columns; c++)
            fewest = held[c] < held[fewest] ? c : fewest;
        held[fewest]++;
    }
    for (int c = 0; c < l->columns; c++)
        cut->first[c + 1] += cut->first[c];
}

static void fill_columns(hs__block_partition *cut, const hs_column_layout *l, const char *seen)
{
    int next = 0; /* to be looked at for a rank that is left out */
    for (int c = 0; c < l->columns; c++) {
        int k = cut->first[c];
        cut->width[c] = l->width[c];
        for (int place = l->first[c]; place < l->first[c + 1]; place++, k++) {
            cut->host[k] = l->host[place];
            cut->height[k] = l->height[place];
        }
        for (; k < cut->first[c + 1]; k++) {
            while (seen[next])
                next++;
            cut->host[k] = next++;
            cut->height[k] = 0;
        }
    }
}

hs_status hs__block_partition_create(int ranks, int64_t blocks, const hs_column_layout *layout,
                                     hs__block_partition **out, hs_error *error)
{
    hs__block_partition *cut = NULL;
    char *seen = hs__array_new((size_t)ranks, sizeof *seen);
    hs_status status = seen ? check_layout(ranks, blocks, layout, seen, error) : HS_ERR_NOMEM;
    if (status == HS_OK && !(cut = cut_new(ranks, layout->columns, blocks)))
        status = HS_ERR_NOMEM;
    if (status == HS_OK) {
        make_room(cut, layout);
        fill_columns(cut, layout, seen);
        lay_rectangles(cut);
        for (int axis = 0; axis < 2; axis++)
            for (int64_t i = 0; i < blocks; i++)
                cut->index[axis][i] = cut->place[axis][i] = i;
        *out = cut;
    }
    free(seen);
    return status;
}

hs_status hs__block_partition_for_speeds(int ranks, int64_t blocks, const double *speed,
                                         const hs_columns_params *params, hs__block_partition **cut, hs_error *error)
{
    hs_columns_params with = *params;
    hs_columns *plan = NULL;
    hs_column_layout layout;
    with.method = HS_COLUMNS_COLUMNS;
    with.blocks = blocks;
    hs_status status = hs_columns_create(speed, ranks, &with, &plan);
    if (status == HS_ERR_ARG || status == HS_ERR_INFEASIBLE)
        return hs_error_set(error, status, 0, "the speeds must be finite, at least 0, and not all 0");
    if (status == HS_OK)
        status = hs_columns_layout(plan, &layout);
    if (status == HS_OK)
        status = hs__block_partition_create(ranks, blocks, &layout, cut, error);
    hs_columns_free(plan);
    return status;
}

hs_column_layout hs__block_partition_layout(const hs__block_partition *cut)
{
    return (hs_column_layout){cut->columns, cut->first, cut->width, cut->host, cut->height};
}

/* ---- Operations. ---- */

static void reverse(int64_t *list, int64_t begin, int64_t end)
{
    for (end--; begin < end; begin++, end--) {
        int64_t swap = list[begin];
        list[begin] = list[end];
        list[end] = swap;
    }
}

/* Exchanges the stretches [a, b) and [b, c) of places. */
static void exchange(hs__block_partition *cut, hs_blocks_axis axis, int64_t a, int64_t b, int64_t c)
{
    reverse(cut->index[axis], a, b);
    reverse(cut->index[axis], b, c);
    reverse(cut->index[axis], a, c);
    for (int64_t i = a; i < c; i++)
        cut->place[axis][cut->index[axis][i]] = i;
}

static int64_t column_start(const hs__block_partition *cut, int column)
{
    int64_t start = 0;
    for (int c = 0; c < column; c++)
        start += cut->width[c];
    return start;
}

static void migrate_columns(hs__block_partition *cut, int from, int to, int64_t count)
{
    int64_t at = column_start(cut, from), end = column_start(cut, to) + cut->width[to];
    if (from < to)
        exchange(cut, HS_BLOCKS_COLUMNS, at + cut->width[from] - count, at + cut->width[from], end);
    else
        exchange(cut, HS_BLOCKS_COLUMNS, end, at, at + count);
    cut->width[from] -= count;
    cut->width[to] += count;
}

/* The place in column c that holds a row. */
static int holder(const hs__block_partition *cut, int c, int64_t row)
{
    int k = cut->first[c];
    while (row >= cut->height[k])
        row -= cut->height[k++];
    return k;
}

static void migrate_rows(hs__block_partition *cut, int64_t from, int64_t to, int64_t count)
{
    for (int c = 0; c < cut->columns; c++) {
        int giver = holder(cut, c, from), taker = holder(cut, c, to);
        cut->height[giver] -= count;
        cut->height[taker] += count;
    }
    if (from < to)
        exchange(cut, HS_BLOCKS_ROWS, from, from + count, to + 1);
    else
        exchange(cut, HS_BLOCKS_ROWS, to, from, from + count);
}

void hs__block_partition_apply(hs__block_partition *cut, const hs_rebalance_operation *operation)
{
    switch (operation->kind) {
    case HS_REBALANCE_COLUMN:
        migrate_columns(cut, (int)operation->from, (int)operation->to, operation->count);
        break;
    case HS_REBALANCE_ROW:
        migrate_rows(cut, operation->from, operation->to, operation->count);
        break;
    case HS_REBALANCE_SLIDE:
        cut->height[cut->first[operation->from] + operation->border] += operation->count;
        cut->height[cut->first[operation->from] + operation->border + 1] -= operation->count;
        break;
    }
    lay_rectangles(cut);
}

/* ---- What two cuts have in common. ---- */

int64_t hs__block_partition_common(const hs__block_partition *old, int a, const hs__block_partition *now, int b,
                                   hs_blocks_axis axis, hs__run *run, int *runs)
{
    const hs_blocks_rectangle *x = &old->rectangle[a], *y = &now->rectangle[b];
    int rows = axis == HS_BLOCKS_ROWS, n = 0;
    int64_t first = rows ? x->first_row : x->first_column, count = rows ? x->rows : x->columns, shared = 0;
    int64_t begin = rows ? y->first_row : y->first_column, size = rows ? y->rows : y->columns;
    for (int64_t i = 0; i < count; i++) {
        int64_t to = now->place[axis][old->index[axis][first + i]] - begin;
        if (to < 0 || to >= size)
            continue;
        if (n > 0 && run[n - 1].at[HS__OLD] + run[n - 1].count == i && run[n - 1].at[HS__NEW] + run[n - 1].count == to)
            run[n - 1].count++;
        else
            run[n++] = (hs__run){{i, to}, 1};
        shared++;
    }
    *runs = n;
    return shared;
}

/* ---- Checking. ---- */

int hs__block_partition_check(const hs__block_partition *cut)
{
    int64_t wide = 0, named = 0;
    for (int c = 0; c < cut->columns; wide += cut->width[c++]) {
        int64_t high = 0;
        for (int k = cut->first[c]; k < cut->first[c + 1]; high += cut->height[k++]) {
            const hs_blocks_rectangle *r = &cut->rectangle[cut->host[k]];
            if (cut->height[k] < 0 || r->first_row != high || r->first_column != wide || r->rows != cut->height[k] ||
                r->columns != cut->width[c])
                return 0;
            named++;
        }
        if (cut->width[c] < 0 || high != cut->blocks)
            return 0;
    }
    for (int axis = 0; axis < 2; axis++)
        for (int64_t i = 0; i < cut->blocks; i++) {
            int64_t index = cut->index[axis][i];
            if (index < 0 || index >= cut->blocks || cut->place[axis][index] != i)
                return 0;
        }
    return wide == cut->blocks && named == cut->ranks;
}

int64_t hs__block_partition_hash(const hs__block_partition *cut)
{
    uint64_t hash = hs__hash_add(HS__HASH_START, (uint64_t)cut->columns);
    for (int c = 0; c < cut->columns; c++)
        hash = hs__hash_add(hs__hash_add(hash, (uint64_t)cut->first[c + 1]), (uint64_t)cut->width[c]);
    for (int k = 0; k < cut->ranks; k++)
        hash = hs__hash_add(hs__hash_add(hash, (uint64_t)cut->host[k]), (uint64_t)cut->height[k]);
    return (int64_t)(hash >> 1);
}
