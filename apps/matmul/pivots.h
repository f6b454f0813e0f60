/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_MATMUL_PIVOTS_H
#define HS_APPS_MATMUL_PIVOTS_H

/* The pivots of outer products: column k of A in blocks, of which a rank needs the rows of its rectangle, and row k of
 * B, of which it needs the columns. They travel while earlier ones are multiplied. */

#include <heteroslice/hs_blocks.h>

/* Pivots under way beside the one in use. Two let a rank that multiplies for long still send in time. */
enum { PIVOTS_AHEAD = 2 };

typedef struct pivot {
    double *column, *row; /* blocks of B x B one behind the other, each column by column; owned */
    MPI_Request *receive, *send;
    int receives, sends;
} pivot;

typedef struct pivots {
    hs_blocks *layout;
    MPI_Comm comm;
    int64_t blocks, size;         /* N, B */
    double *const *a, *const *b;  /* where the program keeps its pointers */
    MPI_Datatype block;           /* counts of blocks, so that none overflows */
    pivot slot[PIVOTS_AHEAD + 1]; /* that of step t in slot t mod (PIVOTS_AHEAD + 1) */
    int64_t started;              /* steps whose pivots have been sent on their way */
} pivots;

/** Begin: A and B are where *a and *b point, now and after every move. */
void pivots_create(pivots *p, hs_blocks *layout, MPI_Comm comm, int64_t blocks, int64_t size, double *const *a,
                   double *const *b);
void pivots_free(pivots *p);

/** Send the pivots of the steps up to step + PIVOTS_AHEAD on their way. The slots of earlier steps are reused. */
void pivots_ahead(pivots *p, int64_t step);

/** Wait until the pivot of this step has arrived; lent until pivots_ahead() of the next step. */
const pivot *pivots_wait(pivots *p, int64_t step);

/** Let what is under way proceed: MPI sends only while it is called. */
void pivots_progress(pivots *p);

/** The rectangles have moved at the end of this step: the pivots of later steps go to whom they belong now. */
void pivots_again(pivots *p, int64_t step);

#endif
