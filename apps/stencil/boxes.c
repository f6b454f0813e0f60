/* SPDX-License-Identifier: BSD-3-Clause */
#include "jacobi.h"
#include <heteroslice/hs_box_layout.h>

/* The Jacobi solver of stencil.c with boxes in place of slices: the library cuts the grid in two dimensions, exchanges
 * the halos and moves the boxes. */

/* This rank's box as it lies in memory. */
static jacobi_area area_of(const hs_box_layout *layout)
{
    hs_box mine = hs_box_mine(layout);
    return (jacobi_area){mine.first[0], mine.first[1], mine.count[0], mine.count[1], hs_box_stride(layout, 0)};
}

/* Points that need no halo. */
static void relax_inside(const jacobi_options *o, const double *from, double *to, const jacobi_area *a,
                         jacobi_tally *tally)
{
    if (a->rows > 2)
        jacobi_relax_points(o, from + a->stride + 1, to + a->stride + 1, a->rows - 2, a->cols - 2, a->stride, tally);
}

/* The first and last row, then what is left of the first and last column. */
static void relax_border(const jacobi_options *o, const double *from, double *to, const jacobi_area *a,
                         jacobi_tally *tally)
{
    int64_t bottom = (a->rows - 1) * a->stride, right = a->stride + a->cols - 1;
    jacobi_relax_points(o, from, to, a->rows > 0, a->cols, a->stride, tally);
    if (a->rows < 2)
        return;
    jacobi_relax_points(o, from + bottom, to + bottom, 1, a->cols, a->stride, tally);
    jacobi_relax_points(o, from + a->stride, to + a->stride, a->rows - 2, 1, a->stride, tally);
    jacobi_relax_points(o, from + right, to + right, a->rows - 2, a->cols > 1, a->stride, tally);
}

static void take_stats(const hs_box_layout *layout, jacobi_tally *tally)
{
    hs_box_stats stats;
    int pieces;
    const hs_box_piece *piece = hs_box_neighbours(layout, &pieces);
    hs_box_get_stats(layout, &stats);
    tally->stats.moves = stats.moves;
    tally->stats.moved_bytes = stats.moved_bytes;
    tally->stats.decide_s = stats.decide_s;
    tally->planned_s = hs_box_step_time(layout);
    for (int k = 0; k < pieces; k++)
        tally->halo_bytes += piece[k].cells.count[0] * piece[k].cells.count[1] * (int64_t)sizeof(double);
}

int jacobi_solve_boxes(const jacobi_options *options)
{
    static const hs_boxes_method methods[] = {HS_BOXES_ROWS, HS_BOXES_GRID, HS_BOXES_COLUMNS};
    const hs_boxes_domain domain = {.dims = 2, .extent = {options->rows, options->cols}, .halo = 1};
    const hs_box_params params = {
        .method = methods[options->layout], .halo_bytes = sizeof(double), .steps = options->run.iterations};
    double *old, *new;
    jacobi_tally tally = {0};

    hs_context *context;
    hs_box_layout *layout;
    app_require(hs_init(MPI_COMM_WORLD, &options->run.params, &context, NULL));
    app_require(hs_box_create(context, &domain, &params, &layout));
    app_require(hs_box_add_array(layout, sizeof(double), (void **)&old));
    app_require(hs_box_add_array(layout, sizeof(double), (void **)&new));
    MPI_Comm comm = hs_comm(context);
    jacobi_area area = area_of(layout);

    jacobi_fill_area(options, old, &area);
    double begun = jacobi_start(comm);
    for (int64_t k = 0; k < options->run.iterations; k++) {
        events_run(&options->run.commands, comm, k);
        app_require(hs_box_exchange_start(layout, old));
        relax_inside(options, old, new, &area, &tally);
        app_require(hs_box_exchange_wait(layout, old));
        relax_border(options, old, new, &area, &tally);
        double *swap = old;
        old = new;
        new = swap;
        if (app_require(hs_box_balance(layout)) == HS_OK)
            area = area_of(layout);
    }
    take_stats(layout, &tally);
    int code = jacobi_report_area(options, comm, old, &area, begun, &tally);
    hs_finalize(&context);
    return code;
}
