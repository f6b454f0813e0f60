/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_BENCH_ZOLTAN_CUT_H
#define HS_BENCH_ZOLTAN_CUT_H

#include <mpi.h>
#include <stdint.h>

/* Zoltan's cut of a rectangle of units, one part a rank of MPI_COMM_WORLD. */

enum { ZOLTAN_SETTINGS = 6 };

typedef struct zoltan_cut zoltan_cut;

/** Begin with no cut.
 * @param setting  names and values of Zoltan's parameters, up to a NULL
 * @param extent   units are numbered row by row of extent[0] x extent[1]; 1 column: a line */
zoltan_cut *zoltan_cut_new(const char *const setting[ZOLTAN_SETTINGS][2], const int64_t *extent);

/** Cut for parts in proportion to the ranks' speeds. Collective.
 * @param owner  [units] who has each unit, the same on all ranks; who will have it
 * @return 0 */
int zoltan_cut_make(zoltan_cut *cut, const double *speed, int *owner);

void zoltan_cut_free(zoltan_cut *cut);

#endif
