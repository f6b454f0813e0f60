/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_MOVES_H
#define HS_RUNTIME_WATCH_MOVES_H

/* The moves of this process's layouts, by which they are balanced. Any thread. */

#include <stdint.h>

typedef struct hs__moves {
    int64_t count, ns;
} hs__moves;

/** A move ended that took so long here. */
void hs__moves_add(int64_t ns);

/** All up to now. */
hs__moves hs__moves_made(void);

#endif
