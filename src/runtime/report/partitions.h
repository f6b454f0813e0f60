/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_REPORT_PARTITIONS_H
#define HS_RUNTIME_REPORT_PARTITIONS_H

/* What partitioners were asked for and what they gave: the list that the report tells. Noting needs no messages: each rank
 * keeps its own list, and the report brings them together. */

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/** A call of a partitioner; calls of one kind with the same wishes and targets are one entry. */
typedef struct hs__partition_call {
    char call[48];    /* the function's name */
    int first, ranks; /* the rank in MPI_COMM_WORLD of the communicator's first rank, and its size; 1: a serial call */
    int parts;
    int64_t times; /* how often */
    const double *wished, *given,
        *reached; /* [parts] wished and given: shares that add up to 1; given: NULL when passed
                                               through; reached: this rank's units in each part at the last call, NULL when
                                               that is not known */
} hs__partition_call;

/** Note a call; copies what it is given. Any thread. Beyond a number of entries calls are only counted. */
void hs__partitions_note(const hs__partition_call *seen);

/** Forget all. */
void hs__partitions_free(void);

/** This rank's entries as a JSON array. */
json_t *hs__partitions_json(void);

/** Bring the lists of all ranks together: entries of one communicator become one, whose reached sizes are the sums.
 * @param lists  [ranks] what hs__partitions_json() made there; NULL: unknown
 * @return a new array */
json_t *hs__partitions_merge(json_t *const *lists, int ranks);

/** Tell them, a line each. */
void hs__partitions_print(FILE *out, const json_t *merged);

#endif
