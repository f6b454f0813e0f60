/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/rebalance/rebalance.h"

#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_position(const void *a, const void *b)
{
    const hs__border *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Lists the borders at the edges of the matrix (edge 1) or inside it. */
static int list_borders(const hs_column_layout *layout, const int64_t *delta, int edge, hs__border *list)
{
    int n = 0;
    for (int c = 0; c < layout->columns; c++) {
        int64_t position = 0, b = 0, rows = 0;
        for (int k = layout->first[c]; k < layout->first[c + 1]; k++)
            rows += layout->height[k];
        for (int k = layout->first[c]; k < layout->first[c + 1] - 1; k++) {
            position += layout->height[k];
            b += delta[k];
            if ((position == 0 || position == rows) == edge)
                list[n++] = (hs__border){position, c, k - layout->first[c], (double)layout->width[c], b};
        }
    }
    return n;
}

static int64_t rows_of(const hs_column_layout *layout)
{
    int64_t rows = 0;
    for (int k = layout->first[0]; layout->columns > 0 && k < layout->first[1]; k++)
        rows += layout->height[k];
    return rows;
}

hs_status hs__borders_create(const hs_column_layout *layout, const int64_t *delta, hs__borders *borders)
{
    size_t places = (size_t)layout->first[layout->columns];
    hs__borders s = {.columns = layout->columns};
    s.first = hs__pool_new(&s.pool, places + 1, sizeof *s.first);
    s.length = hs__pool_new(&s.pool, places + 1, sizeof *s.length);
    s.border = hs__pool_new(&s.pool, places, sizeof *s.border);
    if (hs__pool_complete(&s.pool) != HS_OK)
        return HS_ERR_NOMEM;
    s.count = list_borders(layout, delta, 0, s.border);
    s.all = s.count + list_borders(layout, delta, 1, s.border + s.count);
    qsort(s.border, (size_t)s.count, sizeof *s.border, by_position);
    int64_t before = 0;
    for (int t = 0; t < s.count; t++)
        if (t == 0 || s.border[t].position != before) {
            s.length[s.cuts] = s.border[t].position - before;
            before = s.border[t].position;
            s.first[s.cuts++] = t;
        }
    s.first[s.cuts] = s.count;
    s.length[s.cuts] = rows_of(layout) - before;
    HS_ASSERT(s.length[s.cuts] >= 1 && (size_t)s.all + (size_t)layout->columns == places);
    *borders = s;
    return HS_OK;
}

void hs__borders_free(hs__borders *borders)
{
    hs__pool_free(&borders->pool);
    *borders = (hs__borders){0};
}

hs_status hs__row_moves_add(hs__row_moves *moves, int from, int to, int64_t count)
{
    if (moves->n > 0 && moves->move[moves->n - 1].from == from && moves->move[moves->n - 1].to == to) {
        moves->move[moves->n - 1].count += count;
        return HS_OK;
    }
    if (hs__array_reserve(&moves->move, &moves->capacity, moves->n + 1, sizeof *moves->move) != 0)
        return HS_ERR_NOMEM;
    moves->move[moves->n++] = (hs__row_move){from, to, count};
    return HS_OK;
}

void hs__row_moves_free(hs__row_moves *moves)
{
    free(moves->move);
    *moves = (hs__row_moves){NULL, 0, 0};
}

double hs__row_price_between(const hs__borders *borders, const hs__row_price *price, int from, int to, char *seen)
{
    int begin = from < to ? from : to, end = from < to ? to : from;
    double cost = 0;
    if (price->model == HS_REBALANCE_CONSTANT)
        return price->constant;
    memset(seen, 0, (size_t)borders->columns);
    for (int t = borders->first[begin]; t < borders->first[end]; t++) {
        const hs__border *border = &borders->border[t];
        cost += seen[border->column] ? 0 : border->width;
        seen[border->column] = 1;
    }
    return cost;
}

void hs__row_moves_crossings(const hs__borders *borders, const hs__row_moves *moves, int64_t *z)
{
    memset(z, 0, (size_t)borders->cuts * sizeof *z);
    for (size_t k = 0; k < moves->n; k++) {
        const hs__row_move *m = &moves->move[k];
        for (int cut = m->from; cut < m->to; cut++)
            z[cut] += m->count;
        for (int cut = m->to; cut < m->from; cut++)
            z[cut] -= m->count;
    }
}

double hs__slides_cost(const hs__borders *borders, const int64_t *z)
{
    double cost = 0;
    for (int k = 0; k < borders->cuts; k++)
        for (int t = borders->first[k]; t < borders->first[k + 1]; t++)
            cost += borders->border[t].width * fabs((double)(borders->border[t].b + (z ? z[k] : 0)));
    for (int t = borders->count; t < borders->all; t++)
        cost += borders->border[t].width * fabs((double)borders->border[t].b);
    return cost;
}
