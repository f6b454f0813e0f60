/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes whose cells tell where they belong, on domains in one to three dimensions, with and without periodic borders:
 * exchanged, moved back and forth in random order, with memory running out on one rank at each step. */
#include "runtime/boxes/boxes.h"
#include "runtime/session/messages.h"
#include "tests/mpi.h"
#include "util/array.h"
#include "util/random.h"

enum { ARRAYS = 2, WIDE = 3 };

/* The arrays of a layout: one number a cell, and three. */
typedef struct field {
    hs_boxes_domain domain;
    hs_box_layout *layout;
    int64_t *data[ARRAYS];
} field;

static int numbers(int a)
{
    return a == 0 ? 1 : WIDE;
}

/* What the cell (or boundary cell) holds that is called so in the domain. */
static int64_t truth(const field *f, const int64_t *cell, int a, int number)
{
    int64_t value = a * 10 + number;
    for (int d = 0; d < f->domain.dims; d++) {
        int64_t x = cell[d], extent = f->domain.extent[d];
        x = f->domain.periodic[d] ? (x % extent + extent) % extent : x;
        value = value * 1000 + 100 + x;
    }
    return value;
}

typedef enum purpose { FILL, CHECK, SPOIL } purpose;

/* On how many sides a cell of the grown box lies outside of what this rank owns. */
static int outside(const field *f, const int64_t *cell)
{
    hs_box mine = hs_box_mine(f->layout), owned = hs__box_owned(&f->layout->domain, &mine, f->domain.halo);
    int sides = 0;
    for (int d = 0; d < f->domain.dims; d++)
        sides += cell[d] < owned.first[d] || cell[d] >= owned.first[d] + owned.count[d];
    return sides;
}

static void visit_cell(const field *f, const int64_t *cell, purpose what)
{
    hs_box mine = hs_box_mine(f->layout);
    int64_t at = 0;
    for (int d = 0; d < HS_BOXES_MAX_DIMS; d++)
        at += (cell[d] - mine.first[d]) * hs_box_stride(f->layout, d);
    for (int a = 0; a < ARRAYS; a++)
        for (int n = 0; n < numbers(a); n++) {
            int64_t *place = &f->data[a][at * numbers(a) + n];
            if (what == CHECK)
                REQUIRE(*place == truth(f, cell, a, n));
            else
                *place = what == FILL ? truth(f, cell, a, n) : -1;
        }
}

/* The cells of this rank's grown box outside of what it owns on `least` to `most` sides. */
static void visit(const field *f, purpose what, int least, int most)
{
    hs_box mine = hs_box_mine(f->layout), grown = hs__box_grown(&f->layout->domain, &mine, f->domain.halo);
    int64_t cell[HS_BOXES_MAX_DIMS];
    if (hs__box_cells(&grown) == 0) {
        REQUIRE(!f->data[0] && !f->data[1]);
        return;
    }
    for (cell[0] = grown.first[0]; cell[0] < grown.first[0] + grown.count[0]; cell[0]++)
        for (cell[1] = grown.first[1]; cell[1] < grown.first[1] + grown.count[1]; cell[1]++)
            for (cell[2] = grown.first[2]; cell[2] < grown.first[2] + grown.count[2]; cell[2]++)
                if (outside(f, cell) >= least && outside(f, cell) <= most)
                    visit_cell(f, cell, what);
}

static void exchange(field *f)
{
    int sides = f->domain.stencil == HS_BOXES_CORNERS ? f->domain.dims : 1;
    visit(f, SPOIL, 1, f->domain.dims);
    for (int a = 0; a < ARRAYS; a++)
        REQUIRE(hs_box_exchange_start(f->layout, f->data[a]) == HS_OK);
    for (int a = ARRAYS - 1; a >= 0; a--)
        REQUIRE(hs_box_exchange_wait(f->layout, f->data[a]) == HS_OK);
    visit(f, CHECK, 0, sides);
}

static void create(hs_context *context, const hs_boxes_domain *domain, hs_boxes_method method, field *f)
{
    *f = (field){.domain = *domain};
    hs_box_params params = {.method = method};
    REQUIRE(hs_box_create(context, domain, &params, &f->layout) == HS_OK);
    for (int a = 0; a < ARRAYS; a++)
        REQUIRE(hs_box_add_array(f->layout, numbers(a) * (int64_t)sizeof **f->data, (void **)&f->data[a]) == HS_OK);
    REQUIRE(method == HS_BOXES_BEST || hs_box_method(f->layout) == method);
    visit(f, FILL, 0, domain->dims);
}

/* Speeds that are the same on all ranks; now and then a rank has none. */
static void draw_speeds(hs__random *random, double *speed, int size)
{
    for (int r = 0; r < size; r++)
        speed[r] = hs__random_below(random, 6) == 0 ? 0 : 0.2 + hs__random_unit(random);
    speed[hs__random_below(random, size)] = 1;
}

static void moves_keep_everything(hs_context *context, const hs_boxes_domain *domain, hs_boxes_method method)
{
    hs__random random = {(uint64_t)method + 7};
    hs_box_stats stats;
    field f;
    int size = world_size();
    double *speed = calloc((size_t)size, sizeof *speed);
    create(context, domain, method, &f);
    exchange(&f);
    for (int turn = 0; turn < 6; turn++) {
        draw_speeds(&random, speed, size);
        hs_status status = hs_box_rebalance(f.layout, speed);
        REQUIRE(status == HS_OK || status == HS_UNCHANGED);
        if (status == HS_OK)
            visit(&f, CHECK, 0, domain->dims); /* halos have come, too, corners among them */
        exchange(&f);
        REQUIRE(hs_box_rebalance(f.layout, speed) == HS_UNCHANGED);
    }
    hs_box_get_stats(f.layout, &stats);
    REQUIRE(stats.moved_bytes == stats.moved_cells * (1 + WIDE) * (int64_t)sizeof **f.data);
    REQUIRE(size == 1 ? stats.moves == 0 : stats.moves > 0);
    free(speed);
    hs_box_free(f.layout);
    REQUIRE(!f.data[0] && !f.data[1]);
}

/* ---- Memory that runs out on one rank, at each of its allocations. ---- */

static int allocations_left;

static int fails(void)
{
    return allocations_left-- == 0;
}

/* @return whether all ranks failed alike */
static int failed(hs_status status)
{
    int mine = status, least, most;
    MPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE(least == most && (status >= 0 || status == HS_ERR_NOMEM));
    return status < 0;
}

static hs_status rebalance_with_little_memory(field *f, const double *speed, int allocations, int poor)
{
    allocations_left = allocations;
    if (world_rank() == poor)
        hs__array_fails = fails;
    hs_status status = hs_box_rebalance(f->layout, speed);
    hs__array_fails = NULL;
    return status;
}

static void creation_runs_out_of_memory(hs_context *context, const hs_boxes_domain *domain)
{
    int failures = 0;
    for (int k = 0, going = 1; going; k++) {
        hs_box_layout *layout = NULL;
        allocations_left = k;
        if (world_rank() == k % world_size())
            hs__array_fails = fails;
        hs_status status = hs_box_create(context, domain, NULL, &layout);
        hs__array_fails = NULL;
        going = failed(status);
        REQUIRE(going == (layout == NULL));
        hs_box_free(layout);
        failures += going;
    }
    REQUIRE(failures > 5);
}

static void memory_runs_out(hs_context *context, const hs_boxes_domain *domain)
{
    int size = world_size(), failures = 0;
    double *speed = calloc((size_t)size, sizeof *speed);
    field f;
    create(context, domain, HS_BOXES_COLUMNS, &f);
    for (int k = 0, going = 1; size > 1 && going; k++) {
        const hs_box before = hs_box_mine(f.layout);
        for (int r = 0; r < size; r++)
            speed[r] = 1 + (r + k) % size;
        going = failed(rebalance_with_little_memory(&f, speed, k, k % size));
        hs_box after = hs_box_mine(f.layout);
        REQUIRE(!going || memcmp(&before, &after, sizeof before) == 0);
        visit(&f, CHECK, 0, domain->dims);
        exchange(&f);
        failures += going;
    }
    REQUIRE(size == 1 || failures > 20);
    free(speed);
    hs_box_free(f.layout);
}

/* ---- The neighbours that a code with an exchange of its own asks for. ---- */

/* The neighbour behind begins where this box ends, and is as wide across. */
static void check_behind(const hs_box_layout *layout, const hs_boxes_domain *domain, int d, int behind)
{
    const hs_box *next = &hs_box_all(layout)[behind], mine = hs_box_mine(layout);
    REQUIRE(next->first[d] == (mine.first[d] + mine.count[d]) % domain->extent[d]);
    for (int k = 0; k < domain->dims; k++)
        REQUIRE(k == d || (next->first[k] == mine.first[k] && next->count[k] == mine.count[k]));
}

static void shifts_are_those_of_a_grid(hs_context *context, const hs_boxes_domain *domain, hs_boxes_method grid,
                                       hs_boxes_method other)
{
    hs_box_layout *layout;
    int before, behind;
    REQUIRE(hs_box_create(context, domain, &(hs_box_params){.method = grid}, &layout) == HS_OK);
    const hs_box mine = hs_box_mine(layout);
    int idle = hs__box_cells(&mine) == 0; /* seven ranks, six of them on a grid */
    for (int d = 0; d < domain->dims; d++) {
        REQUIRE(hs_box_shift(layout, d, &before, &behind) == HS_OK);
        int fixed = !domain->periodic[d], last = mine.first[d] + mine.count[d] == domain->extent[d];
        REQUIRE((before == MPI_PROC_NULL) == (idle || (fixed && mine.first[d] == 0)));
        REQUIRE((behind == MPI_PROC_NULL) == (idle || (fixed && last)));
        if (behind != MPI_PROC_NULL)
            check_behind(layout, domain, d, behind);
    }
    REQUIRE(hs_box_shift(layout, domain->dims, &before, &behind) == HS_ERR_ARG &&
            text_has(context, "hs_box_shift: dim"));
    hs_box_free(layout);
    REQUIRE(hs_box_create(context, domain, &(hs_box_params){.method = other}, &layout) == HS_OK);
    REQUIRE(hs_box_shift(layout, 0, &before, &behind) == HS_ERR_STATE && text_has(context, "hs_box_shift: columns"));
    hs_box_free(layout);
}

/* ---- Bad input: the same status on all ranks, and nothing has changed. ---- */

static void exchange_out_of_order(hs_box_layout *layout, double **u, const double *speed)
{
    const hs_context *context = layout->context;
    REQUIRE(hs_box_exchange_wait(layout, *u) == HS_ERR_STATE && text_has(context, "was not started"));
    REQUIRE(hs_box_exchange_start(layout, u) == HS_ERR_ARG && text_has(context, "no array"));
    REQUIRE(hs_box_exchange_start(layout, *u) == HS_OK && !hs_error_text(context)[0]);
    REQUIRE(hs_box_exchange_start(layout, *u) == HS_ERR_STATE && text_has(context, "under way already"));
    REQUIRE(hs_box_balance(layout) == HS_ERR_STATE && text_has(context, "hs_box_balance: boxes cannot move"));
    REQUIRE(hs_box_rebalance(layout, speed) == HS_ERR_STATE);
    REQUIRE(hs_box_exchange_wait(layout, *u) == HS_OK && !hs_error_text(context)[0]);
}

static void bad_input(hs_context *context)
{
    hs_boxes_domain good = {2, {20, 30}, {0, 0}, 1, HS_BOXES_FACES}, bad = good;
    hs_box_layout *layout = NULL;
    double *speed = calloc((size_t)world_size(), sizeof *speed), *u;
    bad.halo = -1;
    REQUIRE(hs_box_create(context, &bad, NULL, &layout) == HS_ERR_ARG && text_has(context, "halo is -1"));
    REQUIRE(hs_box_create(context, &good, &(hs_box_params){.method = 9}, &layout) == HS_ERR_ARG);
    REQUIRE(hs_box_create(context, &good, &(hs_box_params){.method = HS_BOXES_SLABS}, &layout) == HS_ERR_ARG);
    REQUIRE(text_has(context, "hs_box_create: method is 5, expected 0 to 3 in 2 dimensions"));
    REQUIRE(hs_box_create(context, &good, &(hs_box_params){.steps = -1}, &layout) == HS_ERR_ARG);
    REQUIRE(hs_box_create(context, &good, &(hs_box_params){.reserved = {1}}, &layout) == HS_ERR_ARG);
    bad = good;
    bad.extent[0] += world_rank();
    if (world_size() > 1)
        REQUIRE(hs_box_create(context, &bad, NULL, &layout) == HS_ERR_MISMATCH && text_has(context, "another domain"));
    REQUIRE(!layout);
    REQUIRE(hs_box_create(context, &good, NULL, &layout) == HS_OK);
    REQUIRE(hs_box_add_array(layout, 0, (void **)&u) == HS_ERR_ARG && text_has(context, "cell_bytes is 0"));
    if (world_size() > 1)
        REQUIRE(hs_box_add_array(layout, 8 + 8 * world_rank(), (void **)&u) == HS_ERR_MISMATCH &&
                text_has(context, "passed cell_bytes "));
    REQUIRE(hs_box_add_array(layout, 8, NULL) == HS_ERR_ARG);
    REQUIRE(hs_box_add_array(layout, 8, (void **)&u) == HS_OK);
    REQUIRE(hs_box_add_array(layout, 80, (void **)&u) == HS_ERR_ARG);
    REQUIRE(text_has(context, "hs_box_add_array: data is that of array 0 already"));
    exchange_out_of_order(layout, &u, speed);
    REQUIRE(hs_box_rebalance(layout, speed) == HS_ERR_INFEASIBLE &&
            text_has(context, "hs_box_rebalance: no host takes cells"));
    speed[0] = 1; /* only rank 0 has cells then */
    REQUIRE(hs_box_rebalance(layout, speed) >= HS_OK);
    exchange_out_of_order(layout, &u, speed);
    speed[0] = -1;
    REQUIRE(hs_box_rebalance(layout, speed) == HS_ERR_ARG && text_has(context, "speed[0]"));
    speed[0] = INFINITY;
    REQUIRE(hs_box_rebalance(layout, speed) == HS_ERR_ARG &&
            text_has(context, "speed[0] is inf, expected 0 or more, and finite"));
    REQUIRE(hs_box_rebalance(layout, NULL) == HS_ERR_ARG && text_has(context, "speed is NULL"));
    free(speed);
    hs_box_free(layout);
    hs_box_free(NULL);
}

/* ---- A layout that is freed during an exchange ---- */

void __real_hs__park_buffer(void *memory, int under_way);
void __wrap_hs__park_buffer(void *memory, int under_way);

static const void *watched;
static int was_left; /* the buffer watched was left to MPI */

void __wrap_hs__park_buffer(void *memory, int under_way)
{
    was_left |= memory && memory == watched && under_way;
    __real_hs__park_buffer(memory, under_way);
}

/* The program has swapped its pointers meanwhile; what MPI receives in stays. */
static void freed_in_an_exchange(hs_context *context)
{
    const hs_boxes_domain domain = {1, {100}, {1}, 1, HS_BOXES_FACES};
    hs_box_layout *layout;
    double *u, *v;
    REQUIRE(hs_box_create(context, &domain, NULL, &layout) == HS_OK);
    REQUIRE(hs_box_add_array(layout, sizeof *u, (void **)&u) == HS_OK);
    REQUIRE(hs_box_add_array(layout, sizeof *v, (void **)&v) == HS_OK);
    REQUIRE(hs_box_exchange_start(layout, u) == HS_OK);
    watched = hs__frame_base(&layout->frame, sizeof *u, u);
    double *swap = u;
    u = v;
    v = swap;
    hs_box_free(layout);
    REQUIRE(was_left && !u && !v);
    watched = NULL;
}

/* Two layouts, which ranks exchange in another order: each gets its own halo. */
static void layouts_exchange_in_any_order(hs_context *context)
{
    const hs_boxes_domain domain = {1, {100}, {1}, 1, HS_BOXES_FACES};
    hs_box_layout *layout[2];
    double *u[2];
    for (int k = 0; k < 2; k++) {
        REQUIRE(hs_box_create(context, &domain, NULL, &layout[k]) == HS_OK);
        REQUIRE(hs_box_add_array(layout[k], sizeof **u, (void **)&u[k]) == HS_OK);
        for (int64_t i = 0; i < hs_box_mine(layout[k]).count[0]; i++)
            u[k][i] = 1 + k;
    }
    for (int turn = 0; turn < 2; turn++) {
        int k = (turn + context->rank) % 2;
        REQUIRE(hs_box_exchange_start(layout[k], u[k]) == HS_OK);
    }
    for (int k = 0; k < 2; k++) {
        REQUIRE(hs_box_exchange_wait(layout[k], u[k]) == HS_OK);
        REQUIRE(u[k][-1] == 1 + k && u[k][hs_box_mine(layout[k]).count[0]] == 1 + k);
        hs_box_free(layout[k]);
    }
}

/* Each has a tag for its exchange. */
static void arrays_are_numbered(hs_context *context)
{
    const hs_boxes_domain domain = {1, {4}, {0}, 1, HS_BOXES_FACES};
    hs_box_layout *layout;
    char **data = calloc(HS__EXCHANGE_TAGS + 1, sizeof *data);
    REQUIRE(data && hs_box_create(context, &domain, NULL, &layout) == HS_OK);
    for (int a = 0; a < HS__EXCHANGE_TAGS; a++)
        REQUIRE(hs_box_add_array(layout, 1, (void **)&data[a]) == HS_OK);
    REQUIRE(hs_box_add_array(layout, 1, (void **)&data[HS__EXCHANGE_TAGS]) == HS_ERR_ARG);
    REQUIRE(text_has(context, "a layout has at most 16383 arrays"));
    hs_box_free(layout);
    free(data);
}

int main(int argc, char **argv)
{
    static const hs_boxes_domain domains[] = {
        {2, {13, 11}, {0, 0}, 1, HS_BOXES_FACES},     {2, {12, 9}, {1, 1}, 2, HS_BOXES_CORNERS},
        {2, {17, 8}, {0, 1}, 2, HS_BOXES_CORNERS},    {3, {9, 8, 5}, {0, 1, 1}, 1, HS_BOXES_CORNERS},
        {3, {6, 7, 4}, {1, 0, 0}, 2, HS_BOXES_FACES}, {1, {40}, {1}, 2, HS_BOXES_FACES}};
    const hs_boxes_domain square = {2, {60, 60}, {0, 1}, 1, HS_BOXES_FACES},
                          cube = {3, {12, 12, 12}, {0, 1, 0}, 1, HS_BOXES_FACES};
    static const hs_boxes_method most[] = {HS_BOXES_BEST, HS_BOXES_ROWS, HS_BOXES_COLUMNS, HS_BOXES_SLABS};
    MPI_Init(&argc, &argv);
    hs_context *context = start_unbalanced(PATIENCE);
    for (size_t k = 0; k < sizeof domains / sizeof *domains; k++)
        for (int method = HS_BOXES_BEST; method <= (int)most[domains[k].dims]; method++)
            moves_keep_everything(context, &domains[k], (hs_boxes_method)method);
    creation_runs_out_of_memory(context, &domains[2]);
    memory_runs_out(context, &domains[2]);
    shifts_are_those_of_a_grid(context, &square, HS_BOXES_GRID, HS_BOXES_COLUMNS);
    shifts_are_those_of_a_grid(context, &cube, HS_BOXES_GRID_3D, HS_BOXES_SLABS);
    bad_input(context);
    freed_in_an_exchange(context);
    layouts_exchange_in_any_order(context);
    if (world_size() == 2)
        arrays_are_numbered(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return 0;
}
