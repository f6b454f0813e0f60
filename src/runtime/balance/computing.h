/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BALANCE_COMPUTING_H
#define HS_RUNTIME_BALANCE_COMPUTING_H

/* How long a rank computes in a phase: what its thread does outside of MPI and of this library, or, when the program says
 * so itself, what lies in its brackets. */

#include <stdint.h>

/** Times in nanoseconds. */
typedef struct hs__computing {
    int64_t begun_ns;      /* computing time of the thread when the phase began */
    int64_t thread;        /* with which it began */
    int turns;             /* another thread has ended an iteration of it */
    int bracketed;         /* the program says when it computes */
    int64_t bracket_begun; /* 0: it does not compute now */
    int64_t bracket_ns;
} hs__computing;

/** A phase begins, with the calling thread. */
void hs__computing_restart(hs__computing *computing);

/** The calling thread has ended an iteration. */
void hs__computing_step(hs__computing *computing);

/** @return seconds since the phase began; NAN: not known, as threads take turns: one computes while another waits */
double hs__computing_seconds(const hs__computing *computing);

/** The program computes from here on, and no longer. */
void hs__computing_bracket(hs__computing *computing);
void hs__computing_unbracket(hs__computing *computing);

#endif
