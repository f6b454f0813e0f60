/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_STENCIL_JACOBI_H
#define HS_APPS_STENCIL_JACOBI_H

/* The numerics and the options of the two stencil programs: hs-stencil, and hs-stencil-plain without the library. A
 * grid of rows x cols points with a boundary of zeros; a row is stored with one boundary point at each end. What ends in
 * _area or _points takes any rectangle of it, as boxes.c needs. */

#include "apps/arguments.h"
#include "apps/common.h"
#include <heteroslice/hs_runtime.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

typedef enum jacobi_layout { JACOBI_ROWS, JACOBI_GRID, JACOBI_COLUMNS } jacobi_layout;

/** The layouts' names; NULL ends them. */
extern const char *const jacobi_layouts[];

typedef struct jacobi_options {
    int64_t rows, cols;
    int layout;      /* jacobi_layout; plain.c has only rows */
    run_options run; /* intensity: relaxations of each point in one sweep; params, of stencil.c: with W and H, too */
} jacobi_options;

/* A rank's rows and its neighbours. */
typedef struct jacobi_slice {
    int64_t first, count;
    int prev, next;
} jacobi_slice;

/* Points of the grid in memory: those of a row lie together, the rows `stride` points apart. */
typedef struct jacobi_area {
    int64_t first_row, first_col, rows, cols, stride;
} jacobi_area;

/* Totals of a run on each rank. */
typedef struct jacobi_tally {
    double compute_s;      /* seconds in jacobi_relax() */
    int64_t points;        /* relaxed points */
    int64_t halo_bytes;    /* received in a sweep, at the end */
    double planned_s;      /* of a sweep, by the model at the end; 0 where layouts do not tell it */
    hs_layout_stats stats; /* the library's statistics; zero in plain.c */
} jacobi_tally;

/** Parse the command line. Returns the exit status to end with, or -1 to go on. Rank 0 prints errors. */
int jacobi_parse(int argc, char **argv, jacobi_options *options);

/** Points of a stored row; flop of one sweep over the whole grid. */
int64_t jacobi_width(const jacobi_options *options);
double jacobi_work(const jacobi_options *options);

/** Equal slices of at least a row, else all ranks exit; and zeroed rows for a slice with a halo row on each side. Returns
 * the address of the first row. */
jacobi_slice jacobi_equal_slice(const jacobi_options *options, MPI_Comm comm);
double *jacobi_allocate(int64_t count, int64_t row_bytes);
void jacobi_release(double *grid, int64_t row_bytes);

/** Fill those of the rows first .. first + count - 1 that are in the grid with the initial state: a sum of three
 * eigenmodes. */
void jacobi_fill(const jacobi_options *options, double *grid, int64_t first, int64_t count);

/** Likewise a rectangle of the grid, the first point of which is at grid. */
void jacobi_fill_area(const jacobi_options *options, double *grid, const jacobi_area *area);

/** Whole rows as an area, whose first point lies behind the boundary point. */
jacobi_area jacobi_area_of_rows(const jacobi_options *options, int64_t first, int64_t count);

/** The exact points of a row of an area after so many sweeps, and how far from them a solver's may be. */
void jacobi_exact_points(const jacobi_options *options, const jacobi_area *area, int64_t row, int64_t sweeps,
                         double *out);
double jacobi_tolerance(int64_t sweeps);

/** Wait for all ranks; returns the time when the last one has arrived. */
double jacobi_start(MPI_Comm comm);

/** One sweep over `count` rows (none when below 1): each point becomes the mean of its four neighbours. */
void jacobi_relax(const jacobi_options *options, const double *from, double *to, int64_t count, jacobi_tally *tally);

/** Likewise over rows x cols points from those at from and to on. */
void jacobi_relax_points(const jacobi_options *options, const double *from, double *to, int64_t rows, int64_t cols,
                         int64_t stride, jacobi_tally *tally);

/** Stop the clock, compare with the exact state after all sweeps, print the result on rank 0 and return the exit
 * status. Collective. */
int jacobi_report(const jacobi_options *options, MPI_Comm comm, const double *grid, int64_t first, int64_t count,
                  double begun, const jacobi_tally *tally);
int jacobi_report_area(const jacobi_options *options, MPI_Comm comm, const double *grid, const jacobi_area *area,
                       double begun, const jacobi_tally *tally);

/** The whole run with boxes: boxes.c. */
int jacobi_solve_boxes(const jacobi_options *options);

#endif
