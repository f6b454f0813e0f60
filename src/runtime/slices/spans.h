/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SLICES_SPANS_H
#define HS_RUNTIME_SLICES_SPANS_H

/* Which units go from which rank to which, halos included, when slices change. */

#include "runtime/slices/layout.h"

/** What a rank needs under slices count[]: its units and their halos; empty without units. In a periodic layout the
 * range may reach below 0 or beyond the last unit: u stands for u modulo units. */
hs__span hs__needed_span(const int64_t *count, int rank, int64_t halo);

/** The units of two spans; empty where there are none. */
hs__span hs__span_in_both(hs__span a, hs__span b);

/** Whole turns by which a periodic need may lie beside its source: -hs__wraps() to hs__wraps(). */
int64_t hs__wraps(const hs_layout *layout);

/** What rank `sink` needs under slices count[] and rank `source` has under the present ones, shifted by so many units:
 * as the sink counts them; empty where there is nothing. */
hs__span hs__common_span(const hs_layout *layout, const int64_t *count, int64_t halo, int source, int sink,
                         int64_t shift);

#endif
