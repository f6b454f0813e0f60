/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_ZOLTAN_OBJECTS_H
#define HS_INTERPOSE_PARTITION_ZOLTAN_OBJECTS_H

/* What is known of each Zoltan_Struct of the process. Any thread; functions do nothing with one that is not known, or NULL. */

#include <mpi.h>

/** The program's answer to how many objects this rank has. */
typedef int hs__zoltan_number(void *data, int *error);

typedef struct hs__zoltan_object {
    const void *zoltan; /* NULL: free */
    MPI_Comm comm;      /* of the same ranks as Zoltan's own; owned. MPI_COMM_NULL: these ranks pass through */
    int own_parts;      /* the program has set sizes, or a number of parts */
    int weights;        /* of each object; 0: each counts one */
    hs__zoltan_number *number;
    void *data; /* that number() gets */
} hs__zoltan_object;

/** A new one, without a communicator. @return whether there was memory for it */
int hs__zoltan_remember(const void *zoltan);

/** @return its communicator, which the caller frees, or MPI_COMM_NULL */
MPI_Comm hs__zoltan_forget(const void *zoltan);

/** @return a copy; its zoltan is NULL where it is not known */
hs__zoltan_object hs__zoltan_get(const void *zoltan);

/** All but the communicator, which is each one's own; of one that is not known only the program knows. */
void hs__zoltan_copy(const void *to, const void *from);

void hs__zoltan_set_comm(const void *zoltan, MPI_Comm comm);
void hs__zoltan_leave_to_program(const void *zoltan);
void hs__zoltan_set_weights(const void *zoltan, int weights);
void hs__zoltan_set_number(const void *zoltan, hs__zoltan_number *number, void *data);

#endif
