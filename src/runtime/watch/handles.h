/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_HANDLES_H
#define HS_RUNTIME_WATCH_HANDLES_H

/* What is kept of MPI's handles: a hash table with open addressing. Any thread may find while another one changes the
 * table, without a lock; the caller lets one thread at a time change it. */

#include <stddef.h>
#include <stdint.h>

/** One entry. */
typedef struct hs__handle {
    uintptr_t handle; /* of MPI, as an integer; none is 0 or 1 */
    void *kept;       /* not owned */
    int64_t bytes;
} hs__handle;

typedef struct hs__handle_slots hs__handle_slots; /* of handles.c */

/** All zero is an empty table. */
typedef struct hs__handles {
    hs__handle_slots *slots; /* owned, with the smaller ones that it has outgrown: somebody may be reading them */
} hs__handles;

/** The entry of a handle; NULL when there is none.
 * Cost:       O(1). */
const hs__handle *hs__handles_find(const hs__handles *table, uintptr_t handle);

/** Add an entry, or change that of the same handle.
 * @return 0, or -1 when memory is out: the table is then as before */
int hs__handles_put(hs__handles *table, const hs__handle *entry);

/** Remove the entry of a handle, if there is one. No thread may be looking for that handle. */
void hs__handles_remove(hs__handles *table, uintptr_t handle);

/** Remove all. No thread may be reading. */
void hs__handles_free(hs__handles *table);

#endif
