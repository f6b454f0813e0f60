/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SESSION_POINTERS_H
#define HS_RUNTIME_SESSION_POINTERS_H

/* Where a program keeps its pointers to arrays of a layout: it may swap those of arrays alike, and change them in no other
 * way. What moves reads from where they point to. */

#include "runtime/session/context.h"

/** The pointer of one array. */
typedef struct hs__pointer {
    const void *now;   /* what the program has there */
    const void *given; /* what the library put there; NULL where this rank has nothing of the array */
    int64_t like[3];   /* arrays with the same values are alike */
} hs__pointer;

/** @param layout  the one whose array a is asked for */
typedef hs__pointer hs__pointer_of(const void *layout, size_t a);

/** Whether an array like array a, or itself, points to what it was given. Where none does when a layout ends, that memory is
 * the program's.
 * Cost:       1 where it does itself, otherwise n. */
int hs__pointers_hold(hs__pointer_of *pointer, const void *layout, size_t n, size_t a);

/** Whether every pointer that was given is still there, in the place of one array alike.
 * Cost:       n where none was swapped, otherwise n^2.
 * @param noun  what an array is called in an error text
 * @return HS_OK; HS_ERR_ARG with an error text: the program changed one */
hs_status hs__pointers_check(hs_context *context, const char *noun, hs__pointer_of *pointer, const void *layout,
                             size_t n);

#endif
