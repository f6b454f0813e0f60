/* SPDX-License-Identifier: BSD-3-Clause */
/* A stencil of 27 points in three dimensions that are all cut: bitwise what one rank computes alone, whatever the cut, and
 * while boxes move. */
#include "runtime/boxes/boxes.h"
#include "tests/mpi.h"
#include "util/random.h"

enum { X = 11, Y = 9, Z = 10, STEPS = 12, DIMS = 3, DEAR = 2 };

static const int64_t extent[DIMS] = {X, Y, Z};

static double first_value(const int64_t *cell)
{
    return 1 / (1.0 + (double)(cell[0] * 131 + cell[1] * 17 + cell[2] * 7 + 500));
}

/* The mean of a cell and its neighbours, in an order that does not depend on the cut. */
static double relaxed(const double *u, const int64_t *stride)
{
    double sum = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            for (int k = -1; k <= 1; k++)
                sum += u[i * stride[0] + j * stride[1] + k * stride[2]] / (1 + i * i + 2 * j * j + 3 * k * k);
    return sum / 10;
}

/* ---- One rank alone, with a border of one cell that is fixed, or filled anew from the other end. ---- */

typedef double whole[X + 2][Y + 2][Z + 2];

static void wrap(whole u, const int *periodic)
{
    int64_t cell[DIMS];
    for (cell[0] = -1; cell[0] <= X; cell[0]++)
        for (cell[1] = -1; cell[1] <= Y; cell[1]++)
            for (cell[2] = -1; cell[2] <= Z; cell[2]++) {
                int64_t from[DIMS];
                for (int d = 0; d < DIMS; d++)
                    from[d] = periodic[d] ? (cell[d] + extent[d]) % extent[d] : cell[d];
                u[cell[0] + 1][cell[1] + 1][cell[2] + 1] = u[from[0] + 1][from[1] + 1][from[2] + 1];
            }
}

static void solve_alone(whole u, whole next, const int *periodic)
{
    static const int64_t stride[DIMS] = {(Y + 2) * (Z + 2), Z + 2, 1};
    int64_t cell[DIMS];
    for (cell[0] = -1; cell[0] <= X; cell[0]++)
        for (cell[1] = -1; cell[1] <= Y; cell[1]++)
            for (cell[2] = -1; cell[2] <= Z; cell[2]++)
                u[cell[0] + 1][cell[1] + 1][cell[2] + 1] = first_value(cell);
    for (int step = 0; step < STEPS; step++) {
        wrap(u, periodic);
        memcpy(next, u, sizeof(whole));
        for (int i = 1; i <= X; i++)
            for (int j = 1; j <= Y; j++)
                for (int k = 1; k <= Z; k++)
                    next[i][j][k] = relaxed(&u[i][j][k], stride);
        memcpy(u, next, sizeof(whole));
    }
}

/* ---- All ranks. ---- */

typedef struct field {
    hs_box_layout *layout;
    double *u, *next;
} field;

typedef void visitor(field *f, const int64_t *cell, int64_t at, const void *with);

/* Cells of this rank's box, and of the border around the domain where it touches that. */
static void visit(field *f, const hs_boxes_domain *domain, int64_t border, visitor *act, const void *with)
{
    hs_box mine = hs_box_mine(f->layout), owned = hs__box_owned(domain, &mine, border);
    int64_t cell[DIMS];
    for (int64_t i = 0, all = hs__box_cells(&owned); i < all; i++) {
        int64_t left = i, at = 0;
        for (int d = DIMS - 1; d >= 0; left /= owned.count[d--])
            cell[d] = owned.first[d] + left % owned.count[d];
        for (int d = 0; d < DIMS; d++)
            at += (cell[d] - mine.first[d]) * hs_box_stride(f->layout, d);
        act(f, cell, at, with);
    }
}

static void fill(field *f, const int64_t *cell, int64_t at, const void *with)
{
    (void)with;
    f->u[at] = f->next[at] = first_value(cell);
}

static void relax(field *f, const int64_t *cell, int64_t at, const void *stride)
{
    (void)cell;
    f->next[at] = relaxed(&f->u[at], stride);
}

static void compare(field *f, const int64_t *cell, int64_t at, const void *with)
{
    const whole *alone = with;
    REQUIRE(memcmp(&f->u[at], &(*alone)[cell[0] + 1][cell[1] + 1][cell[2] + 1], sizeof *f->u) == 0);
}

static void step(field *f, const hs_boxes_domain *domain)
{
    REQUIRE(hs_box_exchange_start(f->layout, f->u) == HS_OK);
    REQUIRE(hs_box_exchange_wait(f->layout, f->u) == HS_OK);
    const int64_t stride[DIMS] = {hs_box_stride(f->layout, 0), hs_box_stride(f->layout, 1),
                                  hs_box_stride(f->layout, 2)};
    visit(f, domain, 0, relax, stride);
    double *swap = f->u;
    f->u = f->next;
    f->next = swap;
}

/* Whether the boxes of the ranks begin at several places along every dimension. */
static int cuts_all(const hs_box_layout *layout, int size)
{
    int cut[DIMS] = {0};
    for (int r = 0; r < size; r++)
        for (int d = 0; d < DIMS; d++)
            cut[d] |= hs_box_all(layout)[r].first[d] > 0;
    return cut[0] && cut[1] && cut[2];
}

static void solve(hs_context *context, const hs_boxes_domain *domain, hs_boxes_method method, const whole *alone)
{
    hs__random random = {(uint64_t)method + 3};
    int size = world_size(), cut = 0;
    double *speed = calloc((size_t)size, sizeof *speed);
    field f;
    REQUIRE(hs_box_create(context, domain, &(hs_box_params){.method = method}, &f.layout) == HS_OK);
    REQUIRE(hs_box_add_array(f.layout, sizeof *f.u, (void **)&f.u) == HS_OK);
    REQUIRE(hs_box_add_array(f.layout, sizeof *f.u, (void **)&f.next) == HS_OK);
    visit(&f, domain, 1, fill, NULL);
    for (int r = 0; r < size; r++)
        f.layout->halo_time[r] = DEAR; /* seconds of a halo cell, which make boxes about cubes */
    for (int k = 0; k < STEPS; k++) {
        step(&f, domain);
        cut |= cuts_all(f.layout, size);
        for (int r = 0; r < size; r++)
            speed[r] = k < 3 ? 1 : 0.2 + hs__random_unit(&random);
        REQUIRE(k % 3 != 1 || hs_box_rebalance(f.layout, speed) >= 0);
    }
    int open = !domain->periodic[0] && !domain->periodic[1] && !domain->periodic[2];
    REQUIRE(size < 8 || !open || method < HS_BOXES_GRID_3D || cut); /* 2 x 2 x 2 equal ones among them */
    visit(&f, domain, 0, compare, alone);
    free(speed);
    hs_box_free(f.layout);
}

int main(int argc, char **argv)
{
    static whole alone, scratch;
    MPI_Init(&argc, &argv);
    hs_context *context = start_unbalanced(PATIENCE);
    for (int periodic = 0; periodic < 8; periodic += 3) {
        const hs_boxes_domain domain = {
            DIMS, {X, Y, Z}, {periodic & 1, periodic >> 1 & 1, periodic >> 2}, 1, HS_BOXES_CORNERS};
        solve_alone(alone, scratch, domain.periodic);
        for (int method = HS_BOXES_BEST; method <= HS_BOXES_SLABS; method++)
            solve(context, &domain, (hs_boxes_method)method, &alone);
    }
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return 0;
}
