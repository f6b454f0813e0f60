/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_MOVES_H
#define HS_RUNTIME_WATCH_MOVES_H

/* What was decided of this process's layouts, and moved: counted, and on the timeline. Any thread. */

#include <stdint.h>

typedef struct hs__moves {
    int64_t count, ns; /* of moves */
    int64_t decisions;
} hs__moves;

/** A decision, by the rank that tells of it: seconds a step, at present and with the best layout. */
void hs__moves_considered(double now, double best);

/** A move ended now that began at `begun` ticks, and took ns here. */
void hs__moves_add(int64_t begun, int64_t ns);

/** All up to now. */
hs__moves hs__moves_made(void);

#endif
