/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_PROBE_H
#define HETEROSLICE_HS_PROBE_H

/* Measuring what the hosts and the network of a running MPI program really do.
 *
 * Ranks with the same host name are one host. Hosts are numbered by their lowest rank, which measures the links. */

#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the speed of a host is measured with. Work units are flop. */
typedef enum hs_probe_kernel {
    HS_PROBE_STENCIL, /* 5-point Jacobi sweep in double precision on a grid that fits the cache: 4 flop a point */
    HS_PROBE_DGEMM,   /* 64 x 64 matrix products on one thread: 2 n^3 flop; needs a build with BLAS */
    HS_PROBE_STREAM,  /* a = b + s c over 12 MB a rank: 2 flop and 24 bytes an element */
    HS_PROBE_KERNELS  /* how many there are */
} hs_probe_kernel;

/** Return "stencil", "dgemm" or "stream"; NULL for any other value. */
HS_API const char *hs_probe_kernel_name(hs_probe_kernel kernel);

/** What to measure. Start from hs_probe_params_init(). The size of the struct never changes: later versions take new
 * fields from `reserved`, where 0 is the default. */
typedef struct hs_probe_params {
    double budget;          /* seconds the whole measurement should end in, >= 0; default: HS_PROBE_BUDGET, else 2.
                               Rank 0's counts. Below about 0.5 s the readings are rough. */
    hs_probe_kernel kernel; /* the one whose speed the platform gets; default stencil. Rank 0's counts. */
    int every_kernel;       /* not 0 (default): measure all kernels of this build; 0: only `kernel`. Rank 0's counts. */
    const char *host_name;  /* this rank's host; NULL (default): ask the operating system. Borrowed. */
    double timeout;         /* seconds to wait for a rank that is missing, >= 0; 0: HS_TIMEOUT (default), else 60 */
    int64_t reserved[7];    /* all 0 */
} hs_probe_params;

/** Set the defaults, reading HS_PROBE_BUDGET and HS_TIMEOUT. */
HS_API void hs_probe_params_init(hs_probe_params *params);

/** What is known of a host. Counts that this machine or build cannot tell are 0. */
typedef struct hs_probe_host {
    const char *name;                   /* owned by the result */
    int ranks;                          /* ranks that run there: the cores the platform gives it */
    int first_rank;                     /* the lowest of them */
    double speed[HS_PROBE_KERNELS];     /* flop/s of one rank by the wall clock, while all ranks of all hosts compute;
                                           0 when not measured */
    double cpu_speed[HS_PROBE_KERNELS]; /* flop/s by the thread's own CPU time: what one rank would do undisturbed */
    double instruction_rate;            /* PAPI_TOT_INS per second of CPU time in `kernel`, mean of the ranks */
    double cycle_rate;                  /* PAPI_TOT_CYC likewise */
    int cores, cpus;                    /* physical cores; hardware threads */
    int cpu_kinds;                      /* kinds of cores, such as fast and frugal ones */
    int bound_cpus;                     /* hardware threads the first rank may run on */
    int64_t cache[3];                   /* bytes of one L1 data, L2 and L3 cache */
    int64_t memory;                     /* bytes */
} hs_probe_host;

/** How the bandwidth of a pair of hosts came about, from best to worst. */
typedef enum hs_probe_source {
    HS_PROBE_ALONE,     /* measured while no other pair of hosts sent anything */
    HS_PROBE_TOGETHER,  /* measured along with other pairs, and nothing hints that they slowed it */
    HS_PROBE_INFERRED,  /* the narrowest of the links found on its way; or, of a pair that others slowed, computed from
                           their sum, as pairs measured alone confirmed it (model below) */
    HS_PROBE_CONTENDED, /* others probably slowed it and time was up, or nothing filled the link: a lower bound */
    HS_PROBE_ESTIMATED  /* not measured: as what its two hosts did with others, or as other hosts */
} hs_probe_source;

/** Return "alone", "together", "inferred", "contended" or "estimated"; NULL for any other value. */
HS_API const char *hs_probe_source_name(hs_probe_source source);

typedef struct hs_probe_link {
    double bandwidth;       /* bytes/s one program can push to the other, the slower way when links were found */
    double latency;         /* seconds one way, half the median round trip of 8 bytes */
    int readings;           /* of the bandwidth, or rounds that filled its link; 0 when estimated */
    hs_probe_source source; /* of the bandwidth */
} hs_probe_link;

typedef struct hs_probe_result hs_probe_result;

/** Measure the speed of every host and the bandwidth and latency between every two; how: doc/algorithms/probe.md.
 *
 * Model:      the network is a tree of links, each with a bandwidth for each direction, or one that both share, or one
 *             for each flow. Of fewer than four hosts, or when no tree explains the readings: one-way bandwidth
 *             between two hosts, one rank each; readings in both directions are pooled, so a link that is slower one
 *             way than the other gets a value between. Speeds are those of one rank while all compute.
 * Method:     speed: flop per CPU second in the fastest hundredth of many small batches, times the part of a processor
 *             that the rank gets, as the slope of CPU time over wall-clock time. By size: the same kernel with 4, 1/2, 2
 *             and 1 times as much data as a rank's part of the largest caches, as far as a twentieth of the budget goes.
 *             Links: rounds of flows at the same time, at most 6 n log2 n flows, each round chosen to tell what the
 *             readings so far leave open. Pairs: rounds of disjoint pairs; readings that other pairs of the round may
 *             have lowered are taken again alone, the most doubtful first. It ends when nothing more is worth a round,
 *             or the budget is spent.
 * Guarantee:  the result is identical on all ranks. One reading of each speed and one round of pairs are made whatever
 *             the budget; what was not measured is estimated and says so.
 * Scope:      collective over comm (same status on all ranks), on a duplicate; no wrapped MPI function is called, and
 *             ranks that wait sleep.
 * Memory:     12 MB a rank for the stream kernel, 8 MB a host for the links; for a moment at most four times the
 *             largest caches of a host, and half of its unused memory.
 *
 * @param[in]  comm    an intracommunicator
 * @param[in]  params  NULL: the defaults
 * @param[out] result  on HS_OK a new object, freed with hs_probe_result_free()
 * @param[out] error   may be NULL; the same text on all ranks
 * @return HS_OK; HS_ERR_ARG; HS_ERR_STATE (MPI is not initialised); HS_ERR_UNSUPPORTED (kernel dgemm without BLAS);
 *         HS_ERR_NOMEM; HS_ERR_MPI; HS_ERR_TIMEOUT: a rank did not arrive, which another one has printed; some memory is left to
 *         MPI then */
HS_API hs_status hs_probe_run(MPI_Comm comm, const hs_probe_params *params, hs_probe_result **result, hs_error *error);

/** Free what was measured; NULL is fine. */
HS_API void hs_probe_result_free(hs_probe_result *result);

/** How many hosts the ranks were on, and how many ranks there were. */
HS_API int hs_probe_hosts(const hs_probe_result *result);
HS_API int hs_probe_ranks(const hs_probe_result *result);

/** The host of a rank of comm, 0 <= rank < hs_probe_ranks(). */
HS_API int hs_probe_host_of(const hs_probe_result *result, int rank);

/** What is known of host i, 0 <= i < hs_probe_hosts(). Borrowed. */
HS_API const hs_probe_host *hs_probe_host_at(const hs_probe_result *result, int i);

/** The speed of one rank of host i, 0 <= i < hs_probe_hosts(), by the size of the host's slice, with the kernel used while
 * all ranks compute. Without points when the budget was too short, or nothing is known of the caches. The largest slice is
 * the host's memory, or as much of it as control groups leave. Borrowed. */
HS_API const hs_speed_function *hs_probe_speed_by_size(const hs_probe_result *result, int i);

/** What is known of the way between hosts i != j, in either order. Borrowed. */
HS_API const hs_probe_link *hs_probe_link_between(const hs_probe_result *result, int i, int j);

/** How many links, of hosts and between switches, were found that explain what concurrent flows got; 0: none were, and
 * the platform has a link for each pair. */
HS_API int hs_probe_links_found(const hs_probe_result *result);

/** The kernel that speeds were measured with. */
HS_API hs_probe_kernel hs_probe_kernel_used(const hs_probe_result *result);

/** Wall-clock seconds the measurement took, by rank 0. */
HS_API double hs_probe_time(const hs_probe_result *result);

/** Make the platform: the hosts with the speed of the kernel used, where speeds within 5 % of each other count as
 * one, a core for each rank, the speed by size and the largest slice. When links were found, a tree: routers "switch_K", a
 * link "host_NAME" for each host and "trunk_K" for each link between switches, SPLITDUPLEX, SHARED, FATPIPE, or two links
 * "..._out" and "..._in" when the directions differ. Else a clique with a SHARED link "link_I_J" for each pair. The file
 * begins with a comment: when, where and how it was measured, the interval of each bandwidth, and which are only lower
 * bounds.
 * @param[out] platform  on HS_OK a new object, freed with hs_platform_free()
 * @return HS_OK; HS_ERR_NOMEM */
HS_API hs_status hs_probe_platform(const hs_probe_result *result, hs_platform **platform, hs_error *error);

#ifdef __cplusplus
}
#endif
#endif
