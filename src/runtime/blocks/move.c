/* SPDX-License-Identifier: BSD-3-Clause */
/* From one cut to another. The blocks that rank a had and rank b gets are the rows that a's old and b's new rectangle
 * share, times the columns they share. MPI takes them from where they lie and puts them where they belong: memory for
 * packing would have to be cleared by the system first, which takes longer than sending. Whatever the operations
 * between the two cuts were, a block travels at most once. */
#include "runtime/base/parked_buffer.h"
#include "runtime/blocks/blocks.h"
#include "runtime/session/transaction.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/clock.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The blocks that travel from one rank to another. */
typedef struct part {
    int peer, row_runs, column_runs;
    int64_t rows, columns;
    hs__run *row, *column; /* owned */
    MPI_Datatype *type;    /* of each matrix: one column of elements as it lies in the rectangle; owned */
} part;

typedef struct part_list {
    part *part;
    size_t count, capacity;
} part_list;

typedef struct move_plan {
    hs_blocks *layout;
    const hs__block_partition *cut; /* the new one */
    part_list way[2];               /* by hs__direction, this rank's own blocks among what it sends */
    hs__run *run[2];                /* scratch, by axis */
    void **data;                    /* the new rectangles of all matrices; owned until they are adopted */
    int only_gives;                 /* this rank keeps its memory, and so its pointers */
    hs__messages messages;
    hs__transaction transaction;
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
    const hs__block_partition *old = plan->layout->cut;
    part_list *list = &plan->way[way];
    part p = {.peer = peer};
    p.rows = hs__block_partition_common(old, a, plan->cut, b, HS_BLOCKS_ROWS, plan->run[HS_BLOCKS_ROWS], &p.row_runs);
    if (p.rows > 0)
        p.columns = hs__block_partition_common(old, a, plan->cut, b, HS_BLOCKS_COLUMNS, plan->run[HS_BLOCKS_COLUMNS],
                                               &p.column_runs);
    HS_ASSERT(p.rows <= old->rectangle[a].rows && p.columns <= old->rectangle[a].columns);
    HS_ASSERT(p.rows <= plan->cut->rectangle[b].rows && p.columns <= plan->cut->rectangle[b].columns);
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

/* The blocks that this rank keeps; NULL: none. */
static const part *own_part(const move_plan *plan)
{
    const part_list *sent = &plan->way[HS__SEND];
    return sent->count > 0 && sent->part[0].peer == plan->layout->context->rank ? &sent->part[0] : NULL;
}

/* Whether the runs follow each other in the new rectangle as in the old one, from its begin on. */
static int in_order(const hs__run *run, int runs)
{
    int64_t at = 0;
    for (int k = 0; k < runs; at += run[k++].count)
        if (run[k].at[HS__NEW] != at)
            return 0;
    return 1;
}

/* Whether this rank only gives, and what it keeps can close up in the memory it has. */
static int only_gives(const move_plan *plan)
{
    const part *own = own_part(plan);
    if (plan->way[HS__RECEIVE].count > 0)
        return 0;
    if (!own)
        return plan->way[HS__SEND].count == 0; /* no blocks, then as now */
    return in_order(own->row, own->row_runs) && in_order(own->column, own->column_runs);
}

static int64_t blocks_received(const move_plan *plan)
{
    int64_t blocks = 0;
    for (size_t k = 0; k < plan->way[HS__RECEIVE].count; k++)
        blocks += plan->way[HS__RECEIVE].part[k].rows * plan->way[HS__RECEIVE].part[k].columns;
    return blocks;
}

static int64_t own_blocks(const move_plan *plan)
{
    const part *own = own_part(plan);
    return own ? own->rows * own->columns : 0;
}

static hs_status allocate(move_plan *plan)
{
    const hs_blocks *layout = plan->layout;
    const hs_blocks_rectangle *mine = &plan->cut->rectangle[layout->context->rank];
    hs_status status = hs__pointers_check(layout->context, "matrix", hs__matrix_pointer, layout, layout->matrix_count);
    if (status != HS_OK)
        return status;
    for (int axis = 0; axis < 2; axis++)
        if (!(plan->run[axis] = hs__array_new((size_t)plan->cut->blocks, sizeof *plan->run[axis])))
            return HS_ERR_NOMEM;
    if (!(plan->data = hs__array_new(layout->matrix_count, sizeof *plan->data)))
        return HS_ERR_NOMEM;
    status = find_parts(plan);
    HS_ASSERT(status != HS_OK || blocks_received(plan) + own_blocks(plan) == mine->rows * mine->columns);
    if (status != HS_OK || (plan->only_gives = only_gives(plan)))
        return status;
    for (size_t m = 0; m < layout->matrix_count && status == HS_OK; m++)
        status = hs__matrix_allocate(&layout->matrices[m], mine, &plan->data[m]);
    return status;
}

static void plan_free(move_plan *plan)
{
    for (int way = 0; way < 2; way++) {
        for (size_t k = 0; k < plan->way[way].count; k++) {
            part *p = &plan->way[way].part[k];
            for (size_t m = 0; p->type && m < plan->layout->matrix_count; m++)
                if (p->type[m] != MPI_DATATYPE_NULL)
                    PMPI_Type_free(&p->type[m]); /* messages under way keep it */
            free(p->type);
            free(p->row);
            free(p->column);
        }
        free(plan->way[way].part);
        free(plan->run[way]);
    }
    for (size_t m = 0; plan->data && m < plan->layout->matrix_count; m++)
        hs__park_buffer(plan->data[m], plan->messages.count > 0);
    free(plan->data);
    hs__messages_free(&plan->messages);
}

/* ---- Copying and sending. ---- */

/* What this rank keeps goes from its old rectangle to its new one. These may lie in the same memory when the rank only
 * gives: no block then goes backwards. */
static void copy_own(const move_plan *plan, size_t m, char *to)
{
    const hs__matrix *matrix = &plan->layout->matrices[m];
    const part *p = own_part(plan);
    int rank = plan->layout->context->rank;
    size_t block = (size_t)(matrix->block_rows * matrix->element_bytes); /* bytes of one column of a block */
    const char *from = *matrix->data;
    for (int c = 0; p && c < p->column_runs; c++) {
        const hs__run *column = &p->column[c];
        for (int64_t j = 0; j < column->count * matrix->block_columns; j++) {
            int64_t source = column->at[HS__OLD] * matrix->block_columns + j;
            int64_t target = column->at[HS__NEW] * matrix->block_columns + j;
            source *= plan->layout->cut->rectangle[rank].rows;
            target *= plan->cut->rectangle[rank].rows;
            for (int r = 0; r < p->row_runs; r++)
                memmove(to + (size_t)(target + p->row[r].at[HS__NEW]) * block,
                        from + (size_t)(source + p->row[r].at[HS__OLD]) * block, (size_t)p->row[r].count * block);
        }
    }
}

/* One column of elements of a part as it lies in a rectangle, with the rectangle's leading dimension as its extent. */
static hs_status column_type(const hs__matrix *m, const part *p, hs__side side, int64_t rows, MPI_Datatype *type)
{
    MPI_Datatype element = MPI_DATATYPE_NULL, block = MPI_DATATYPE_NULL, shared = MPI_DATATYPE_NULL;
    int64_t bytes = m->block_rows * m->element_bytes;
    int *count = hs__array_new((size_t)p->row_runs, sizeof *count);
    MPI_Aint *at = hs__array_new((size_t)p->row_runs, sizeof *at);
    hs_status status = count && at ? HS_ERR_MPI : HS_ERR_NOMEM;
    for (int r = 0; status == HS_ERR_MPI && r < p->row_runs; r++) {
        count[r] = (int)p->row[r].count;
        at[r] = (MPI_Aint)(p->row[r].at[side] * bytes);
    }
    if (status == HS_ERR_MPI && PMPI_Type_contiguous((int)m->element_bytes, MPI_BYTE, &element) == MPI_SUCCESS &&
        PMPI_Type_contiguous((int)m->block_rows, element, &block) == MPI_SUCCESS &&
        PMPI_Type_create_hindexed(p->row_runs, count, at, block, &shared) == MPI_SUCCESS &&
        PMPI_Type_create_resized(shared, 0, (MPI_Aint)(rows * bytes), type) == MPI_SUCCESS &&
        PMPI_Type_commit(type) == MPI_SUCCESS)
        status = HS_OK;
    MPI_Datatype *used[] = {&element, &block, &shared};
    for (size_t k = 0; k < sizeof used / sizeof *used; k++)
        if (*used[k] != MPI_DATATYPE_NULL)
            PMPI_Type_free(used[k]);
    free(at);
    free(count);
    return status;
}

/* Rows of this rank's rectangle at one end of a message. */
static int64_t rows_at(const move_plan *plan, hs__direction way)
{
    const hs__block_partition *cut = way == HS__SEND ? plan->layout->cut : plan->cut;
    return cut->rectangle[plan->layout->context->rank].rows;
}

/* Makes the types of a part's messages, and counts these. */
static hs_status prepare_part(move_plan *plan, part *p, hs__direction way)
{
    const hs_blocks *layout = plan->layout;
    hs_status status = HS_OK;
    if (p->peer == layout->context->rank)
        return HS_OK;
    if (!(p->type = hs__array_new(layout->matrix_count, sizeof *p->type)))
        return HS_ERR_NOMEM;
    for (size_t m = 0; m < layout->matrix_count; m++)
        p->type[m] = MPI_DATATYPE_NULL;
    for (size_t m = 0; m < layout->matrix_count && status == HS_OK; m++) {
        const hs__matrix *matrix = &layout->matrices[m];
        status = column_type(matrix, p, way == HS__SEND ? HS__OLD : HS__NEW, rows_at(plan, way), &p->type[m]);
        for (int c = 0; c < p->column_runs && status == HS_OK; c++)
            status = hs__messages_plan(&plan->messages, p->column[c].count * matrix->block_columns, p->type[m], p->peer,
                                       way);
    }
    return status;
}

static hs_status prepare_messages(move_plan *plan)
{
    hs_status status = HS_OK;
    for (hs__direction way = HS__RECEIVE; way <= HS__SEND; way++)
        for (size_t k = 0; k < plan->way[way].count && status == HS_OK; k++)
            status = prepare_part(plan, &plan->way[way].part[k], way);
    return status == HS_OK ? hs__messages_reserve(&plan->messages) : status;
}

static hs_status post_part(move_plan *plan, size_t m, const part *p, hs__direction way)
{
    const hs__matrix *matrix = &plan->layout->matrices[m];
    hs__side side = way == HS__SEND ? HS__OLD : HS__NEW;
    char *data = way == HS__SEND ? *matrix->data : plan->data[m];
    size_t column = (size_t)(rows_at(plan, way) * matrix->block_rows * matrix->element_bytes);
    hs_status status = HS_OK;
    for (int c = 0; c < p->column_runs && status == HS_OK; c++)
        status =
            hs__messages_post(&plan->messages, data + (size_t)(p->column[c].at[side] * matrix->block_columns) * column,
                              p->column[c].count * matrix->block_columns, p->type[m], p->peer, hs__move_tag(m), way);
    return status;
}

/* Receives first, so that no message arrives unexpected; own blocks are copied while the messages travel. */
static hs_status transfer(move_plan *plan)
{
    int rank = plan->layout->context->rank;
    size_t matrices = plan->layout->matrix_count;
    hs_status status = HS_OK;
    for (hs__direction way = HS__RECEIVE; way <= HS__SEND; way++)
        for (size_t m = 0; m < matrices; m++)
            for (size_t k = 0; k < plan->way[way].count && status == HS_OK; k++)
                if (plan->way[way].part[k].peer != rank)
                    status = post_part(plan, m, &plan->way[way].part[k], way);
    for (size_t m = 0; m < matrices && status == HS_OK && !plan->only_gives; m++)
        copy_own(plan, m, plan->data[m]);
    return status == HS_OK ? hs__messages_wait(&plan->messages) : status;
}

/* ---- The whole move. ---- */

/* What this rank holds in a cut and keeps in another, added up; its rectangle in cut `held` is at `data`. */
static uint64_t add_up(const move_plan *plan, size_t m, const hs__block_partition *held, const void *data,
                       const hs__block_partition *kept)
{
    const hs_blocks *layout = plan->layout;
    return hs__matrix_checksum(&layout->matrices[m], layout->context->rank, held, data, kept);
}

/* A rank that only gives still has what it keeps in its old place. */
static uint64_t add_up_after(const move_plan *plan, size_t m)
{
    const hs_blocks *layout = plan->layout;
    if (plan->only_gives)
        return add_up(plan, m, layout->cut, *layout->matrices[m].data, plan->cut);
    return add_up(plan, m, plan->cut, plan->data[m], plan->cut);
}

static void add_up_all(move_plan *plan, hs__moment moment)
{
    const hs_blocks *layout = plan->layout;
    for (size_t m = 0; plan->transaction.checked && m < layout->matrix_count; m++)
        hs__transaction_note(&plan->transaction, m, moment,
                             moment == HS__BEFORE ? add_up(plan, m, layout->cut, *layout->matrices[m].data, layout->cut)
                                                  : add_up_after(plan, m));
}

/* What has not come whole is not added up. */
static hs_status agree_to_adopt(move_plan *plan, hs_status mine)
{
    if (mine == HS_OK)
        add_up_all(plan, HS__AFTER);
    plan->transaction.last.time[HS__MOVE_RECEIVED] = (double)blocks_received(plan);
    return hs__transaction_end(&plan->transaction, plan->layout->context, mine);
}

/* Closes up what this rank keeps of a matrix in the memory it has. */
static void close_up(const move_plan *plan, size_t m, char *data)
{
    uint64_t kept = plan->transaction.checked ? add_up_after(plan, m) : 0;
    copy_own(plan, m, data);
    HS_ASSERT(!plan->transaction.checked || add_up(plan, m, plan->cut, data, plan->cut) == kept);
}

/* Puts the new rectangles in the place of the old ones, which plan_free() then frees, or closes up what was kept. */
static void adopt(move_plan *plan, hs__block_partition *cut)
{
    hs_blocks *layout = plan->layout;
    int64_t block_bytes = 0, moved = 0;
    for (size_t m = 0; m < layout->matrix_count; m++) {
        hs__matrix *matrix = &layout->matrices[m];
        void *old = matrix->given;
        block_bytes += matrix->block_rows * matrix->block_columns * matrix->element_bytes;
        if (plan->only_gives) {
            close_up(plan, m, *matrix->data);
        } else {
            *matrix->data = matrix->given = plan->data[m];
            plan->data[m] = old;
        }
    }
    for (int r = 0; r < layout->context->size; r++)
        moved += (int64_t)layout->context->gathering.all[r].time[HS__MOVE_RECEIVED];
    hs__block_partition_free(layout->cut);
    layout->cut = cut;
    hs__blocks_measure(layout);
    HS_ASSERT_SOUND(hs__blocks_check, layout);
    layout->stats.moves++;
    layout->stats.moved_blocks += moved;
    layout->stats.moved_bytes += moved * block_bytes;
}

hs_status hs__blocks_move_to(hs_blocks *layout, hs__block_partition *cut)
{
    move_plan plan = {.layout = layout,
                      .cut = cut,
                      .messages = {.context = layout->context},
                      .transaction = hs__transaction_new("matrix")};
    hs_status status = allocate(&plan);
    if (status == HS_OK)
        status = prepare_messages(&plan);
    status = hs__transaction_begin(&plan.transaction, &plan.messages, status);
    if (status == HS_OK) {
        add_up_all(&plan, HS__BEFORE);
        status = transfer(&plan);
        layout->left_to_mpi = plan.messages.count > 0; /* it may still read the old rectangles, and write to the new */
        if (layout->left_to_mpi)
            status = hs__messages_abandon(&plan.messages, status);
        else
            status = agree_to_adopt(&plan, status);
    }
    if (status == HS_OK)
        adopt(&plan, cut);
    plan_free(&plan);
    layout->stats.move_s += (double)(hs__clock_ns() - plan.transaction.begun) * 1e-9;
    return status;
}
