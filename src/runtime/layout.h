/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_LAYOUT_H
#define HS_RUNTIME_LAYOUT_H

#include "runtime/context.h"
#include "runtime/decide.h"
#include "runtime/kernels.h"

/** One registered array: this rank's slice with its halos. */
typedef struct hs__array {
    int64_t unit_bytes, halo;
    void **data; /* where the program keeps its pointer to the first unit; borrowed */
} hs__array;

/** Where the measuring of a layout stands. Times in nanoseconds of hs__clock_ns(). */
typedef struct hs__phase_state {
    int64_t until;       /* the hs_balance() call that ends the phase */
    int64_t begun;       /* the call with which it began */
    int64_t length;      /* how many iterations phases take at present; 0 at first */
    int64_t wall_ns;     /* clock at its begin */
    int64_t compute_ns;  /* the thread's compute time at its begin */
    int64_t overhead_ns; /* spent in this library since */
    int64_t iterations;  /* of the phase that was just reported */
    int collecting;      /* its records are under way: the next call decides */
} hs__phase_state;

struct hs_layout {
    hs_context *context;
    hs_layout *next; /* in the context's list */
    int64_t units, halo;
    hs_edges edges;
    int64_t *count; /* of every rank, ring order; owned */
    int64_t first;  /* of this rank */
    hs__array *arrays;
    size_t array_count, array_capacity;
    hs__decider *decider; /* NULL unless the mode is HS_BALANCE_ON and there is more than one rank */
    hs__phase_state phase;
    double overhead_s;    /* what measuring and deciding cost a phase, smoothed */
    int64_t move_ns;      /* spent moving, to be left out of that */
    double phase_seconds; /* length the next phases aim at */
    int bracketed;        /* hs_compute_begin() was used */
    int64_t bracket_begun, bracket_ns;
    double move_fixed_s, move_unit_s; /* what moving costs: guessed, then measured */
    hs__kernel *idle_kernel;          /* what a rank without units measures itself with; NULL until then */
    double idle_speed, idle_ratio;    /* its speed at first; first over present speed, 0: not yet known */
    int warned_blind;                 /* said once that no MPI call was seen */
    hs_layout_stats stats;
};

/** First unit of rank r under slices count[]. */
int64_t hs__layout_first(const int64_t *count, int r);

/** Allocate a zeroed buffer for a slice of count units of array; *base is what free() takes.
 * @return the address of the first unit, NULL when memory is out */
void *hs__array_allocate(const hs__array *array, int64_t count, void **base);

/** The base of the buffer whose first unit is at data. */
void *hs__array_base(const hs__array *array, void *data);

/** Start measuring afresh: after creation and after a move. */
void hs__phase_begin(hs_layout *layout);

/** Finish an exchange that a layout of this context left under way, keeping its result for the next hs_balance(). */
hs_status hs__balance_settle(hs_context *context);

#endif
