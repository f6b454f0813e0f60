/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BALANCE_IDLE_H
#define HS_RUNTIME_BALANCE_IDLE_H

/* A rank without units has no cycle time to report. It computes a little on its own, a small part of the phase, and
 * compares that with the first time: so a host that was left out because it was slow is seen to recover. */

#include "runtime/probe/kernels.h"

typedef struct hs__idle {
    hs__kernel *kernel; /* NULL until it is needed; owned */
    double speed;       /* at first */
    double ratio;       /* first over present speed; 0: not known yet */
} hs__idle;

/** Measure, in a phase of so many seconds. Without memory nothing is known. */
void hs__idle_measure(hs__idle *idle, double phase_seconds);

/** The rank has units. Should it be left out again, it starts from its speed then. */
void hs__idle_forget(hs__idle *idle);

void hs__idle_end(hs__idle *idle);

#endif
