/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DECISION_TRACE_H
#define HS_PLAN_DECISION_TRACE_H

/* What deciders saw and decided, as JSON lines: written by a run (HS_LOG_DECISIONS), read by hs replay.
 * doc/decisions.schema.json has the fields. A number is written so that it is read back bit for bit; null stands for
 * INFINITY. */

#include "plan/decision/decide.h"
#include "plan/decision/slices.h"
#include <jansson.h>
#include <stdio.h>

/** The first line of a layout, without its kind's own fields.
 * @param[in] layout  its number in the file
 * @param[in] first   as hs__decider_create() got it
 * @return NULL when memory is out */
json_t *hs__trace_layout(int layout, int ranks, const double *first);

/** Add each rank's rank in MPI_COMM_WORLD, -1 for one that is not in it. @return 0, or -1 when memory is out */
int hs__trace_world(json_t *line, int ranks, const int64_t *world);

/** Add what slices were before the first phase. @return 0, or -1 when memory is out */
int hs__trace_slices(json_t *line, const hs__slices *slices);

/** Add to the object of slices how cycle times depend on the size, if they do. */
void hs__trace_paces(json_t *slices, const hs__slices *paces);

/** Where the ranks of a layout run and what they send, which plans on another platform need. */
typedef struct hs__trace_site {
    char **host;   /* [ranks] names */
    double *speed; /* [ranks] work units a second, as the plan took them */
    double halo;   /* bytes that a rank sends to each neighbour in a step; 0: not known */
    int periodic;  /* the last slice is a neighbour of the first */
} hs__trace_site;

/** Add it to the line of a layout. @return 0, or -1 when memory is out */
int hs__trace_site_write(json_t *line, int ranks, const hs__trace_site *site);

/** Messages take other times from now on: the memberships of slices. @return NULL when memory is out */
json_t *hs__trace_memberships(int layout, const hs__slices *slices);

/** The units have weights from now on: equal ones in a row are written once. @return NULL when memory is out */
json_t *hs__trace_weights(int layout, int64_t units, const double *weight);

/** A phase, and what came of it.
 * @param[in] iteration  after which it was decided
 * @return NULL when memory is out */
json_t *hs__trace_phase(int layout, int ranks, int64_t iteration, const hs__decide_phase *phase,
                        const hs__decision *decision, int moves);

/** The move that the last phase decided upon was carried out in so many seconds. @return NULL when memory is out */
json_t *hs__trace_moved(int layout, double seconds);

/** Write a line, to a stream without a buffer at once, and release it.
 * @return 0, or -1 when it could not be written or is NULL */
int hs__trace_write(FILE *stream, json_t *line);

/** A phase as it was recorded. */
typedef struct hs__trace_entry {
    int line; /* of the file */
    int64_t iteration;
    hs__decide_phase phase;
    hs__decision decision;
    int moves;     /* the verdict */
    double move_s; /* seconds of the move; < 0: there was none */
} hs__trace_entry;

/** Weights as they were recorded. */
typedef struct hs__trace_weighing {
    size_t before;  /* the phase that they came before */
    double *prefix; /* as of hs__weights_sum() */
} hs__trace_weighing;

/** Memberships as they were planned again. */
typedef struct hs__trace_replan {
    size_t before; /* the phase that they came before */
    int memberships;
    double *comm, *traffic; /* as hs__slices_replan() takes them */
} hs__trace_replan;

/** A layout as it was recorded. */
typedef struct hs__trace {
    int layout, ranks;
    double *first;
    int64_t *world;      /* [ranks] their ranks in MPI_COMM_WORLD, -1: not in it; NULL: not in the file */
    hs__trace_site site; /* host is NULL: not in the file */
    int has_slices;      /* 0: another kind, whose plans cannot be made again from the file */
    hs__slices slices;   /* ranks, units, minimum and model; the rest is empty */
    int memberships;
    double *comm, *traffic;  /* as hs__slices_start() takes them */
    hs_speed_function *pace; /* as hs__slices_by_size() takes them; NULL: not in the file */
    hs_speed_point *point;   /* of all paces */
    double said_bytes;
    hs__trace_entry *entry; /* owned */
    size_t entries, capacity;
    hs__trace_weighing *weighing; /* in order; owned */
    size_t weighings, weighing_capacity;
    hs__trace_replan *replan; /* in order; owned */
    size_t replans, replan_capacity;
    hs__pool pool; /* has all other arrays */
} hs__trace;

typedef struct hs__traces {
    hs__trace *trace; /* owned */
    size_t count, capacity;
} hs__traces;

/** Read what hs__trace_paces() added, if anything; trace has its ranks.
 * @return HS_OK; HS_ERR_PARSE; HS_ERR_NOMEM */
hs_status hs__trace_read_paces(const json_t *slices, hs__trace *trace);

/** Read what hs__trace_site_write() added, if anything; likewise. */
hs_status hs__trace_site_read(const json_t *line, hs__trace *trace);

/** Read a whole file.
 * @param[out] traces  hs__traces_free() frees it
 * @param[out] error   on failure, with the line
 * @return HS_OK; HS_ERR_IO; HS_ERR_PARSE; HS_ERR_NOMEM */
hs_status hs__traces_read(FILE *stream, hs__traces *traces, hs_error *error);
void hs__traces_free(hs__traces *traces);

#endif
