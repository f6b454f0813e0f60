/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_TARGETS_H
#define HS_INTERPOSE_PARTITION_TARGETS_H

/* Which targets a call of a partitioner gets. */

#include "interpose/partition/lookup.h"
#include "interpose/partition/owners.h"
#include "util/pool.h"
#include <mpi.h>
#include <stdint.h>

/** One call of a partitioner. */
typedef struct hs__partitioning {
    hs__pool pool;      /* of the arrays */
    hs__call_site site; /* site.call NULL: there is nothing to note */
    int parts, first, ranks;
    int64_t edges_cut;      /* -1 until the caller knows better */
    int *world;             /* [parts] the owners, in hs__world.comm */
    double *wished;         /* [parts] shares, adding up to 1 */
    double *speed;          /* [parts] of the owners */
    double *given;          /* [parts] as wished; NULL: the call passes through as it came */
    hs__measured *measured; /* a phase of these ranks begins when the call has ended; NULL: none */
    int equal;              /* parts of one size are wished */
} hs__partitioning;

/** Whether calls are to be changed at all: MPI is at work and HS_PARTITION is not off. */
int hs__partition_acts(void);

/** Decide on a call's targets. Local.
 *
 * Equal wishes become shares by the speeds of the owners; unequal ones are multiplied by speeds with HS_PARTITION=scale.
 * Nothing changes where the speeds differ by less than 3 %, in calls inside a changed call of this thread, and where it is
 * not known who owns the parts, which is told in a line.
 * @param owners  NULL: a serial call; part p is then rank p's where there are as many parts as ranks
 * @param wish    [parts] in any unit; NULL: equal parts
 * @return whether this->given is there. hs__partitioning_end() follows in any case. */
int hs__partitioning_begin(hs__partitioning *this, hs__call_site site, const hs__owners *owners, int64_t parts,
                           const double *wish);

/** The same with equal parts of a communicator's ranks, whose speeds are those of the start: calls whose answers must
 * fit those of earlier ones. */
int hs__partitioning_begin_comm(hs__partitioning *this, hs__call_site site, MPI_Comm comm, int64_t parts);

/** The same with wishes, for calls that move units: where equal parts are wished, the speeds are those that phases have
 * shown. Collective over comm; hs__owners_agree() is to follow once all that needs memory is done, since a call is
 * changed on all ranks or on none. */
int hs__repartitioning_begin(hs__partitioning *this, hs__call_site site, MPI_Comm comm, int64_t parts,
                             const double *wish);

/** Note what was reached (see hs__partition_call; NULL: not known). */
void hs__partitioning_note(const hs__partitioning *this, const double *reached);

/** The same, and free the arrays. */
void hs__partitioning_end(hs__partitioning *this, const double *reached);

/** Divide n units by shares. @param[out] count  [parts] adds up to n; written only on HS_OK
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_INFEASIBLE: no share is above 0 */
hs_status hs__partition_counts(const double *share, int parts, int64_t n, int64_t *count);

/** Tell once in a process why calls of a function pass through. */
void hs__partition_pass(const char *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The calling thread enters or leaves a call that it changed: calls inside pass through. */
void hs__partition_enter(void);
void hs__partition_leave(void);

#endif
