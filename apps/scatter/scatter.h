/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_SCATTER_SCATTER_H
#define HS_APPS_SCATTER_SCATTER_H

#include "catalogue.h"
#include <heteroslice/hs_scatter.h>

enum { LEFT_OUT_TEXT = 256 };

typedef enum scatter_schedule {
    SCATTER_PLANNED,      /* hs_farm_run() */
    SCATTER_EQUAL,        /* MPI_Scatterv of equal counts, MPI_Gatherv */
    SCATTER_PROPORTIONAL, /* the same with counts in proportion to speed */
    SCATTER_DYNAMIC       /* a hundredth of the items to each rank that asks */
} scatter_schedule;

typedef struct scatter_options {
    int64_t items, record_bytes;
    double results; /* D; below 0: just times */
    const char *input, *output, *generate;
    scatter_schedule schedule;
    hs_farm_root master;
    int rounds, intervals, json, verify_sample;
} scatter_options;

/** One run, on every rank; record and result exist only on the root. */
typedef struct scatter_work {
    const scatter_options *options;
    int64_t n, record_bytes, result_bytes;
    const double *record;
    double *result;
    rays_model model;
    int show_progress;
    char left_out[LEFT_OUT_TEXT]; /* ranks without items, separated by commas */
} scatter_work;

/** Parse the command line. Returns the exit status to end with, or -1 to go on. Rank 0 prints errors. */
int scatter_parse(int argc, char **argv, scatter_options *options);

/** Whether stderr ends at a terminal. */
int scatter_seen_on_terminal(void);

/** The committed type of a record or result. */
MPI_Datatype scatter_bytes_type(int64_t bytes);

/** Run a schedule without the library; rank 0 is the root. cycle_time: of every rank, for counts by speed. */
void scatter_by_counts(const scatter_work *work, const double *cycle_time);
void scatter_dynamic(const scatter_work *work);

#endif
