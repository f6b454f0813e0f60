/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "jacobi.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows and seconds by which a rank that never had a row measures its speed at the end. */
#define TRIAL_S 0.02
enum { TRIAL_ROWS = 8 };

/* The largest difference from the exact state, and a sum of hashes of all bits that no order of addition changes. */
static double compare(const jacobi_options *o, const double *grid, const jacobi_area *area, uint64_t *checksum)
{
    double worst = 0, *exact = app_allocate(area->cols, sizeof *exact);
    *checksum = 0;
    for (int64_t i = 0; i < area->rows; i++) {
        int64_t row = area->first_row + i;
        jacobi_exact_points(o, area, row, o->run.iterations, exact);
        for (int64_t j = 0; j < area->cols; j++) {
            double value = grid[i * area->stride + j], off = fabs(value - exact[j]);
            worst = fmax(worst, isnan(off) ? INFINITY : off);
            uint64_t bits;
            memcpy(&bits, &value, sizeof bits);
            *checksum += app_hash(bits, (uint64_t)(row * o->cols + area->first_col + j + 1));
        }
    }
    free(exact);
    return worst;
}

/* Points per second of this rank alone. A rank that never had a row relaxes a few rows of zeros to measure it. */
static double own_speed(const jacobi_options *o, const jacobi_tally *tally)
{
    jacobi_tally own = *tally;
    int64_t bytes = jacobi_width(o) * (int64_t)sizeof(double);
    double *from = jacobi_allocate(TRIAL_ROWS, bytes), *to = jacobi_allocate(TRIAL_ROWS, bytes);
    while (tally->points == 0 && own.compute_s < TRIAL_S)
        jacobi_relax(o, from, to, TRIAL_ROWS, &own);
    jacobi_release(from, bytes);
    jacobi_release(to, bytes);
    return (double)own.points / own.compute_s;
}

/* The fraction of the run spent measuring and deciding, on the rank that waited least for others: the other ranks waited
 * for that one and lost nothing. */
static double deciding(MPI_Comm comm, const jacobi_tally *tally, double seconds)
{
    double mine = tally->points > 0 ? tally->stats.decide_s : INFINITY, least;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, comm);
    return isfinite(least) && seconds > 0 ? least / seconds : 0;
}

int jacobi_report_area(const jacobi_options *o, MPI_Comm comm, const double *grid, const jacobi_area *area,
                       double begun, const jacobi_tally *tally)
{
    int rank, json = o->run.json;
    MPI_Barrier(comm);
    double seconds = MPI_Wtime() - begun;
    uint64_t mine, checksum;
    double off = compare(o, grid, area, &mine), worst, decided = deciding(comm, tally, seconds);
    MPI_Comm_rank(comm, &rank);
    MPI_Allreduce(&off, &worst, 1, MPI_DOUBLE, MPI_MAX, comm);
    MPI_Allreduce(&mine, &checksum, 1, MPI_UINT64_T, MPI_SUM, comm);
    const app_result result = {.seconds = seconds,
                               .iterations = o->run.iterations,
                               .verified = worst <= jacobi_tolerance(o->run.iterations),
                               .checksum = checksum,
                               .moves = tally->stats.moves,
                               .moved_bytes = tally->stats.moved_bytes,
                               .efficiency = app_efficiency(comm, own_speed(o, tally), (double)tally->points, seconds)};
    app_print_result(comm, &result, json);
    if (rank == 0)
        printf(json ? ",\"deciding\":%.6f,\"planned_step\":%.6f,\"layout\":\"%s\""
                    : ", deciding %.5f of the time, %.6f s a step planned, layout %s",
               decided, tally->planned_s, jacobi_layouts[o->layout]);
    app_print_counts(comm, "rows", area->rows, json);
    app_print_counts(comm, "cols", area->cols, json);
    app_print_counts(comm, "halo_bytes", tally->halo_bytes, json);
    app_print_end(comm, json);
    return result.verified ? 0 : 1;
}

int jacobi_report(const jacobi_options *o, MPI_Comm comm, const double *grid, int64_t first, int64_t count,
                  double begun, const jacobi_tally *tally)
{
    const jacobi_area area = jacobi_area_of_rows(o, first, count);
    jacobi_tally own = *tally;
    int neighbours = count > 0 ? (first > 0) + (first + count < o->rows) : 0;
    own.halo_bytes = neighbours * area.stride * (int64_t)sizeof *grid;
    return jacobi_report_area(o, comm, grid + 1, &area, begun, &own);
}
