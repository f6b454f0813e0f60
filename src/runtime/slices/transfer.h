/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SLICES_TRANSFER_H
#define HS_RUNTIME_SLICES_TRANSFER_H

/* The units of a move on their way from old buffers to new ones: all at once, or in rounds.
 *
 * In rounds, the first carries the halos, which are units that others need again, and each of the others an equal part of
 * the bytes between every old owner and every new one. After each of these, whole pages of the old buffers that it has
 * emptied go back to the system; those of the new buffers are taken as they fill. So with R such rounds a rank never holds
 * more than the larger of old and new, an R-th of the smaller, the new halos, and a few pages for each other rank that it
 * shares units with. */

#include "runtime/session/messages.h"
#include "runtime/slices/storage.h"

typedef struct hs__transfer {
    hs_layout *layout;
    const int64_t *count;    /* the new slices */
    const hs__array *arrays; /* those that move */
    size_t array_count;
    const hs__lengths *lengths; /* with the new offsets; NULL: these are the lengths */
    hs__packed *packed;         /* of the units in storages, whose arrays are the last; NULL as lengths is */
    void **data;                /* first unit of every array's new buffer; borrowed */
    int rounds;                 /* 1: all at once, and the old buffers stay as they are */
    int64_t received;           /* bytes of arrays with offsets that come from other ranks */
    int64_t held, peak;         /* bytes of buffers that take memory now, and at most */
    hs__messages messages;
} hs__transfer;

/** Units of an array in a buffer: their first byte, and how many they have. */
typedef struct hs__piece {
    char *place;
    int64_t bytes;
} hs__piece;

hs__piece hs__piece_of(const hs__array *array, void *data, const int64_t *offset, int64_t unit, int64_t units);

/** Offsets of this rank's units in its old and in its new slice; NULL where every unit is one element. */
const int64_t *hs__transfer_old_offsets(const hs__transfer *transfer, const hs__array *array);
const int64_t *hs__transfer_new_offsets(const hs__transfer *transfer, const hs__array *array);

/** Make room for all messages, once `data` is there. @return HS_OK; HS_ERR_NOMEM; HS_ERR_MPI */
hs_status hs__transfer_reserve(hs__transfer *transfer);

/** Fill the new buffers. @return HS_OK; HS_ERR_MPI, HS_ERR_TIMEOUT: where messages.count is not 0, MPI may still read the
 * old buffers and write to the new. In rounds, the old buffers have lost what had left them */
hs_status hs__transfer_run(hs__transfer *transfer);

#endif
