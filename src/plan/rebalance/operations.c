/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns moves between segments and columns into operations on the layout, and counts the blocks that change owner. */
#include "plan/rebalance/plan.h"

#include "util/array.h"
#include "util/assert.h"
#include <stdlib.h>
#include <string.h>

/* Append an operation. @return HS_OK; HS_ERR_NOMEM */
static hs_status append(hs_rebalance *plan, hs_rebalance_operation operation)
{
    if (hs__array_reserve(&plan->operation, &plan->capacity, plan->operations + 1, sizeof operation) != 0)
        return HS_ERR_NOMEM;
    plan->operation[plan->operations++] = operation;
    return HS_OK;
}

hs_status hs__rebalance_append_columns(hs_rebalance *plan, const int64_t *from, int64_t *moved)
{
    size_t columns = (size_t)plan->columns;
    int64_t *surplus = hs__array_new(columns, sizeof *surplus);
    hs_status status = surplus ? HS_OK : HS_ERR_NOMEM;
    *moved = 0;
    for (size_t c = 0; status == HS_OK && c < columns; c++)
        surplus[c] = from[c] - plan->width[c];
    while (status == HS_OK) {
        size_t most = 0, least = 0;
        for (size_t c = 1; c < columns; c++) {
            most = surplus[c] > surplus[most] ? c : most;
            least = surplus[c] < surplus[least] ? c : least;
        }
        int64_t count = surplus[most] < -surplus[least] ? surplus[most] : -surplus[least];
        HS_ASSERT(count > 0 || (surplus[most] == 0 && surplus[least] == 0));
        if (count <= 0)
            break;
        surplus[most] -= count;
        surplus[least] += count;
        *moved += count;
        status = append(plan, (hs_rebalance_operation){HS_REBALANCE_COLUMN, (int64_t)most, (int64_t)least, -1, count});
    }
    free(surplus);
    return status;
}

static int64_t start_of(const int64_t *length, int segment)
{
    int64_t start = 0;
    for (int s = 0; s < segment; s++)
        start += length[s];
    return start;
}

hs_status hs__rebalance_append_rows(hs_rebalance *plan, const hs__borders *borders, const hs__row_moves *moves)
{
    size_t segments = (size_t)borders->cuts + 1;
    int64_t *length = hs__array_new(segments, sizeof *length);
    hs_status status = length ? HS_OK : HS_ERR_NOMEM;
    if (length)
        memcpy(length, borders->length, segments * sizeof *length);
    for (size_t k = 0; k < moves->n && status == HS_OK; k++) {
        const hs__row_move *m = &moves->move[k];
        HS_ASSERT(m->count >= 1 && m->count <= length[m->from]);
        int64_t from = start_of(length, m->from), to = start_of(length, m->to);
        /* Take the rows nearest to the target and put them next to the target's nearest row. */
        if (m->from < m->to)
            from += length[m->from] - m->count;
        else
            to += length[m->to] - 1;
        status = append(plan, (hs_rebalance_operation){HS_REBALANCE_ROW, from, to, -1, m->count});
        length[m->from] -= m->count;
        length[m->to] += m->count;
    }
    free(length);
    return status;
}

static int by_column(const void *a, const void *b)
{
    const hs__border *x = a, *y = b;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Borders that go down are moved from the lowest up, then those that go up from the highest down: a border's final
 * place then always lies between its neighbours'. */
hs_status hs__rebalance_append_slides(hs_rebalance *plan, const hs__borders *borders, const int64_t *z)
{
    int n = borders->all;
    hs_status status = HS_OK;
    hs__border *list = hs__array_new((size_t)n, sizeof *list);
    if (!list)
        return HS_ERR_NOMEM;
    memcpy(list, borders->border, (size_t)n * sizeof *list);
    for (int k = 0; k < borders->cuts; k++)
        for (int t = borders->first[k]; t < borders->first[k + 1]; t++)
            list[t].b += z[k];
    qsort(list, (size_t)n, sizeof *list, by_column);
    for (int begin = 0, end; begin < n && status == HS_OK; begin = end) {
        for (end = begin; end < n && list[end].column == list[begin].column; end++)
            ;
        for (int i = 0; i < 2 * (end - begin) && status == HS_OK; i++) {
            int down = i < end - begin, t = down ? end - 1 - i : i - (end - begin) + begin;
            if (down ? list[t].b > 0 : list[t].b < 0)
                status = append(
                    plan, (hs_rebalance_operation){HS_REBALANCE_SLIDE, list[t].column, -1, list[t].index, list[t].b});
        }
    }
    free(list);
    return status;
}

/* ---- Blocks that change owner ---- */

/* Rows that lay together before: `count` rows from `start` on. */
typedef struct run {
    int64_t start, count;
} run;

typedef struct order {
    run *run;
    size_t n, capacity;
} order;

/* Makes a run begin at this row of the present order; returns its index. */
static hs_status split_at(order *o, int64_t row, size_t *index)
{
    size_t k = 0;
    for (; k < o->n && row >= o->run[k].count; k++)
        row -= o->run[k].count;
    *index = k;
    if (row == 0)
        return HS_OK;
    if (hs__array_reserve(&o->run, &o->capacity, o->n + 1, sizeof *o->run) != 0)
        return HS_ERR_NOMEM;
    memmove(o->run + k + 1, o->run + k, (o->n - k) * sizeof *o->run);
    o->n++;
    o->run[k].count = row;
    o->run[k + 1].start += row;
    o->run[k + 1].count -= row;
    *index = k + 1;
    return HS_OK;
}

/* Exchanges two adjacent stretches of rows: [a, b) and [b, c) become [b, c) and [a, b). */
static hs_status exchange(order *o, int64_t a, int64_t b, int64_t c)
{
    size_t i, j, k;
    hs_status status = split_at(o, a, &i);
    if (status == HS_OK)
        status = split_at(o, b, &j);
    if (status == HS_OK)
        status = split_at(o, c, &k);
    run *stretch = status == HS_OK ? hs__array_new(j - i, sizeof *stretch) : NULL;
    if (!stretch)
        return HS_ERR_NOMEM;
    memcpy(stretch, o->run + i, (j - i) * sizeof *stretch);
    memmove(o->run + i, o->run + j, (k - j) * sizeof *stretch);
    memcpy(o->run + i + (k - j), stretch, (j - i) * sizeof *stretch);
    free(stretch);
    return HS_OK;
}

static hs_status final_order(const hs_rebalance *plan, int64_t rows, order *o)
{
    hs_status status = hs__array_reserve(&o->run, &o->capacity, 1, sizeof *o->run) == 0 ? HS_OK : HS_ERR_NOMEM;
    if (status == HS_OK)
        o->run[o->n++] = (run){0, rows};
    for (size_t k = 0; k < plan->operations && status == HS_OK; k++) {
        const hs_rebalance_operation *op = &plan->operation[k];
        if (op->kind == HS_REBALANCE_ROW)
            status = op->to > op->from ? exchange(o, op->from, op->from + op->count, op->to + 1)
                                       : exchange(o, op->to, op->from, op->from + op->count);
    }
    return status;
}

/* Rows of column c that have another owner when they lie in the order `o`. */
static int64_t rows_moved(const hs_rebalance *plan, const hs_column_layout *before, int c, const order *o)
{
    int now = before->first[c];
    int64_t left = plan->height[now], moved = 0;
    for (size_t k = 0; k < o->n; k++) {
        int64_t row = o->run[k].start, count = o->run[k].count, end = 0;
        int then = before->first[c];
        while (end + before->height[then] <= row)
            end += before->height[then++];
        while (count > 0) {
            while (left == 0)
                left = plan->height[++now];
            while (end + before->height[then] <= row)
                end += before->height[then++];
            int64_t same = end + before->height[then] - row;
            same = same < count ? same : count;
            same = same < left ? same : left;
            moved += then == now ? 0 : same;
            row += same;
            count -= same;
            left -= same;
        }
    }
    return moved;
}

hs_status hs__rebalance_count_moved(const hs_rebalance *plan, const hs_column_layout *before, int64_t *blocks)
{
    order o = {NULL, 0, 0};
    int64_t rows = 0, moved = 0;
    for (int k = 0; k < before->first[1]; k++)
        rows += before->height[k];
    hs_status status = final_order(plan, rows, &o);
    for (int c = 0; c < before->columns && status == HS_OK; c++) {
        int64_t kept = before->width[c] < plan->width[c] ? before->width[c] : plan->width[c];
        moved += kept > 0 ? kept * rows_moved(plan, before, c, &o) : 0;
        moved += (before->width[c] - kept) * rows;
    }
    free(o.run);
    if (status == HS_OK)
        *blocks = moved;
    return status;
}
