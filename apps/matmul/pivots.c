/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "apps/common.h"
#include "pivots.h"
#include <stdlib.h>
#include <string.h>

enum { SLOTS = PIVOTS_AHEAD + 1 };
enum { TAG_COLUMN, TAG_ROW, TAG_NEVER };

/* Blocks first .. first + count - 1 of a side of the matrix, in places. */
typedef struct span {
    int64_t first, count;
} span;

typedef span (*side)(const hs_blocks_rectangle *r);

static span rows_of(const hs_blocks_rectangle *r)
{
    return (span){r->first_row, r->columns > 0 ? r->rows : 0};
}

static span columns_of(const hs_blocks_rectangle *r)
{
    return (span){r->first_column, r->rows > 0 ? r->columns : 0};
}

static int holds(span s, int64_t place)
{
    return place >= s.first && place < s.first + s.count;
}

static span common(span s, span t)
{
    int64_t first = s.first > t.first ? s.first : t.first;
    int64_t end = s.first + s.count < t.first + t.count ? s.first + s.count : t.first + t.count;
    return (span){first, end > first ? end - first : 0};
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The pivot of step t. The order is the same for every layout and number of ranks, so the product is the same bit for
 * bit. Consecutive pivots are far apart in the matrices, so that hosts send alternately. */
static int64_t pivot_of_step(int64_t blocks, int64_t step)
{
    int64_t stride = blocks * 5 / 13 + 1; /* near the golden section: any few steps in a row lie far apart */
    while (common_divisor(blocks, stride) != 1)
        stride++;
    return step * stride % blocks;
}

/* Copy count blocks of a rectangle with leading dimension ld, `stride` apart, to consecutive memory. */
static void pack(double *to, const double *from, int64_t count, int64_t stride, int64_t ld, int64_t size)
{
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < size; j++)
            memcpy(to + (k * size + j) * size, from + k * stride + j * ld, (size_t)size * sizeof *to);
}

/* A row or column of blocks crosses some rectangles, whose owners have it in `line`. The other ranks get from them the
 * blocks that face their own rectangles. */
static void spread(pivots *p, pivot *v, double *line, int64_t place, side across, side along)
{
    const hs_blocks_rectangle *all = hs_blocks_rectangles(p->layout);
    int ranks, rank;
    MPI_Comm_size(p->comm, &ranks);
    MPI_Comm_rank(p->comm, &rank);
    span mine = along(&all[rank]);
    int i_have = holds(across(&all[rank]), place), tag = across == columns_of ? TAG_COLUMN : TAG_ROW;
    for (int k = 1; k < ranks; k++) {
        int other = i_have ? (rank + k) % ranks : (rank - k + ranks) % ranks;
        span part = common(mine, along(&all[other]));
        if (part.count == 0 || i_have == holds(across(&all[other]), place))
            continue;
        double *data = line + (part.first - mine.first) * p->size * p->size;
        if (i_have)
            MPI_Isend(data, (int)part.count, p->block, other, tag, p->comm, &v->send[v->sends++]);
        else
            MPI_Irecv(data, (int)part.count, p->block, other, tag, p->comm, &v->receive[v->receives++]);
    }
}

static void start(pivots *p, int64_t step)
{
    pivot *v = &p->slot[step % SLOTS];
    hs_blocks_rectangle mine = hs_blocks_mine(p->layout);
    int64_t size = p->size, ld = mine.rows * size, k = pivot_of_step(p->blocks, step);
    int64_t column = hs_blocks_place(p->layout, HS_BLOCKS_COLUMNS)[k];
    int64_t row = hs_blocks_place(p->layout, HS_BLOCKS_ROWS)[k];
    MPI_Waitall(v->sends, v->send, MPI_STATUSES_IGNORE);
    v->sends = v->receives = 0;
    if (holds(columns_of(&mine), column))
        pack(v->column, *p->a + (column - mine.first_column) * size * ld, mine.rows, size, ld, size);
    if (holds(rows_of(&mine), row))
        pack(v->row, *p->b + (row - mine.first_row) * size, mine.columns, size * ld, ld, size);
    spread(p, v, v->column, column, columns_of, rows_of);
    spread(p, v, v->row, row, rows_of, columns_of);
}

static void release(pivots *p)
{
    for (int s = 0; s < SLOTS; s++) {
        free(p->slot[s].column);
        free(p->slot[s].row);
    }
}

static void reserve(pivots *p)
{
    hs_blocks_rectangle mine = hs_blocks_mine(p->layout);
    size_t bytes = (size_t)(p->size * p->size) * sizeof(double);
    for (int s = 0; s < SLOTS; s++) {
        p->slot[s].column = app_allocate(mine.rows, bytes);
        p->slot[s].row = app_allocate(mine.columns, bytes);
    }
}

void pivots_create(pivots *p, hs_blocks *layout, MPI_Comm comm, int64_t blocks, int64_t size, double *const *a,
                   double *const *b)
{
    int ranks;
    MPI_Comm_size(comm, &ranks);
    *p = (pivots){.layout = layout, .comm = comm, .blocks = blocks, .size = size, .a = a, .b = b};
    MPI_Type_contiguous((int)(size * size), MPI_DOUBLE, &p->block);
    MPI_Type_commit(&p->block);
    for (int s = 0; s < SLOTS; s++) {
        p->slot[s].receive = app_allocate(2 * ranks, sizeof(MPI_Request));
        p->slot[s].send = app_allocate(2 * ranks, sizeof(MPI_Request));
    }
    reserve(p);
}

static void finish(pivots *p)
{
    for (int s = 0; s < SLOTS; s++) {
        MPI_Waitall(p->slot[s].receives, p->slot[s].receive, MPI_STATUSES_IGNORE);
        MPI_Waitall(p->slot[s].sends, p->slot[s].send, MPI_STATUSES_IGNORE);
        p->slot[s].receives = p->slot[s].sends = 0;
    }
}

void pivots_free(pivots *p)
{
    finish(p);
    release(p);
    for (int s = 0; s < SLOTS; s++) {
        free(p->slot[s].receive);
        free(p->slot[s].send);
    }
    MPI_Type_free(&p->block);
}

void pivots_ahead(pivots *p, int64_t step)
{
    for (; p->started < p->blocks && p->started <= step + PIVOTS_AHEAD; p->started++)
        start(p, p->started);
}

const pivot *pivots_wait(pivots *p, int64_t step)
{
    pivot *v = &p->slot[step % SLOTS];
    MPI_Waitall(v->receives, v->receive, MPI_STATUSES_IGNORE);
    v->receives = 0;
    return v;
}

void pivots_progress(pivots *p)
{
    int found;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_NEVER, p->comm, &found, MPI_STATUS_IGNORE);
}

void pivots_again(pivots *p, int64_t step)
{
    finish(p);
    release(p);
    reserve(p);
    p->started = step + 1;
}
