/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SLICES_RAGGED_H
#define HS_RUNTIME_SLICES_RAGGED_H

/* Units of several elements, told by offsets. Before the elements move the lengths of the units do: as an array with one
 * number a unit, so that each rank knows what it will receive. So do the bytes of units in storages of the program. */

#include "runtime/slices/layout.h"

/** The lengths of a layout's units on their way to their new owners. All zero at first. */
typedef struct hs__lengths {
    size_t count;     /* of offsets, then of storages */
    hs__array *array; /* [count] one number a unit, to be moved as any other array; owned */
    void **now;  /* [count] where these arrays have their data, the present lengths; owned with what it points to */
    void **next; /* [count] the same of the new units; owned with what it points to */
    int64_t **offset; /* [count] new offsets, none of storages; owned with what it points to */
    int64_t stored;   /* bytes in this rank's storages */
} hs__lengths;

/** Take the lengths from the present offsets, and allocate new offsets for `count` units.
 * @return HS_OK; HS_ERR_ARG: the program has changed its offsets, the context's text says how; HS_ERR_NOMEM; what a
 *         storage returned */
hs_status hs__lengths_start(const hs_layout *layout, int64_t count, hs__lengths *lengths);

/** The lengths of the new units have come: fill in the new offsets.
 * @param[in,out] length  [count][units], which are taken over */
void hs__lengths_arrived(const hs_layout *layout, hs__lengths *lengths, void **length, int64_t count);

/** Put the new offsets in the place of the old ones, which hs__lengths_free() then frees. */
void hs__lengths_adopt(hs_layout *layout, hs__lengths *lengths, int64_t count);

/** @param[in] under_way  messages were given up */
void hs__lengths_free(hs__lengths *lengths, int under_way);

/** Which offsets the program keeps at place; -1: none. */
int hs__offsets_find(const hs_layout *layout, const void *place);

/** Free a layout's offsets; the program's pointers become NULL. */
void hs__offsets_free(hs_layout *layout);

/** Bytes of a unit, in the mean over all units: equal on all ranks. */
double hs__ragged_unit_bytes(const hs_layout *layout);

#endif
