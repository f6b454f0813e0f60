/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the operations of a plan, done one by one as hs_rebalance.h words them, turn the old layout into the new one,
 * and what they cost. Shares no code with the planner. The matrix is kept as stretches of adjacent rows that lay
 * together before and have the same owners. */
#include <heteroslice/hs_rebalance.h>

#include "util/array.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct matrix {
    int columns;
    size_t stretches, room_count, room_was, room_place;
    int64_t *count; /* rows of each stretch; owned */
    int64_t *was;   /* where its first row lay before; owned */
    int *place;     /* [stretch * columns + c]: the rectangle it lies in; owned */
    int64_t *width; /* of the columns; owned */
    double cost;
} matrix;

static void matrix_free(matrix *m)
{
    free(m->width);
    free(m->place);
    free(m->was);
    free(m->count);
}

static hs_status reserve(matrix *m, size_t stretches)
{
    size_t columns = (size_t)m->columns;
    return hs__array_reserve(&m->count, &m->room_count, stretches, sizeof *m->count) == 0 &&
                   hs__array_reserve(&m->was, &m->room_was, stretches, sizeof *m->was) == 0 &&
                   hs__array_reserve(&m->place, &m->room_place, stretches * columns, sizeof *m->place) == 0
               ? HS_OK
               : HS_ERR_NOMEM;
}

/* Moves the stretches from `from` on to `to` on. */
static void shift(matrix *m, size_t from, size_t to, size_t n)
{
    size_t columns = (size_t)m->columns;
    memmove(m->count + to, m->count + from, n * sizeof *m->count);
    memmove(m->was + to, m->was + from, n * sizeof *m->was);
    memmove(m->place + to * columns, m->place + from * columns, n * columns * sizeof *m->place);
}

/* Makes a stretch begin at this row; *stretch is its index. */
static hs_status split(matrix *m, int64_t row, size_t *stretch)
{
    size_t k = 0;
    for (; k < m->stretches && row >= m->count[k]; k++)
        row -= m->count[k];
    *stretch = row == 0 ? k : k + 1;
    if (row == 0)
        return HS_OK;
    if (reserve(m, m->stretches + 1) != HS_OK)
        return HS_ERR_NOMEM;
    shift(m, k, k + 1, m->stretches++ - k);
    m->count[k] = row;
    m->count[k + 1] -= row;
    m->was[k + 1] += row;
    return HS_OK;
}

static int64_t rows_of(const hs_column_layout *l)
{
    int64_t rows = 0;
    for (int k = 0; k < l->first[1]; k++)
        rows += l->height[k];
    return rows;
}

/* Cut at every border. */
static hs_status matrix_init(matrix *m, const hs_column_layout *l)
{
    size_t begin, end;
    *m = (matrix){.columns = l->columns, .width = hs__array_new((size_t)l->columns, sizeof *m->width)};
    if (!m->width || reserve(m, 1) != HS_OK)
        return HS_ERR_NOMEM;
    memcpy(m->width, l->width, (size_t)l->columns * sizeof *m->width);
    memset(m->place, 0, (size_t)l->columns * sizeof *m->place);
    m->stretches = 1;
    m->was[0] = 0;
    m->count[0] = rows_of(l);
    for (int c = 0; c < l->columns; c++) {
        int64_t row = 0;
        for (int k = l->first[c]; k < l->first[c + 1]; row += l->height[k++]) {
            if (split(m, row, &begin) != HS_OK || split(m, row + l->height[k], &end) != HS_OK)
                return HS_ERR_NOMEM;
            for (; begin < end; begin++)
                m->place[begin * (size_t)l->columns + (size_t)c] = k;
        }
    }
    return HS_OK;
}

static int same_owners(const matrix *m, size_t a, size_t b)
{
    size_t columns = (size_t)m->columns;
    return memcmp(m->place + a * columns, m->place + b * columns, columns * sizeof *m->place) == 0;
}

static hs_status move_column(matrix *m, const hs_rebalance_operation *op, int64_t rows)
{
    if (op->from < 0 || op->from >= m->columns || op->to < 0 || op->to >= m->columns || op->from == op->to ||
        op->count <= 0 || op->count > m->width[op->from])
        return HS_ERR_INTERNAL;
    m->width[op->from] -= op->count;
    m->width[op->to] += op->count;
    m->cost += (double)op->count * (double)rows;
    return HS_OK;
}

/* Move the stretches [i, j) to just below or above the target, and give them its owners. */
static hs_status land(matrix *m, size_t i, size_t j, size_t target, int down)
{
    size_t n = j - i, at = down ? target + 1 : target, end = m->stretches, columns = (size_t)m->columns;
    if (reserve(m, end + n) != HS_OK)
        return HS_ERR_NOMEM;
    for (size_t k = i; k < j; k++)
        memcpy(m->place + k * columns, m->place + target * columns, columns * sizeof *m->place);
    shift(m, i, end, n);
    if (down)
        shift(m, j, i, at - j);
    else
        shift(m, at, at + n, i - at);
    shift(m, end, down ? at - n : at, n);
    return HS_OK;
}

static hs_status move_rows(matrix *m, const hs_rebalance_operation *op, const hs_rebalance_params *params, int64_t rows)
{
    size_t i, j, target, after;
    int64_t end = op->from + op->count;
    double owners = 0, width = 0;
    if (op->count <= 0 || op->from < 0 || end > rows || op->to < 0 || op->to >= rows ||
        (op->to >= op->from && op->to < end))
        return HS_ERR_INTERNAL;
    if (split(m, op->from, &i) != HS_OK || split(m, end, &j) != HS_OK || split(m, op->to, &target) != HS_OK ||
        split(m, op->to + 1, &after) != HS_OK || split(m, op->from, &i) != HS_OK || split(m, end, &j) != HS_OK ||
        split(m, op->to, &target) != HS_OK)
        return HS_ERR_NOMEM;
    for (size_t k = i; k < j; k++)
        if (!same_owners(m, k, i))
            return HS_ERR_INTERNAL; /* the rows lie in more than one rectangle of a column */
    for (int c = 0; c < m->columns; c++) {
        size_t columns = (size_t)m->columns;
        width += (double)m->width[c];
        owners += m->place[i * columns + (size_t)c] == m->place[target * columns + (size_t)c] ? 0 : (double)m->width[c];
    }
    double constant = params->row_cost < 0 ? width : params->row_cost;
    m->cost += (double)op->count * (params->model == HS_REBALANCE_OWNERS ? owners : constant);
    return land(m, i, j, target, op->to > op->from);
}

static hs_status slide(matrix *m, const hs_column_layout *l, const hs_rebalance_operation *op, int64_t rows)
{
    size_t columns = (size_t)m->columns, begin, end;
    if (op->from < 0 || op->from >= m->columns || op->count == 0)
        return HS_ERR_INTERNAL;
    int above = l->first[op->from] + op->border;
    int64_t border = 0, count = op->count < 0 ? -op->count : op->count;
    if (op->border < 0 || above + 1 >= l->first[op->from + 1])
        return HS_ERR_INTERNAL;
    for (size_t k = 0; k < m->stretches && m->place[k * columns + (size_t)op->from] <= above; k++)
        border += m->count[k];
    int64_t first = op->count > 0 ? border : border - count;
    if (first < 0 || first + count > rows)
        return HS_ERR_INTERNAL;
    if (split(m, first, &begin) != HS_OK || split(m, first + count, &end) != HS_OK)
        return HS_ERR_NOMEM;
    for (; begin < end; begin++) {
        int *place = &m->place[begin * columns + (size_t)op->from];
        if (*place != (op->count > 0 ? above + 1 : above))
            return HS_ERR_INTERNAL; /* it runs over another border: the rectangle has not so many rows to give */
        *place = op->count > 0 ? above : above + 1;
    }
    m->cost += (double)m->width[op->from] * (double)count;
    return HS_OK;
}

static hs_status carry_out(matrix *m, const hs_column_layout *before, const hs_rebalance *plan,
                           const hs_rebalance_params *params, hs_error *error)
{
    int64_t rows = rows_of(before);
    hs_status status = HS_OK;
    for (int k = 0; k < hs_rebalance_operations(plan) && status == HS_OK; k++) {
        const hs_rebalance_operation *op = hs_rebalance_operation_at(plan, k);
        status = op->kind == HS_REBALANCE_COLUMN ? move_column(m, op, rows)
                 : op->kind == HS_REBALANCE_ROW  ? move_rows(m, op, params, rows)
                                                 : slide(m, before, op, rows);
        if (status == HS_ERR_INTERNAL)
            hs_error_set(error, status, 0, "operation %d cannot be done: from %lld, to %lld, border %d, count %lld", k,
                         (long long)op->from, (long long)op->to, op->border, (long long)op->count);
    }
    return status;
}

/* The rectangle in which a row lay before in a column. */
static int place_before(const hs_column_layout *l, int c, int64_t row)
{
    int k = l->first[c];
    for (; row >= l->height[k]; k++)
        row -= l->height[k];
    return k;
}

/* Rows of column c that a stretch brought into another rectangle than they were in. */
static int64_t moved_rows(const matrix *m, const hs_column_layout *before, int c, size_t stretch)
{
    int64_t moved = 0, row = m->was[stretch], end = row + m->count[stretch];
    int now = m->place[stretch * (size_t)m->columns + (size_t)c];
    while (row < end) {
        int k = place_before(before, c, row);
        int64_t below = 0;
        for (int j = before->first[c]; j <= k; j++)
            below += before->height[j];
        int64_t part = (below < end ? below : end) - row;
        moved += k == now ? 0 : part;
        row += part;
    }
    return moved;
}

/* Column c holds the rectangles of the new layout from top to bottom. *moved: blocks that another one owns now. */
static hs_status check_column(const matrix *m, const hs_column_layout *before, const hs_column_layout *after, int c,
                              int64_t *moved, hs_error *error)
{
    int64_t kept = m->width[c] < before->width[c] ? m->width[c] : before->width[c], rows = rows_of(before), high = 0;
    int k = before->first[c];
    if (after->width[c] != m->width[c])
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "column %d becomes %lld wide, not %lld", c,
                            (long long)m->width[c], (long long)after->width[c]);
    for (size_t i = 0; i < m->stretches; i++) {
        int place = m->place[i * (size_t)m->columns + (size_t)c];
        while (high == after->height[k] && k + 1 < before->first[c + 1]) {
            high = 0;
            k++;
        }
        high += m->count[i];
        if (place != k || high > after->height[k])
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "column %d: rectangle %d gets rows that are not its own", c,
                                place - before->first[c]);
        *moved += kept * moved_rows(m, before, c, i);
    }
    for (; k < before->first[c + 1]; k++, high = 0)
        if (high != after->height[k])
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "column %d: rectangle %d becomes %lld high, not %lld", c,
                                k - before->first[c], (long long)high, (long long)after->height[k]);
    *moved += (before->width[c] - kept) * rows;
    return HS_OK;
}

hs_status hs_rebalance_check(const hs_column_layout *before, const hs_rebalance_params *params,
                             const hs_rebalance *plan, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(plan, error);
    matrix m;
    hs_rebalance_params with;
    hs_column_layout after;
    int64_t moved = 0;
    hs_rebalance_params_init(&with);
    if (params)
        with = *params;
    hs_rebalance_layout(plan, &after);
    hs_status status = matrix_init(&m, before);
    if (status == HS_OK)
        status = carry_out(&m, before, plan, &with, error);
    for (int c = 0; c < before->columns && status == HS_OK; c++)
        status = check_column(&m, before, &after, c, &moved, error);
    if (status == HS_OK &&
        memcmp(after.host, before->host, (size_t)before->first[before->columns] * sizeof *after.host) != 0)
        status = hs_error_set(error, HS_ERR_INTERNAL, 0, "hosts have changed their rectangles");
    double cost = hs_rebalance_cost(plan);
    if (status == HS_OK && (moved != hs_rebalance_blocks_moved(plan) || !(fabs(m.cost - cost) <= 1e-9 * fmax(1, cost))))
        status = hs_error_set(error, HS_ERR_INTERNAL, 0, "the operations cost %g and move %lld blocks, not %g and %lld",
                              m.cost, (long long)moved, cost, (long long)hs_rebalance_blocks_moved(plan));
    if (status == HS_OK && !(cost <= hs_rebalance_cost_slides_only(plan) * (1 + 1e-9)))
        status = hs_error_set(error, HS_ERR_INTERNAL, 0, "the plan costs %g, slides alone %g", cost,
                              hs_rebalance_cost_slides_only(plan));
    matrix_free(&m);
    return status;
}
