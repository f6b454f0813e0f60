/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/common.h"
#include "jacobi.h"

/* The Jacobi solver of plain.c with balancing: the library divides the rows into slices and moves them. */

static int solve(const jacobi_options *options)
{
    int64_t width = jacobi_width(options), bytes = width * (int64_t)sizeof(double);
    double *old, *new;
    jacobi_tally tally = {0};

    hs_context *context;
    hs_layout *layout;
    app_require(hs_init(MPI_COMM_WORLD, &options->run.params, &context, NULL));
    app_require(hs_layout_create(context, options->rows, 1, HS_FIXED, &layout));
    app_require(hs_layout_add_array(layout, bytes, 1, (void **)&old));
    app_require(hs_layout_add_array(layout, bytes, 1, (void **)&new));
    MPI_Comm comm = hs_comm(context);
    hs_slice slice = hs_layout_slice(layout);

    jacobi_fill(options, old - width, slice.first - 1, slice.count + 2);
    double begun = jacobi_start(comm);
    for (int64_t k = 0; k < options->run.iterations; k++) {
        int64_t last = slice.count - 1;
        MPI_Request requests[4];
        events_run(&options->run.commands, comm, k);
        MPI_Irecv(new - width, (int)width, MPI_DOUBLE, slice.prev, 0, comm, &requests[0]);
        MPI_Irecv(new + slice.count *width, (int)width, MPI_DOUBLE, slice.next, 1, comm, &requests[1]);
        jacobi_relax(options, old, new, last >= 0, &tally);
        jacobi_relax(options, old + last * width, new + last *width, last > 0, &tally);
        MPI_Isend(new, (int)width, MPI_DOUBLE, slice.prev, 1, comm, &requests[2]);
        MPI_Isend(new + last *width, (int)width, MPI_DOUBLE, slice.next, 0, comm, &requests[3]);
        jacobi_relax(options, old + width, new + width, last - 1, &tally);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        double *swap = old;
        old = new;
        new = swap;
        if (app_require(hs_balance(layout)) == HS_OK)
            slice = hs_layout_slice(layout);
    }
    hs_layout_get_stats(layout, &tally.stats);
    int code = jacobi_report(options, comm, old, slice.first, slice.count, begun, &tally);
    hs_finalize(&context);
    return code;
}

int main(int argc, char **argv)
{
    jacobi_options options;
    MPI_Init(&argc, &argv);
    int code = jacobi_parse(argc, argv, &options);
    if (code < 0)
        code = options.layout == JACOBI_ROWS ? solve(&options) : jacobi_solve_boxes(&options);
    return app_end(code);
}
