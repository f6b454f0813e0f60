/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SLICES_H
#define HS_RUNTIME_SLICES_H

/* Slices in rank order, to the decider: a step takes the longest count[i] cycle[i] + comm[i] (the larger of both when
 * halos travel while the step computes) of the ranks with units. */

#include "runtime/balance/decide.h"
#include <heteroslice/hs_slices.h>

typedef struct hs__slices {
    int ranks;
    int64_t units, minimum; /* N, and the smallest slice that is not empty, >= 1 */
    hs_step_model model;
    const int64_t *count; /* present slices, by rank; borrowed */
    double *comm;         /* seconds a rank with units communicates in a step, >= 0; owned */
    int64_t *candidate;   /* owned */
} hs__slices;

/** Fill in ranks, units, minimum, model and count first.
 * @param[in] comm  copied
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__slices_start(hs__slices *slices, const double *comm);

/** Free what slices owns. */
void hs__slices_end(hs__slices *slices);

/** The layout handed to it is an hs__slices. */
extern const hs__decide_kind hs__slices_kind;

/** Units that the busiest rank sends and receives when slices in rank order change from one cut to another. */
int64_t hs__moved_units_busiest(int ranks, const int64_t *from, const int64_t *to);

/** Units that change owner. */
int64_t hs__moved_units(int ranks, const int64_t *from, const int64_t *to);

#endif
