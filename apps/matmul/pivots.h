/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_MATMUL_PIVOTS_H
#define HS_APPS_MATMUL_PIVOTS_H

/* The pivots of outer products: block column k of A, of which a rank needs the rows of its rectangle, and block row k of
 * B, of which it needs the columns. They travel while earlier ones are multiplied. */

#include <heteroslice/hs_blocks.h>

/* Number of pivots sent ahead of the one in use. With two, a rank that multiplies for long still sends in time. */
enum { PIVOTS_AHEAD = 2 };

typedef struct pivot {
    double *column, *row; /* consecutive blocks of B x B, each column-major; owned */
    MPI_Request *receive, *send;
    int receives, sends;
} pivot;

typedef struct pivots {
    hs_blocks *layout;
    MPI_Comm comm;
    int64_t blocks, size;         /* N, B */
    double *const *a, *const *b;  /* addresses of the program's pointers */
    MPI_Datatype block;           /* one block, so that no count overflows */
    pivot slot[PIVOTS_AHEAD + 1]; /* the pivot of step t is in slot t mod (PIVOTS_AHEAD + 1) */
    int64_t started;              /* number of steps whose pivots have been sent */
} pivots;

/** Begin. *a and *b point to A and B, also after a move. */
void pivots_create(pivots *p, hs_blocks *layout, MPI_Comm comm, int64_t blocks, int64_t size, double *const *a,
                   double *const *b);
void pivots_free(pivots *p);

/** Start sending the pivots of the steps up to step + PIVOTS_AHEAD. The slots of earlier steps are reused. */
void pivots_ahead(pivots *p, int64_t step);

/** Wait for the pivot of this step. Valid until pivots_ahead() of the next step. */
const pivot *pivots_wait(pivots *p, int64_t step);

/** Let MPI make progress on pending messages. */
void pivots_progress(pivots *p);

/** After a move at the end of this step: send the pivots of later steps to their new receivers. */
void pivots_again(pivots *p, int64_t step);

#endif
