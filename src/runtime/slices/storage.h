/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SLICES_STORAGE_H
#define HS_RUNTIME_SLICES_STORAGE_H

/* Units in containers of the program's own. Before they move their bytes do, as the lengths of units of several elements;
 * then each rank packs the units that leave it into a buffer, which moves as an array of bytes with offsets in which
 * units that stay have none. */

#include "runtime/slices/ragged.h"

/** The units of a layout's storages on their way to their new owners. All zero at first. */
typedef struct hs__packed {
    const hs_layout *layout;
    hs__span leaving[2], arriving[2]; /* before and behind the units that stay */
    size_t count;                     /* of storages */
    hs__array *array;                 /* those of the layout, then [count] of packed units; owned */
    void **buffer;                    /* [count] where these arrays have their data: the units that leave; owned
                                         with what it points to */
    int64_t **offset;                 /* [2 * count] in buffer, then in what arrives; owned with what it points to */
    size_t unpacked;                  /* ranges whose unpacking has begun, of all storages together */
} hs__packed;

/** Ask a storage for the bytes of this rank's units.
 * @param[in]  number  what it is called in an error text
 * @param[out] bytes   [units]
 * @param[out] sum     of all of them; written only on HS_OK
 * @return HS_OK; HS_ERR_ARG: a size is below 0, or their sum above 2^63 - 1; what the callback returned */
hs_status hs__storage_bytes(const hs_layout *layout, const hs_storage *storage, size_t number, int64_t *bytes,
                            int64_t *sum);

/** Pack the units that leave this rank for slices count[]. @param[in] lengths  the bytes of the units, which have arrived
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_ARG: a storage has not written what it said; what a callback returned */
hs_status hs__pack(const hs_layout *layout, const int64_t *count, const hs__lengths *lengths, hs__packed *packed);

/** Unpack what has arrived, beside what is held. @param[in] data  [count] of each storage
 * @return HS_OK; HS_ERR_ARG; what a callback returned */
hs_status hs__unpack(hs__packed *packed, const hs__lengths *lengths, void *const *data);

/** All ranks have unpacked: drop the units that have left. */
void hs__packed_adopt(hs__packed *packed);

/** Drop what was unpacked without being adopted, and free the buffers. @param[in] under_way  messages were given up */
void hs__packed_free(hs__packed *packed, int under_way);

#endif
