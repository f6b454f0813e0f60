/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_REPORT_PARTITIONS_H
#define HS_RUNTIME_REPORT_PARTITIONS_H

/* What partitioners were asked for and what they gave: the list that the report tells. Noting needs no messages: each rank
 * keeps its own list, and the report brings them together. */

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/** A call of a partitioner; calls of one kind, from one place, with the same wishes and targets are one entry. */
typedef struct hs__partition_call {
    char call[48];     /* the function's name */
    char caller[64];   /* the program or library that called it, without folders; empty: not known */
    int first, ranks;  /* the rank in MPI_COMM_WORLD of the communicator's first rank, and its size; 1: a serial call */
    int parts;         /* their number */
    int64_t times;     /* how often */
    int64_t edges_cut; /* between parts at the last call, by the edges' weights; -1: not known */
    const double *wished;  /* [parts] shares that add up to 1 */
    const double *given;   /* [parts] likewise; NULL when the call passed through */
    const double *speed;   /* [parts] of the owners, in any unit, at the last call */
    const double *reached; /* [parts] this rank's units in each part at the last call; NULL when that is not known */
} hs__partition_call;

/** Note a call; copies what it is given. Any thread. Beyond a number of entries calls are only counted. */
void hs__partitions_note(const hs__partition_call *seen);

/** The program itself defines this function of a partitioner, so its calls are not seen. name: a constant. */
void hs__partitions_note_linked(const char *name);

/** Forget all. */
void hs__partitions_free(void);

/** This rank's entries as a JSON array. */
json_t *hs__partitions_json(void);

/** The names that hs__partitions_note_linked() was told on this rank, as a JSON array. */
json_t *hs__partitions_linked_json(void);

/** Bring the lists of all ranks together: entries of one communicator become one, whose reached sizes are the sums. Each
 * gets its "gain": how much shorter a step is by the owners' speeds than with the parts that were asked for.
 * @param lists  [ranks] what hs__partitions_json() made there; NULL: unknown
 * @return a new array */
json_t *hs__partitions_merge(json_t *const *lists, int ranks);

/** Tell them, a line each, how many calls of this rank were only counted, and its functions whose calls are not seen. */
void hs__partitions_print(FILE *out, const json_t *merged);

#endif
