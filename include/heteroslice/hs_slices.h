/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_SLICES_H
#define HETEROSLICE_HS_SLICES_H

#include <heteroslice/hs_speed.h>
#include <heteroslice/hs_status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How computation and communication of one step add up on a host. */
typedef enum hs_step_model {
    HS_STEP_SERIAL, /* compute + communication: the model of shared-ring-2003 */
    HS_STEP_OVERLAP /* max(compute, communication): halos travel while the interior is computed */
} hs_step_model;

/** Slice N equal units over hosts so that the slowest host is as fast as it can be.
 *
 * Model:      host i with count[i] > 0 takes count[i] * cycle_time[i] + comm_time[i] seconds (serial) or the larger of
 *             the two (overlap); a host with count 0 takes none. Every count is 0 or at least `minimum`.
 * Source:     the integer form of shared-ring-2003, Eq. 1, for a ring whose communication times are known; see
 *             doc/algorithms/slices.md.
 * Guarantee:  *step_time is the exact minimum over all counts, leaving hosts out included (no rounding: it is the
 *             largest of the times as computed in double precision). Among the optimal solutions: the hosts that can
 *             take the most units within the step time take part, as many as the minimum allows; their counts are
 *             levelled (the times differ by about one unit); remaining ties go to the lowest index.
 * Cost:       O(p log p + 64 p log p) time, O(p) memory.
 *
 * @param[in]  cycle_time  seconds per unit, array of length hosts, each > 0; INFINITY: the host cannot compute
 * @param[in]  comm_time   seconds per step when the host takes part, array of length hosts, each >= 0; INFINITY: it
 *                         cannot take part
 * @param[in]  hosts       p >= 1
 * @param[in]  units       N, >= 0
 * @param[in]  minimum     the least units of a host that takes part (the halo width), >= 1
 * @param[out] count       units per host, array of length hosts, sum == units; written only on HS_OK
 * @param[out] step_time   seconds; written only on HS_OK; may be NULL
 * @return HS_OK; HS_ERR_ARG; HS_ERR_INFEASIBLE (units < minimum, or no host can compute); HS_ERR_NOMEM */
HS_API hs_status hs_slices_compute(const double *cycle_time, const double *comm_time, int hosts, int64_t units,
                                   int64_t minimum, hs_step_model model, int64_t *count, double *step_time);

/** Units that hosts divide whose speed depends on the size of their slice. The size of the struct never changes: later
 * versions take new fields from `reserved`, where 0 is the default. */
typedef struct hs_slices_params {
    const hs_speed_function *function; /* [hosts] as hs_speed_check() wants them; no points: cannot compute; borrowed */
    const double *comm_time;           /* as for hs_slices_compute(); borrowed */
    int hosts;                         /* p >= 1 */
    hs_step_model model;
    double work, data;   /* work units and bytes of all units together, 1e-100 to 1e100 */
    int64_t units;       /* N, >= 1 */
    int64_t minimum;     /* the least units of a host that takes part, >= 1 */
    int64_t reserved[8]; /* all 0 */
} hs_slices_params;

/** Slice N equal units over hosts whose speed depends on the size of their slice, so that the slowest host is as fast as
 * it can be, and none has more than its largest slice.
 *
 * Model:      a slice of n units has n data / N bytes and n work / N work units; its computation takes the time that the
 *             host's speed function gives. The rest as for hs_slices_compute().
 * Source:     Lastovetsky and Reddy, "Data partitioning with a functional performance model of heterogeneous
 *             processors", IJHPCA 2007.
 * Differs:    integer slices are exact instead of rounded, communication times, limits; see doc/algorithms/slices.md.
 * Guarantee:  as for hs_slices_compute().
 * Cost:       O(64 p log N log points) time, O(p) memory.
 *
 * @param[in]  params  what to slice
 * @param[out] count, step_time  as for hs_slices_compute()
 * @return HS_OK; HS_ERR_ARG; HS_ERR_INFEASIBLE (units < minimum, no host can compute, or the largest slices do not hold
 *         all units); HS_ERR_NOMEM */
HS_API hs_status hs_slices_compute_by_size(const hs_slices_params *params, int64_t *count, double *step_time);

/** Slice N units of unequal weight over hosts in a fixed order so that the slowest host is as fast as it can be.
 *
 * Model:      host i with count[i] > 0 has the units after those of the hosts before it. With W the sum of their weights
 *             it takes W * cycle_time[i] + comm_time[i] seconds (serial) or the larger of the two (overlap).
 * Source:     Pinar and Aykanat, JPDC 2004; Pinar, Tabak and Aykanat, JPDC 2008: probes over prefix sums and exact
 *             bisection; see doc/algorithms/slices.md.
 * Guarantee:  *step_time is the exact minimum over all cuts, leaving hosts out included, in double precision, where the
 *             weight of a slice is the difference of two prefix sums. With minimum > 1, and when that optimum has a
 *             shorter slice: the minimum over cuts at multiples of `minimum`, where no slice is heavier than in the best
 *             cut by more than minimum - 1 units. Among the optimal cuts one that is level: each
 *             host in turn takes its part of what is left; the same on every machine.
 * Cost:       O(N + p log N log(N p)) time, O(N + p) memory; N = 10^7, p = 10^4: bench/slices/weighted.
 *
 * @param[in]  weight      of each unit, array of length units, each >= 0, their sum finite; all zero: units are equal
 * @param[in]  cycle_time  seconds per unit of weight, array of length hosts, each > 0; INFINITY: the host cannot compute
 * @param[in]  comm_time, hosts, units, minimum, model  as for hs_slices_compute()
 * @param[out] count       units per host, array of length hosts, sum == units; written only on HS_OK
 * @param[out] step_time   seconds; written only on HS_OK; may be NULL
 * @return HS_OK; HS_ERR_ARG; HS_ERR_INFEASIBLE (units < minimum, or no host can compute); HS_ERR_NOMEM */
HS_API hs_status hs_slices_compute_weighted(const double *weight, const double *cycle_time, const double *comm_time,
                                            int hosts, int64_t units, int64_t minimum, hs_step_model model,
                                            int64_t *count, double *step_time);

/** Check counts: each is 0 or at least `minimum`, and they add up to `units`.
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong */
HS_API hs_status hs_slices_check(const int64_t *count, int hosts, int64_t units, int64_t minimum, hs_error *error);

#ifdef __cplusplus
}
#endif
#endif
