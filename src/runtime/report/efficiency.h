/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_REPORT_EFFICIENCY_H
#define HS_RUNTIME_REPORT_EFFICIENCY_H

/** Where the time of a run went, by the POP model: parallel efficiency = load balance x communication efficiency. */
typedef struct hs__efficiency {
    double run;           /* seconds of the longest rank */
    double mean, longest; /* seconds computed: mean and largest */
    double load_balance;  /* mean / longest; 1 when nothing was computed */
    double communication; /* longest / run */
    double parallel;      /* mean / run */
    double lost;          /* (longest - mean) / run: the part of the run time lost to imbalance */
    double balanced;      /* seconds a run would take in which all computed equally long */
} hs__efficiency;

/** Work out the numbers.
 *
 * In a balanced run every rank has the share of its speed: the same work then takes sum(compute speed) / sum(speed),
 * and the time beside the longest computation stays as it was. Ranks of unknown speed (0, or NULL) count as equally
 * fast.
 * @param[in] compute, run  seconds per rank, n >= 1 of each */
void hs__efficiency_compute(const double *compute, const double *run, const double *speed, int n, hs__efficiency *out);

#endif
