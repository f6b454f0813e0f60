/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SLICES_LAYOUT_H
#define HS_RUNTIME_SLICES_LAYOUT_H

#include "plan/decision/slices.h"
#include "plan/slices/learned.h"
#include "plan/slices/sampling.h"
#include "runtime/balance/balance.h"
#include "runtime/base/counters.h"
#include "runtime/session/pointers.h"
#include <heteroslice/hs_storage.h>

/** Units first <= u < end, global indices. */
typedef struct hs__span {
    int64_t first, end;
} hs__span;

/** One registered array: this rank's slice with its halos. */
typedef struct hs__array {
    int64_t unit_bytes, halo; /* unit_bytes: of an element where units have several */
    void **data;              /* where the program keeps its pointer to the first unit; borrowed */
    int offsets;              /* which of the layout's offsets tell its elements; -1: every unit is one */
    void *given;              /* what was put there: the first unit of this rank's buffer, which is owned */
} hs__array;

/** Where the elements of this rank's units begin. */
typedef struct hs__offsets {
    int64_t **offset; /* [count + 1] where the program keeps its pointer to them; borrowed */
    int64_t elements; /* of this rank: what they have to end with */
    double all;       /* of all ranks */
} hs__offsets;

/** What a program's brackets around units tell; see learn.h. */
typedef struct hs__learning {
    int ready;              /* times and sampling are those of the present slice */
    int bracketed;          /* the program is between hs_unit_begin() and hs_unit_end() */
    int64_t first, count;   /* units of that bracket, global indices */
    hs__sampling sampling;  /* in indices of the slice */
    hs__unit_times times;   /* likewise */
    double next_look;       /* wall-clock seconds before which the times are not looked at again */
    double begun;           /* CPU seconds at which the span under way began */
    int asked;              /* whether there are counters */
    hs__counters *counters; /* NULL: none; owned */
} hs__learning;

struct hs_layout {
    hs__owned owned; /* by the context */
    hs_context *context;
    int64_t units, halo;
    hs_edges edges;
    int64_t *count; /* of every rank, ring order; owned */
    int64_t first;  /* of this rank */
    double *weight; /* [units], NULL: none were declared or learned; owned */
    double *prefix; /* [units + 1] their sums as of hs__weights_sum(), NULL with weight; owned */
    double *load;   /* of every rank, the weight of its slice where units have weights; owned */
    hs__array *arrays;
    size_t array_count, array_capacity;
    hs__offsets *offsets;
    size_t offsets_count, offsets_capacity;
    hs_storage *storages;
    size_t storage_count, storage_capacity;
    double stored; /* bytes in all storages of all ranks, when they were asked for last */
    hs__slices slices;
    hs__balancer balancer;
    hs__learning learning;
    int64_t moved_units, moved_bytes; /* as in hs_layout_stats */
    int64_t peak_bytes;               /* of this rank's arrays, old and new, in any move so far */
    int warned_too_small;             /* warned that the hosts' largest slices do not hold the units */
    int left_to_mpi;                  /* a move was given up: MPI may still read the arrays, which are never freed */
};

/** First unit of rank r under slices count[]. */
int64_t hs__layout_first(const int64_t *count, int r);

/** Bytes of a buffer for count units of array; -1 when that is no number. */
int64_t hs__array_bytes(const hs__array *array, int64_t count);

/** Whether a zeroed buffer takes all its memory when it is made, or page by page as it is touched. */
typedef enum hs__zeroing { HS__ZERO_NOW, HS__ZERO_WHEN_TOUCHED } hs__zeroing;

/** Allocate a zeroed buffer for a slice of count units of array; *base is what free() takes.
 * @return the address of the first unit, NULL when memory is out */
void *hs__array_allocate(const hs__array *array, int64_t count, hs__zeroing zeroing, void **base);

/** The base of the buffer whose first unit is at data. */
void *hs__array_base(const hs__array *array, void *data);

/** The pointer of array a of a layout. */
hs__pointer_of hs__array_pointer;

/** Register an array, for which there is room, and tell the program where its first unit is. */
void hs__array_add(hs_layout *layout, const hs__array *array, void *first);

/** Whether the slices tile the units, none is smaller than the halo, first is where this rank's slice begins, and the
 * arrays fit the layout. @return HS_OK; HS_ERR_INTERNAL with the defect in *error */
hs_status hs__layout_check(const hs_layout *layout, hs_error *error);

/** Cut the units as the library knows the hosts, and start what balances them. Local.
 * @return HS_OK; HS_ERR_INFEASIBLE: the hosts' largest slices do not hold all units; HS_ERR_NOMEM */
hs_status hs__layout_first_slices(hs_layout *layout);

/** Seconds a unit by rank from the speeds of the context, of which only the ratios are relied upon. @param[out] cycle  [ranks] */
void hs__layout_first_cycles(const hs_layout *layout, double *cycle);

/** Messages take what the context's memberships say now. Needs no memory. */
void hs__layout_replan(hs_layout *layout);

/** The slices have changed: what each of them weighs. */
void hs__layout_weigh_slices(hs_layout *layout);

/** Give units other weights. Collective.
 * @param[in] operation  HS__OP_LAYOUT_WEIGHTS: declared; while nothing is registered the slices are cut anew. HS__OP_LEARN
 * @param[in] mine       what this rank brings along; < 0: all ranks fail
 * @param[in] weight     of this rank's units
 * @return as hs_layout_weights() */
hs_status hs__layout_reweigh(hs_layout *layout, hs__operation operation, hs_status mine, const double *weight);

/** How a layout of slices is balanced. */
extern const hs__balance_kind hs__layout_kind;

#endif
