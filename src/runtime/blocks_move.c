/* SPDX-License-Identifier: BSD-3-Clause */
/* From one cut to another. The blocks that rank a had and rank b gets are the rows that a's old and b's new rectangle
 * share, times the columns they share: one message a matrix. Whatever the operations between the two cuts were, a block
 * travels at most once. */
#include "runtime/blocks.h"
#include "runtime/clock.h"
#include "runtime/left.h"
#include "runtime/messages.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The blocks that travel from one rank to another. */
typedef struct part {
    int peer, row_runs, column_runs;
    int64_t rows, columns;
    hs__run *row, *column; /* owned */
    char *buffer;          /* of the matrix under way, packed; owned */
} part;

typedef struct part_list {
    part *part;
    size_t count, capacity;
} part_list;

typedef struct move_plan {
    hs_blocks *layout;
    const hs__cut *cut; /* the new one */
    part_list way[2];   /* by hs__direction, this rank's own blocks among what it sends */
    hs__run *run[2];    /* scratch, by axis */
    void **data;        /* the new rectangles of all matrices; owned until they are adopted */
    int stays;          /* this rank keeps its very blocks: its pointers too */
    hs__messages messages;
} move_plan;

/* ---- Who sends what. ---- */

static hs__run *copy_runs(const hs__run *run, int n)
{
    hs__run *copy = hs__array_new((size_t)n, sizeof *copy);
    if (copy)
        memcpy(copy, run, (size_t)n * sizeof *copy);
    return copy;
}

/* Finds what rank a had and rank b gets, and lists it as travelling to or from peer. */
static hs_status find_part(move_plan *plan, int a, int b, int peer, hs__direction way)
{
    const hs__cut *old = plan->layout->cut;
    part_list *list = &plan->way[way];
    part p = {.peer = peer};
    p.rows = hs__cut_common(old, a, plan->cut, b, HS_BLOCKS_ROWS, plan->run[HS_BLOCKS_ROWS], &p.row_runs);
    if (p.rows > 0)
        p.columns =
            hs__cut_common(old, a, plan->cut, b, HS_BLOCKS_COLUMNS, plan->run[HS_BLOCKS_COLUMNS], &p.column_runs);
    if (p.columns == 0)
        return HS_OK;
    if (hs__array_reserve(&list->part, &list->capacity, list->count + 1, sizeof p) != 0)
        return HS_ERR_NOMEM;
    p.row = copy_runs(plan->run[HS_BLOCKS_ROWS], p.row_runs);
    p.column = copy_runs(plan->run[HS_BLOCKS_COLUMNS], p.column_runs);
    list->part[list->count++] = p;
    return p.row && p.column ? HS_OK : HS_ERR_NOMEM;
}

static hs_status find_parts(move_plan *plan)
{
    const hs_context *context = plan->layout->context;
    hs_status status = HS_OK;
    for (int step = 0; step < context->size && status == HS_OK; step++) {
        int peer = (context->rank + step) % context->size;
        status = find_part(plan, context->rank, peer, peer, HS__SEND);
        if (status == HS_OK && peer != context->rank)
            status = find_part(plan, peer, context->rank, peer, HS__RECEIVE);
    }
    return status;
}

static int is_whole(const hs__run *run, int runs, int64_t size)
{
    return runs == 1 && run->at[HS__OLD] == 0 && run->at[HS__NEW] == 0 && run->count == size;
}

/* Whether the new rectangle is the old one, block by block. */
static int stays(const move_plan *plan)
{
    int rank = plan->layout->context->rank;
    const hs_blocks_rectangle *old = &plan->layout->cut->rectangle[rank], *now = &plan->cut->rectangle[rank];
    if (old->rows != now->rows || old->columns != now->columns)
        return 0;
    if (old->rows == 0 || old->columns == 0)
        return 1;
    if (plan->way[HS__SEND].count != 1 || plan->way[HS__SEND].part[0].peer != rank)
        return 0;
    const part *own = &plan->way[HS__SEND].part[0];
    return is_whole(own->row, own->row_runs, old->rows) && is_whole(own->column, own->column_runs, old->columns);
}

static hs_status allocate(move_plan *plan)
{
    const hs_blocks *layout = plan->layout;
    const hs_blocks_rectangle *mine = &plan->cut->rectangle[layout->context->rank];
    hs_status status = HS_OK;
    for (int axis = 0; axis < 2; axis++)
        if (!(plan->run[axis] = hs__array_new((size_t)plan->cut->blocks, sizeof *plan->run[axis])))
            return HS_ERR_NOMEM;
    if (!(plan->data = hs__array_new(layout->matrix_count, sizeof *plan->data)))
        return HS_ERR_NOMEM;
    status = find_parts(plan);
    if (status != HS_OK || (plan->stays = stays(plan)))
        return status;
    for (size_t m = 0; m < layout->matrix_count && status == HS_OK; m++)
        status = hs__matrix_allocate(&layout->matrices[m], mine, &plan->data[m]);
    return status;
}

static void plan_free(move_plan *plan)
{
    for (int way = 0; way < 2; way++) {
        for (size_t k = 0; k < plan->way[way].count; k++) {
            free(plan->way[way].part[k].row);
            free(plan->way[way].part[k].column);
            hs__let_go(plan->way[way].part[k].buffer, plan->messages.count > 0);
        }
        free(plan->way[way].part);
        free(plan->run[way]);
    }
    for (size_t m = 0; plan->data && m < plan->layout->matrix_count; m++)
        free(plan->data[m]);
    free(plan->data);
    hs__messages_free(&plan->messages);
}

/* ---- Copying and sending. ---- */

/* A matrix as it lies in memory: an old or new rectangle, or the blocks of one part close together. */
typedef struct sheet {
    hs__side side;
    char *data;
    int64_t rows; /* blocks in a column of it */
} sheet;

static void copy_part(const hs__matrix *m, const part *p, const sheet *from, const sheet *to)
{
    size_t block = (size_t)(m->block_rows * m->element_bytes); /* bytes of one column of a block */
    for (int c = 0; c < p->column_runs; c++) {
        const hs__run *column = &p->column[c];
        for (int64_t j = 0; j < column->count * m->block_columns; j++) {
            int64_t source = (column->at[from->side] * m->block_columns + j) * from->rows;
            int64_t target = (column->at[to->side] * m->block_columns + j) * to->rows;
            for (int r = 0; r < p->row_runs; r++)
                memcpy(to->data + (size_t)(target + p->row[r].at[to->side]) * block,
                       from->data + (size_t)(source + p->row[r].at[from->side]) * block,
                       (size_t)p->row[r].count * block);
        }
    }
}

static size_t part_bytes(const hs__matrix *m, const part *p)
{
    const hs_blocks_rectangle size = {0, 0, p->rows, p->columns};
    return (size_t)hs__matrix_bytes(m, &size); /* part of a rectangle that could be allocated */
}

static hs_status post_part(move_plan *plan, size_t m, part *p, hs__direction way)
{
    const hs__matrix *matrix = &plan->layout->matrices[m];
    size_t bytes = part_bytes(matrix, p);
    if (!(p->buffer = malloc(bytes)))
        return HS_ERR_NOMEM;
    if (way == HS__SEND) {
        sheet old = {HS__OLD, *matrix->data, hs_blocks_mine(plan->layout).rows};
        sheet packed = {HS__PACKED, p->buffer, p->rows};
        copy_part(matrix, p, &old, &packed);
    }
    return hs__messages_post(&plan->messages, p->buffer, bytes, p->peer, (int)m + 2, way);
}

/* Receives first, so that no message arrives unexpected. */
static hs_status transfer_matrix(move_plan *plan, size_t m)
{
    const hs__matrix *matrix = &plan->layout->matrices[m];
    int rank = plan->layout->context->rank;
    sheet old = {HS__OLD, *matrix->data, plan->layout->cut->rectangle[rank].rows};
    sheet now = {HS__NEW, plan->data[m], plan->cut->rectangle[rank].rows};
    hs_status status = HS_OK;
    for (hs__direction way = HS__RECEIVE; way <= HS__SEND; way++)
        for (size_t k = 0; k < plan->way[way].count && status == HS_OK; k++)
            if (plan->way[way].part[k].peer != rank)
                status = post_part(plan, m, &plan->way[way].part[k], way);
    for (size_t k = 0; k < plan->way[HS__SEND].count && status == HS_OK; k++)
        if (plan->way[HS__SEND].part[k].peer == rank)
            copy_part(matrix, &plan->way[HS__SEND].part[k], &old, &now); /* while the messages travel */
    if (status == HS_OK)
        status = hs__messages_wait(&plan->messages);
    for (hs__direction way = HS__RECEIVE; way <= HS__SEND && plan->messages.count == 0; way++)
        for (size_t k = 0; k < plan->way[way].count; k++) {
            part *p = &plan->way[way].part[k];
            sheet packed = {HS__PACKED, p->buffer, p->rows};
            if (way == HS__RECEIVE && status == HS_OK)
                copy_part(matrix, p, &packed, &now);
            free(p->buffer);
            p->buffer = NULL;
        }
    return status;
}

/* Matrix by matrix, so that no more than one is packed at a time. */
static hs_status transfer(move_plan *plan)
{
    hs_status status = HS_OK;
    for (size_t m = 0; m < plan->layout->matrix_count && !plan->stays && status == HS_OK; m++)
        status = transfer_matrix(plan, m);
    return status;
}

/* ---- The whole move. ---- */

static int64_t blocks_received(const move_plan *plan)
{
    int64_t blocks = 0;
    for (size_t k = 0; k < plan->way[HS__RECEIVE].count; k++)
        blocks += plan->way[HS__RECEIVE].part[k].rows * plan->way[HS__RECEIVE].part[k].columns;
    return blocks;
}

static hs_status agree_on(hs_blocks *layout, hs_status mine, double received)
{
    hs__record record = {HS__OP_MOVE, mine, {0}, {received}};
    return hs__agree(layout->context, &record, NULL);
}

/* Puts the new rectangles in the place of the old ones, which plan_free() then frees. */
static void adopt(move_plan *plan, hs__cut *cut)
{
    hs_blocks *layout = plan->layout;
    int64_t block_bytes = 0, moved = 0;
    for (size_t m = 0; m < layout->matrix_count; m++) {
        const hs__matrix *matrix = &layout->matrices[m];
        void *old = *matrix->data;
        block_bytes += matrix->block_rows * matrix->block_columns * matrix->element_bytes;
        if (plan->stays)
            continue;
        *matrix->data = plan->data[m];
        plan->data[m] = old;
    }
    for (int r = 0; r < layout->context->size; r++)
        moved += (int64_t)layout->context->gathering.all[r].time[0];
    hs__cut_free(layout->cut);
    layout->cut = cut;
    hs__blocks_measure(layout);
    layout->stats.moves++;
    layout->stats.moved_blocks += moved;
    layout->stats.moved_bytes += moved * block_bytes;
}

hs_status hs__blocks_move_to(hs_blocks *layout, hs__cut *cut)
{
    move_plan plan = {.layout = layout, .cut = cut, .messages = {.context = layout->context}};
    int64_t begun = hs__clock_ns();
    hs_status status = agree_on(layout, allocate(&plan), 0);
    if (status == HS_OK) {
        status = transfer(&plan);
        if (plan.messages.count > 0)
            status = hs__messages_abandon(&plan.messages, status);
        else
            status = agree_on(layout, status, (double)blocks_received(&plan));
    }
    if (status == HS_OK)
        adopt(&plan, cut);
    plan_free(&plan);
    layout->stats.move_s += (double)(hs__clock_ns() - begun) * 1e-9;
    return status;
}
