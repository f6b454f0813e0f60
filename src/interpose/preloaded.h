/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PRELOADED_H
#define HS_INTERPOSE_PRELOADED_H

/** There in the library that is preloaded: programs that link the other one say themselves what they want told. */
extern const char hs__preloaded __attribute__((weak, visibility("hidden")));

/** Before MPI_Init, in the library that is preloaded: a program that loads its MPI library late may have loaded another one than
 * this library's, unseen where hs__brought() does not look. Then what initialises MPI fails, since half of the calls would go to
 * either. */
void hs__preloaded_check(void) __attribute__((weak, visibility("hidden")));

#endif
