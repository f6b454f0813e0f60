/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "jacobi.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Flop per point: three additions and a multiplication, and an addition and a multiplication per further relaxation. */
#define FLOP_FIRST 4
#define FLOP_FURTHER 2

/* Rounding grows with the number of sweeps; the state itself is at most MODES high. */
#define TOLERANCE 1e-12

/* Rows and seconds by which a rank that never had a row measures its speed at the end. */
#define TRIAL_S 0.02

enum { MODES = 3, TRIAL_ROWS = 8 };
static const int64_t mode_rows[MODES] = {1, 2, 3}, mode_cols[MODES] = {1, 3, 2};

int64_t jacobi_width(const jacobi_options *o)
{
    return o->cols + 2;
}

double jacobi_work(const jacobi_options *o)
{
    return (double)o->rows * (double)o->cols * (double)(FLOP_FIRST + FLOP_FURTHER * (o->run.intensity - 1));
}

int jacobi_require(int status)
{
    if (status < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return status;
}

jacobi_slice jacobi_equal_slice(const jacobi_options *o, MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (o->rows < size) {
        fprintf(stderr, "hs-stencil-plain: %" PRId64 " rows are too few for %d ranks\n", o->rows, size);
        MPI_Abort(comm, 1);
    }
    int64_t first = o->rows * rank / size;
    return (jacobi_slice){first, o->rows * (rank + 1) / size - first, rank > 0 ? rank - 1 : MPI_PROC_NULL,
                          rank < size - 1 ? rank + 1 : MPI_PROC_NULL};
}

double *jacobi_allocate(int64_t count, int64_t row_bytes)
{
    char *rows = calloc((size_t)count + 2, (size_t)row_bytes);
    if (!rows)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return (double *)(rows + row_bytes);
}

void jacobi_release(double *grid, int64_t row_bytes)
{
    free((char *)grid - row_bytes);
}

double jacobi_start(MPI_Comm comm)
{
    MPI_Barrier(comm);
    return MPI_Wtime();
}

/* sin(pi m (i + 1) / (n + 1)) for i = 0 .. n - 1 of mode m, in long double so that large m (i + 1) lose nothing. */
static double wave(int64_t mode, int64_t i, int64_t n)
{
    return (double)sinl(3.14159265358979323846264338327950288L * (long double)(mode * (i + 1) % (2 * (n + 1))) /
                        (n + 1));
}

/* The factor by which mode m shrinks in `sweeps` sweeps. */
static double shrink(const jacobi_options *o, int m, int64_t sweeps)
{
    long double pi = 3.14159265358979323846264338327950288L;
    long double factor = (cosl(pi * mode_rows[m] / (o->rows + 1)) + cosl(pi * mode_cols[m] / (o->cols + 1))) / 2;
    return (double)powl(factor, sweeps);
}

/* The exact points of a row of an area, for these amplitudes. */
static void exact_points(const jacobi_options *o, const jacobi_area *area, int64_t row, const double *amplitude,
                         double *out)
{
    memset(out, 0, (size_t)area->cols * sizeof *out);
    for (int m = 0; m < MODES; m++) {
        double height = amplitude[m] * wave(mode_rows[m], row, o->rows);
        for (int64_t j = 0; j < area->cols; j++)
            out[j] += height * wave(mode_cols[m], area->first_col + j, o->cols);
    }
}

void jacobi_fill_area(const jacobi_options *o, double *grid, const jacobi_area *area)
{
    static const double amplitude[MODES] = {1, 1, 1};
    for (int64_t i = 0; i < area->rows; i++)
        exact_points(o, area, area->first_row + i, amplitude, grid + i * area->stride);
}

jacobi_area jacobi_area_of_rows(const jacobi_options *o, int64_t first, int64_t count)
{
    return (jacobi_area){first, 0, count, o->cols, jacobi_width(o)};
}

void jacobi_fill(const jacobi_options *o, double *grid, int64_t first, int64_t count)
{
    int64_t begin = first < 0 ? 0 : first, end = first + count < o->rows ? first + count : o->rows;
    const jacobi_area area = jacobi_area_of_rows(o, begin, end - begin);
    jacobi_fill_area(o, grid + (begin - first) * area.stride + 1, &area);
}

/* Relax a point further. It equals the mean already, so the answer is the same for every intensity; the time is that of
 * codes with local physics. */
static double settle(double mean, int64_t times)
{
    double value = mean;
    for (int64_t t = 1; t < times; t++)
        value = 0.5 * (value + mean);
    return value;
}

void jacobi_relax_points(const jacobi_options *o, const double *from, double *to, int64_t rows, int64_t cols,
                         int64_t stride, jacobi_tally *tally)
{
    if (rows < 1 || cols < 1)
        return;
    double begun = MPI_Wtime();
    for (int64_t i = 0; i < rows; i++) {
        const double *above = from + (i - 1) * stride, *here = from + i * stride, *below = from + (i + 1) * stride;
        double *out = to + i * stride;
        for (int64_t j = 0; j < cols; j++)
            out[j] = settle(0.25 * ((above[j] + below[j]) + (here[j - 1] + here[j + 1])), o->run.intensity);
    }
    tally->compute_s += MPI_Wtime() - begun;
    tally->points += rows * cols;
}

void jacobi_relax(const jacobi_options *o, const double *from, double *to, int64_t count, jacobi_tally *tally)
{
    jacobi_relax_points(o, from + 1, to + 1, count, o->cols, jacobi_width(o), tally);
}

/* The largest difference from the exact state, and a sum of hashes of all bits that no order of addition changes. */
static double compare(const jacobi_options *o, const double *grid, const jacobi_area *area, uint64_t *checksum)
{
    double amplitude[MODES], worst = 0, *exact = malloc((size_t)(area->cols + 1) * sizeof *exact);
    *checksum = 0;
    if (!exact)
        return INFINITY;
    for (int m = 0; m < MODES; m++)
        amplitude[m] = shrink(o, m, o->run.iterations);
    for (int64_t i = 0; i < area->rows; i++) {
        int64_t row = area->first_row + i;
        exact_points(o, area, row, amplitude, exact);
        for (int64_t j = 0; j < area->cols; j++) {
            double value = grid[i * area->stride + j], off = fabs(value - exact[j]);
            worst = fmax(worst, isnan(off) ? INFINITY : off);
            uint64_t bits;
            memcpy(&bits, &value, sizeof bits);
            bits = (bits ^ (uint64_t)(row * o->cols + area->first_col + j + 1)) * 0x9e3779b97f4a7c15u;
            *checksum += (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9u;
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

/* Efficiency: the time that the sum of all ranks' speeds would need for W, over the real time. */
static double efficiency(const jacobi_options *o, MPI_Comm comm, const jacobi_tally *tally, double seconds)
{
    double mine[2] = {own_speed(o, tally), (double)tally->points}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, comm);
    return all[0] > 0 && seconds > 0 ? all[1] / all[0] / seconds : 0;
}

/* The fraction of the run spent measuring and deciding, on the rank that waited least for others: the other ranks waited
 * for that one and lost nothing. */
static double deciding(MPI_Comm comm, const jacobi_tally *tally, double seconds)
{
    double mine = tally->points > 0 ? tally->stats.decide_s : INFINITY, least;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, comm);
    return isfinite(least) && seconds > 0 ? least / seconds : 0;
}

/* One number of every rank, as a list. */
static void print_all(MPI_Comm comm, const char *name, int64_t count, int json)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int64_t *all = malloc((size_t)size * sizeof *all);
    if (!all)
        MPI_Abort(comm, 1);
    MPI_Gather(&count, 1, MPI_INT64_T, all, 1, MPI_INT64_T, 0, comm);
    if (rank == 0)
        printf(json ? ",\"%s\":[" : ", %s ", name);
    for (int r = 0; r < size && rank == 0; r++)
        printf("%s%" PRId64, r ? (json ? "," : " ") : "", all[r]);
    if (rank == 0 && json)
        printf("]");
    free(all);
}

int jacobi_report_area(const jacobi_options *o, MPI_Comm comm, const double *grid, const jacobi_area *area,
                       double begun, const jacobi_tally *tally)
{
    int rank;
    MPI_Barrier(comm);
    double seconds = MPI_Wtime() - begun;
    uint64_t mine, checksum;
    double off = compare(o, grid, area, &mine), worst;
    MPI_Comm_rank(comm, &rank);
    MPI_Allreduce(&off, &worst, 1, MPI_DOUBLE, MPI_MAX, comm);
    MPI_Allreduce(&mine, &checksum, 1, MPI_UINT64_T, MPI_SUM, comm);
    double efficient = efficiency(o, comm, tally, seconds), decided = deciding(comm, tally, seconds);
    int verified = worst <= TOLERANCE * MODES * (double)(o->run.iterations + 1);
    if (rank == 0)
        printf(o->run.json ? "{\"time\":%.6f,\"iterations\":%" PRId64 ",\"verified\":%s,\"checksum\":\"%016" PRIx64
                             "\",\"rebalances\":%" PRId64 ",\"moved_bytes\":%" PRId64
                             ",\"efficiency\":%.4f,\"deciding\":%.6f,\"layout\":\"%s\""
                           : "time %.3f s, %" PRId64 " iterations, verified %s, checksum %016" PRIx64 ", %" PRId64
                             " rebalances, %" PRId64
                             " bytes moved, efficiency %.3f, deciding %.5f of the time, layout %s",
               seconds, o->run.iterations, verified ? "true" : "false", checksum, tally->stats.moves,
               tally->stats.moved_bytes, efficient, decided, jacobi_layouts[o->layout]);
    print_all(comm, "rows", area->rows, o->run.json);
    print_all(comm, "cols", area->cols, o->run.json);
    print_all(comm, "halo_bytes", tally->halo_bytes, o->run.json);
    if (rank == 0)
        printf(o->run.json ? "}\n" : "\n");
    return verified ? 0 : 1;
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
