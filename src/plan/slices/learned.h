/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_SLICES_LEARNED_H
#define HS_PLAN_SLICES_LEARNED_H

/* Weights of a slice's units from times of some of them. Pure: no clock, no MPI.
 *
 * Model. A unit of weight w takes w / s seconds on a host of speed s, so the times of one rank tell the ratios of its own
 * units' weights, and nothing about other ranks'. The scale between ranks comes from outside: the first time from the platform's
 * speeds (hs__learned_loads()), afterwards from the rank itself, which keeps its scale, weight per second. Units that have
 * moved are weighed by the scale of their new rank.
 *
 * Told apart. When the times of more than half of a slice's units have changed by the same factor, it is the host that
 * changed: the scale follows, and weights stay. Otherwise what takes longer is heavier. A slice of which all units grow
 * alike looks like a slower host: times alone cannot tell. Instructions can, where they are counted: units that are heavier
 * take more of them, and a slower host does fewer a second.
 *
 * Noise. Times are kept in two halves, of every other iteration. What is new counts when it exceeds what the halves
 * differ by. Only sums of weights matter to cuts, so both are the largest difference of sums from the slice's first unit on. */

#include "util/pool.h"
#include <heteroslice/hs_status.h>
#include <stdint.h>

/* What is new has to misplace this part of a slice's work, and so many times what may be noise. */
#define HS__LEARNED_LEAST 0.03
#define HS__LEARNED_NOISE 2.0

/** Times of units of a slice. All zero: of no units. */
typedef struct hs__unit_times {
    int64_t units;
    double *seconds[2];             /* [units + 1] sums of seconds a unit, each less that of the unit before it */
    double *samples[2];             /* [units + 1] numbers of times in them, likewise */
    double *scratch[3];             /* [units] seconds of each unit, by each half and by both */
    hs__pool pool;                  /* of them all; owned */
    double taken[2];                /* samples */
    double counted_s, instructions; /* seconds of the times that were counted, and their instructions */
    double scale;                   /* weight per second; 0: not known */
    double rate;                    /* instructions per second when that was found; 0: not known */
} hs__unit_times;

/** Times of so many units, none taken so far; keeps scale and rate. @return HS_OK; HS_ERR_NOMEM: they are of no units */
hs_status hs__unit_times_start(hs__unit_times *times, int64_t units);

/** Free the times, which are of no units then; keeps scale and rate. */
void hs__unit_times_end(hs__unit_times *times);

/** Units first .. first + count - 1 of the slice took so many seconds together.
 * Cost:       O(1).
 * @param[in] half  0 or 1: of an even or an odd iteration */
void hs__unit_times_add(hs__unit_times *times, int half, int64_t first, int64_t count, double seconds);

/** So many seconds of what was taken took so many instructions. */
void hs__unit_times_count(hs__unit_times *times, double seconds, double instructions);

/** Whether both halves have times: enough to tell news from noise. */
int hs__unit_times_suffice(const hs__unit_times *times);

/** Let what was taken so far count a quarter. */
void hs__unit_times_fade(hs__unit_times *times);

/** The part of the slice's work that the weights misplace by what the times say; 0 when that may be noise, or too few
 * times were taken. Where weights explain the times the scale is kept.
 * Cost:       O(units).
 * @param[in] weight  [units] present weights; NULL: all alike */
double hs__learned_news(hs__unit_times *times, const double *weight);

/** What the units weigh by the times. A unit that was never timed is to its weight as those beside it, or where there is
 * none on one side as all that were, and a weight of 0 stays. Without any scale the sum stays as it is. Keeps the scale.
 * @param[in,out] weight  [units] present weights; as they were when nothing was timed, or nothing took any time */
void hs__learned_weights(hs__unit_times *times, double *weight);

/** What slices weigh together when hosts are as fast as the platform says: seconds of a step times speed. Of ranks without
 * a measured cycle time, as those of the others in the mean. Together they weigh as many as there are units.
 * @param[in]  units  of each rank
 * @param[in]  cycle  seconds a unit as measured, [ranks]; 0: not known
 * @param[in]  first  seconds a unit by the platform, [ranks], > 0; INFINITY: takes no units
 * @param[out] load   [ranks]; 0 without units */
void hs__learned_loads(int ranks, const int64_t *units, const double *cycle, const double *first, double *load);

#endif
