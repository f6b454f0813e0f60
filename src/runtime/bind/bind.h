/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BIND_BIND_H
#define HS_RUNTIME_BIND_BIND_H

/* Ranks of a node are bound to other cores while the program runs (HS_BIND=on): the heaviest to the best.
 *
 * Every rank measures how much it computes (load.h), at calls in which it waits for others anyway, and writes it on a
 * board in memory that the ranks of the node share. The node's first rank reads the board, decides by the rule of
 * decide.h, and writes there who goes where; the others follow at their next such call. No rank waits for another. */

#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stdint.h>

typedef struct hs__binding hs__binding; /* of bind.c */

/** The binding of this process. */
typedef struct hs__bind_state {
    int64_t due; /* when to call hs__binding_step(): at hs__ticks() or later; INT64_MAX while nothing is bound */
    hs__binding *binding; /* NULL: never started */
} hs__bind_state;

extern hs__bind_state hs__bind;

/** Begin to watch and bind the ranks of each node; collective over comm. The calling thread is the one that is watched
 * (monitor.h). Where this cannot be done, one rank says why on stderr, and nothing is bound. */
void hs__binding_start(MPI_Comm comm);

/** Take a reading, decide, follow, as far as it is time for any of them. Calls of other threads than the one that
 * started do nothing. */
void hs__binding_step(void);

/** Bind this process as it was before; collective over the ranks of the node. */
void hs__binding_stop(void);

/** Where this rank was bound last, as the kernel numbers processors ("0,2-3"), and how often it was bound anew. Also
 * after the stop. @return NULL when it was never started */
const char *hs__binding_cpus(int *changes);

#endif
