/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_METIS_WIDTHS_H
#define HS_INTERPOSE_PARTITION_METIS_WIDTHS_H

#include "interpose/partition/lookup.h"

/** Bytes of METIS's idx_t and real_t; 0: not known. */
typedef struct hs__metis_widths {
    int index, real; /* 4 or 8 */
} hs__metis_widths;

/** Find them out by trying the METIS that a function belongs to or is linked to. Any thread.
 * Cost: that of cutting eight vertices, once for each library. */
hs__metis_widths hs__metis_widths_find(hs__foreign_function function);

#endif
