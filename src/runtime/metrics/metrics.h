/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_METRICS_H
#define HS_RUNTIME_METRICS_H

/* What a program does while it runs (HS_METRICS), for the textfile collector of Prometheus's node_exporter.
 *
 * Every rank writes its numbers on a board in memory that the ranks of the node share, once a second, at a call in which
 * it waits for others anyway. At such a call the node's first rank also writes the board into the file. No rank waits
 * for another, no thread is started, and nothing goes over the network. */

#include <mpi.h>
#include <stdint.h>

/** When to call hs__metrics_step(): at hs__ticks() or later; INT64_MAX while nothing is written. */
extern int64_t hs__metrics_due;

/** Begin, with the path in HS_METRICS; collective over comm. The calling thread is the one that is watched (monitor.h). Where the
 * file cannot be written, one line on stderr says so, and it is tried again whenever it is due. */
void hs__metrics_start(MPI_Comm comm);

/** Write this rank's numbers on the board, and the board into the file. By the thread that started. */
void hs__metrics_step(void);

/** Remove the file; collective over the ranks of the node. Without a start it does nothing. */
void hs__metrics_stop(void);

#endif
