/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_STORAGE_H
#define HETEROSLICE_HS_STORAGE_H

/* Units in containers of the program's own: particles of a cell, trees, anything whose bytes change as it likes. The
 * program gives four callbacks; the library moves the units together with the arrays of the same layout.
 *
 * What hs_balance() calls on a rank when slices move from [a, b) to [c, d), in this order:
 *
 *   bytes    once, for all units of [a, b)
 *   pack     for the units that leave, those of [a, b) that are not in [c, d)
 *   unpack   for the units that arrive, those of [c, d) that are not in [a, b), while those that leave are still held
 *   remove   for the units that leave, when all ranks have agreed that everything arrived; else for those that arrived
 *
 * Units that stay are not touched. A range is one contiguous part of the units: one call for those before the units that
 * stay, one for those behind, in ascending order; calls with no unit are not made. Indices are global.
 *
 * bytes, pack and unpack may fail, on any rank at any call: then every rank still has its old slices and all its units,
 * hs_balance() returns the same status on all ranks, and the first rank that failed tells the callback and the units in
 * one line on stderr. So it is when memory is out, and when a callback does not write or read as many bytes as `bytes`
 * said. remove may not fail. After a failure hs_balance() may be called again.
 *
 * A unit's bytes are copied twice: by pack into the message, by unpack out of it. Callbacks are called by the thread that
 * calls hs_balance(), and must not call this library for the same context, nor throw through it: a C++ callback catches
 * what its containers throw (std::bad_alloc: HS_ERR_NOMEM). */

#include <heteroslice/hs_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a program hands over units of its own storage. All four are needed. */
typedef struct hs_storage {
    void *owner; /* handed to the callbacks; borrowed, as long as the layout lives */

    /** Say how many bytes each of units first .. first + count - 1 has when it is packed.
     * @param[out] bytes  [count] >= 0 each
     * @return HS_OK, or a status below 0 */
    hs_status (*bytes)(void *owner, int64_t first, int64_t count, int64_t *bytes);

    /** Write the units to the buffer, one behind the other, and keep them.
     * @param[in]  bytes   [count] as the callback of that name said; their sum is the room in the buffer
     * @param[out] buffer  aligned to 64 bytes for the first range, else to nothing
     * @return the bytes written, or a status below 0 */
    int64_t (*pack)(void *owner, int64_t first, int64_t count, const int64_t *bytes, void *buffer);

    /** Add the units to those that are held. When it fails, remove is called for the whole range.
     * @param[in] bytes   [count] of each unit, which lie one behind the other
     * @param[in] buffer  borrowed; aligned as of pack
     * @return the bytes read, or a status below 0 */
    int64_t (*unpack)(void *owner, int64_t first, int64_t count, const int64_t *bytes, const void *buffer);

    /** Drop units. Some or all of them may not be there, when their unpack failed. */
    void (*remove)(void *owner, int64_t first, int64_t count);

    int64_t reserved[8]; /* all 0 */
} hs_storage;

/** Let the units of a storage move with the layout. Collective.
 *
 * The program holds just the units of hs_layout_slice() when it calls this, and after every hs_balance(). A layout may
 * have any number of storages, beside arrays of every kind. A storage has no halo: the program exchanges its own.
 * `bytes` is called once for all units, for a first guess at what a move costs.
 * Cost:       a move takes 16 bytes a unit and storage more, and a message more between any two ranks.
 * @param[in]  storage  copied
 * @return HS_OK; HS_ERR_ARG (a callback is missing, or a size is below 0); HS_ERR_MISMATCH; HS_ERR_NOMEM; what the
 *         callback returned: nothing is registered on any rank */
HS_API hs_status hs_layout_add_storage(hs_layout *layout, const hs_storage *storage);

#ifdef __cplusplus
}
#endif
#endif
