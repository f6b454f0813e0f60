/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/common.h"
#include "jacobi.h"

/* An ordinary Jacobi solver: equal slices of rows. stencil.c is the same program with balancing. */

static int solve(const jacobi_options *options)
{
    int64_t width = jacobi_width(options), bytes = width * (int64_t)sizeof(double);
    double *old, *new;
    jacobi_tally tally = {0};

    MPI_Comm comm = MPI_COMM_WORLD;
    jacobi_slice slice = jacobi_equal_slice(options, comm);
    old = jacobi_allocate(slice.count, bytes);
    new = jacobi_allocate(slice.count, bytes);

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
    }
    int code = jacobi_report(options, comm, old, slice.first, slice.count, begun, &tally);
    jacobi_release(old, bytes);
    jacobi_release(new, bytes);
    return code;
}

int main(int argc, char **argv)
{
    jacobi_options options;
    MPI_Init(&argc, &argv);
    int code = jacobi_parse(argc, argv, &options);
    if (code < 0)
        code = solve(&options);
    return app_end(code);
}
