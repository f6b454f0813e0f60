/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_RING_H
#define HETEROSLICE_HS_RING_H

/* Rings on networks with shared links: which hosts take part, in which order, over which paths, with which bandwidths
 * and shares, so that one step of an iterative computation is as short as possible (shared-ring-2003). */

#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_slices.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A plan; freed with hs_ring_free(). */
typedef struct hs_ring hs_ring;

typedef enum hs_ring_routes {
    HS_RING_ROUTES_FIXED, /* messages follow the platform's routes, as IP does */
    HS_RING_ROUTES_FREE   /* any path of the graph: widest paths in what the other messages leave */
} hs_ring_routes;

typedef enum hs_ring_share {
    HS_RING_SHARE_GREEDY,  /* the paper's 4.2: each insertion shares what is left among its four paths, for good */
    HS_RING_SHARE_MAXMIN,  /* max-min fairness: what a network without reservations does */
    HS_RING_SHARE_OPTIMAL, /* the bandwidths that minimise the step time, exactly */
    HS_RING_SHARE_KINSOL   /* the same optimality system solved by KINSOL, as the paper does */
} hs_ring_share;

typedef enum hs_ring_search {
    HS_RING_SEARCH_PAPER, /* the greedy construction of 4.1, by Eq. 4 and by the true step time, the better of the two
                           */
    HS_RING_SEARCH_BEST   /* that, then local search on the true step time; never worse than PAPER */
} hs_ring_search;

typedef enum hs_ring_latency {
    HS_RING_LATENCY_IGNORED, /* a message of H bytes takes H / bandwidth, as in the paper */
    HS_RING_LATENCY_ADDED    /* plus the latencies of its path (2.3, affine costs) */
} hs_ring_latency;

/** What to plan for. Start from hs_ring_params_init(). The size of the struct never changes: later versions take new
 * fields from `reserved`, where 0 is the default. */
typedef struct hs_ring_params {
    double work;         /* W, work units per step, >= 0 */
    double halo;         /* H, bytes to each neighbour per step, >= 0 */
    const double *speed; /* work units/s of each host, >= 0 and finite, 0: takes no work; borrowed during the call;
                            NULL: the platform's speed times cores */
    hs_ring_routes routes;
    hs_ring_share share;
    hs_ring_search search;
    hs_step_model model; /* serial: compute + communication; overlap: the larger of the two */
    hs_ring_latency latency;
    int64_t units;   /* N > 0: cut into integer slices; 0: shares are real numbers */
    int64_t minimum; /* least units of a member, >= 1 */
    int64_t budget;  /* most rings the search evaluates; 0: until no move improves, within a default by size */
    double data;     /* D, bytes of all slices together, 1e-100 to 1e100: a host's speed is that of its speed function
                            at share D, and its slice at most its largest one; 0: functions and limits are not used */
    int64_t reserved[7]; /* all 0 */
} hs_ring_params;

/** Defaults: fixed routes, max-min, best, serial, no latency, units 0, minimum 1, budget 0; work and halo 0. */
HS_API void hs_ring_params_init(hs_ring_params *params);

/** A path from one member to a neighbour. */
typedef struct hs_ring_path {
    int from, to;     /* host indices */
    const int *links; /* crossed in this order; borrowed from the plan */
    size_t count;
    double bandwidth; /* bytes/s that the sharing gives it; INFINITY when count is 0 */
    double latency;   /* seconds, sum over the links */
} hs_ring_path;

/** Plan a ring.
 *
 * Model:      T = max over the members of share_i W / speed_i + D_i, D_i = H / x_succ + H / x_pred (+ latencies), with
 *             the shares >= 0 that minimise it: T = max(Eq. 4, max D_i). Members whose D_i reaches T get share 0 and
 *             relay; with units > 0 there are none.
 *             With data > 0 the time of share_i W is that of the host's speed function for a slice of share_i D bytes.
 * Source:     shared-ring-2003, sections 2 and 4; see doc/algorithms/ring.md for what differs.
 * Guarantee:  heuristic; step_time is the exact value of the ring returned, lower_bound holds for every ring, route and
 *             sharing. Deterministic, and the same ring whatever units and whatever order of hosts, routers, links and
 *             routes the platform has. Ties go to the faster host, then by its place in the graph, then to the lower
 *             id.
 *
 * @param[out] ring   on HS_OK a new plan; it does not refer to the platform or the parameters
 * @param[out] error  on failure one line; may be NULL
 * @return HS_OK; HS_ERR_ARG; HS_ERR_INFEASIBLE (no host can compute, units < minimum, the largest slices do not hold the
 *         data); HS_ERR_UNSUPPORTED (free routes
 *         on a platform that gives routes only; KINSOL in a build without it); HS_ERR_CONVERGENCE; HS_ERR_NOMEM */
HS_API hs_status hs_ring_create(const hs_platform *platform, const hs_ring_params *params, hs_ring **ring,
                                hs_error *error);

/** The plan for a given ring: order[0 .. n-1] are distinct host indices, n >= 1. Nothing is searched, so step_time is
 * what this order costs; hosts of speed 0 only relay. lower_bound and by_size (one size) are filled too.
 * @return as hs_ring_create(); HS_ERR_UNREACHABLE when neighbours have no route */
HS_API hs_status hs_ring_create_given(const hs_platform *platform, const hs_ring_params *params, const int *order,
                                      int n, hs_ring **ring, hs_error *error);

/** Free a plan; NULL is fine. */
HS_API void hs_ring_free(hs_ring *ring);

/** Check a plan against the platform and the parameters it was made with: every host is in it once, the shares add up
 * to 1, the paths are routes (or walks along the graph), no link carries more than it can, and the step time is that of
 * the slowest member.
 *
 * @param[out] error  on HS_ERR_INTERNAL what is wrong; may be NULL
 * @return HS_OK; HS_ERR_INTERNAL; HS_ERR_NOMEM */
HS_API hs_status hs_ring_check(const hs_platform *platform, const hs_ring_params *params, const hs_ring *ring,
                               hs_error *error);

/** Play steps of a plan: what a network that shares its links max-min fairly makes of it.
 *
 * Model:      as in hs_ring_create(), but a message shares the links of its path only from when it is sent and its
 *             receiver is in the same step until it has arrived. HS_STEP_SERIAL: a member computes, sends to the next
 *             one, then to the one before, and waits for both messages of its neighbours; HS_STEP_OVERLAP: it sends
 *             both at once and computes meanwhile. The bandwidths of the plan are not used.
 * Guarantee:  the fluid model of SimGrid without latencies, to rounding. Deterministic.
 * Cost:       O(steps * messages * the platform's links).
 *
 * @param[in]  params  halo, model and latency are used; the plan's own, or others
 * @param[in]  steps   >= 1; the first ones are slower or faster than those that follow
 * @param[out] step_time  seconds of all steps / steps; written only on HS_OK
 * @return HS_OK; HS_ERR_ARG; HS_ERR_NOMEM */
HS_API hs_status hs_ring_simulate(const hs_platform *platform, const hs_ring_params *params, const hs_ring *ring,
                                  int64_t steps, double *step_time);

/* ---- Accessors. Positions k are 0 .. size-1 in ring order ---- */

/** What a plan says of its hosts, 0 <= k < hs_ring_size(). */
HS_API int hs_ring_size(const hs_ring *ring);
HS_API int hs_ring_host(const hs_ring *ring, int k);            /* host index */
HS_API double hs_ring_share_of(const hs_ring *ring, int k);     /* adds up to 1 */
HS_API int64_t hs_ring_units(const hs_ring *ring, int k);       /* adds up to params.units */
HS_API double hs_ring_compute_time(const hs_ring *ring, int k); /* seconds per step */
HS_API double hs_ring_comm_time(const hs_ring *ring, int k);    /* D_k, seconds per step */

/** Path 2k leads from position k to k+1, path 2k+1 from k+1 to k (positions modulo size); 2 size paths, none when size
 * is 1. Borrowed until the plan is freed. */
HS_API int hs_ring_paths(const hs_ring *ring);
HS_API const hs_ring_path *hs_ring_path_at(const hs_ring *ring, int index);

/** The time of a step, and what it cannot be below. */
HS_API double hs_ring_step_time(const hs_ring *ring);   /* seconds */
HS_API double hs_ring_lower_bound(const hs_ring *ring); /* seconds: no ring on this platform is faster */

/** The best step time met for rings of q hosts, 1 <= q <= hosts (real shares), within some 1e-12; INFINITY when
 * none was met. */
HS_API double hs_ring_by_size(const hs_ring *ring, int q);

/** Rings evaluated while planning. */
HS_API int64_t hs_ring_evaluations(const hs_ring *ring);

#ifdef __cplusplus
}
#endif
#endif
