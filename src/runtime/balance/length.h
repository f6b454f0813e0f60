/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BALANCE_LENGTH_H
#define HS_RUNTIME_BALANCE_LENGTH_H

/* How long phases are: long enough that measuring and deciding take a small share of the run, short enough that a drift is
 * seen in time. From numbers that are the same on all ranks, so all ranks come to the same. */

#include <stdint.h>

typedef struct hs__phase_length {
    double overhead_s; /* what measuring and deciding cost a phase, smoothed; 0: not known yet */
    double seconds;    /* that phases aim at; 0 before the first one */
    int calibrating;   /* the present phase only shows how long one should be */
} hs__phase_length;

/** @param[in] step        seconds of an iteration
 * @param[in] overhead    seconds that the last phase cost
 * @param[in] iterations  that it had
 * @param[in] hurries     a drift is suspected, and the next phase only confirms it
 * @return iterations of the next phase, >= 1 */
int64_t hs__phase_length_next(hs__phase_length *length, double step, double overhead, int64_t iterations, int hurries);

#endif
