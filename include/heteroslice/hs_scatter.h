/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_SCATTER_H
#define HETEROSLICE_HS_SCATTER_H

/* Many independent items at a master, computed by all ranks: who gets how many, in which order they are sent, and in
 * which order the results come back. Three ways, from cheap to thorough:
 *
 *     hs_scatter_counts(comm, n, counts, displs, NULL);            // for a program's own MPI_Scatterv
 *
 *     hs_farm_create(comm, &params, &farm, NULL);                  // plan, send, compute, collect
 *     hs_farm_plan(farm, n, &count);
 *     hs_scatter(farm, items, item_type, mine, item_type);
 *     ... compute count items ...
 *     hs_gather(farm, mine, result_type, results, result_type);
 *
 *     hs_farm_run(farm, &job, NULL);    // the same with a function that computes: the master computes too, messages
 *                                       // overlap with computing, and the plan follows what items really cost
 *
 * "Collective" means: every rank of the communicator calls it, in the same order, and all get the same status. A rank
 * that passes NULL for the farm gets HS_ERR_ARG at once, without a word to the others, which wait until their time-out.
 * After MPI_Finalize() all return HS_ERR_STATE. */

#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A master and its workers: what is known of their speeds and links, and the current plan. */
typedef struct hs_farm hs_farm;

typedef enum hs_farm_root {
    HS_FARM_ROOT_COMPUTES, /* the master takes a share */
    HS_FARM_ROOT_IDLE      /* it only sends and receives, unless it is alone */
} hs_farm_root;

/** What a farm is planned for. Zero means the default everywhere. What is said of items is taken from the root. The
 * size of the struct never changes: later versions take new fields from `reserved`, where 0 is the default. Times of an
 * item that are not 0 are 1e-100 to 1e100. */
typedef struct hs_farm_params {
    int root; /* the master's rank; the same on all ranks */
    hs_farm_root root_role;
    int64_t item_bytes, result_bytes; /* of one item and of its results; 0: messages do not count */
    double item_work;                 /* flop of one item; 0: unknown. Speeds then count only as ratios, and messages
                                         only after hs_farm_sample() or a first hs_gather() */
    const double *cycle_time; /* seconds per item of every rank, each > 0; NULL: item_work over the measured speed */
    const double *comm_time;  /* seconds to send an item to every rank, each >= 0, the root's is not used; NULL:
                                 item_bytes over the measured bandwidth */
    int rounds;           /* most installments of hs_farm_run() when it sends one message after the other, up to 1000;
                             default 8 */
    const char *platform; /* file to plan from; default HS_PLATFORM; measured when that is not set and times are not
                             given. Rank 0 reads it. */
    const char *host;     /* this rank's host name; default: the machine's own */
    double probe_budget;  /* seconds to measure at most; default HS_PROBE_BUDGET */
    double timeout;      /* seconds to wait for a silent rank, besides ten times what it should take: to compute an item
                       in hs_farm_run(), elsewhere what was planned; default HS_TIMEOUT */
    int64_t reserved[8]; /* all 0 */
} hs_farm_params;

/** Make a farm of the ranks of comm. Measures or reads the platform unless the root gives both times. Collective.
 *
 * Ranks on a host whose speed in the platform file is 0 get no items; as the root such a rank only sends and receives.
 * Duplicates comm. Pointers in params are borrowed during the call.
 * @param[in]  params  NULL: all defaults
 * @param[out] farm    on HS_OK a new object, freed with hs_farm_free()
 * @param[out] error   on failure what is wrong, the same on all ranks; may be NULL
 * @return HS_OK; HS_ERR_ARG; HS_ERR_STATE (MPI is not initialised); HS_ERR_MISMATCH; HS_ERR_IO, HS_ERR_PARSE,
 *         HS_ERR_UNSUPPORTED, HS_ERR_UNREACHABLE (platform file); HS_ERR_INFEASIBLE (no rank computes: all their hosts
 *         have speed 0); HS_ERR_TIMEOUT; HS_ERR_NOMEM; HS_ERR_MPI */
HS_API hs_status hs_farm_create(MPI_Comm comm, const hs_farm_params *params, hs_farm **farm, hs_error *error);

/** Free a farm; NULL is fine. Collective. */
HS_API void hs_farm_free(hs_farm *farm);

/** Why the last call on this farm failed; "" when none did. Lent until the next call. Or that farm is NULL. */
HS_API const char *hs_farm_error_text(const hs_farm *farm);

/* ---- Plan, scatter, gather ---- */

/** Plan who gets how many of n items, and in which order.
 *
 * Model:      one-port master, messages one after another; the root starts on its own share when it has sent all
 *             others theirs; results return one rank at a time. See hs_divisible_create().
 * Guarantee:  counts are >= 0 and add up to n; without results exact for the send order. Ranks that would make it
 *             longer get 0. More than HS_DIVISIBLE_GIVEN_MAX ranks with results: the root gets none.
 * Scope:      collective.
 *
 * @param[in]  n      items, >= 0, below 2^53, the same on every rank
 * @param[out] count  this rank's; may be NULL
 * @return HS_OK; HS_ERR_ARG; HS_ERR_MISMATCH; HS_ERR_TIMEOUT; HS_ERR_NOMEM */
HS_API hs_status hs_farm_plan(hs_farm *farm, int64_t n, int64_t *count);

/** Items of every rank in the last plan: rank r's are those behind all of the ranks below r. After hs_farm_run(): how
 * many each has computed. Lent until the next call. */
HS_API const int64_t *hs_farm_counts(const hs_farm *farm);

/** Ranks in the order in which they are sent to and collected from; those without items are last. Lent likewise. */
HS_API const int *hs_farm_send_order(const hs_farm *farm);
HS_API const int *hs_farm_collect_order(const hs_farm *farm);

/** Seconds that the last plan takes; 0 when the items' cost is not known. */
HS_API double hs_farm_makespan(const hs_farm *farm);

/** Seconds per item of each rank, as given, measured, sampled or learned; INFINITY on a host of speed 0. Lent until the next
 * call. */
HS_API const double *hs_farm_cycle_times(const hs_farm *farm);

/** Seconds to send an item to each rank; 0 for the root. Lent until the farm is freed. */
HS_API const double *hs_farm_comm_times(const hs_farm *farm);

/** Send every rank its items, by the last plan and in its order. Collective.
 *
 * Types may be non-contiguous; item i is at the type's extent times i. Large counts are cut into messages that MPI can
 * count. The root's own items are copied.
 * @param[in]  items      the root's n items; not used elsewhere
 * @param[in]  item_type  of one item at the root
 * @param[out] mine       room for this rank's count
 * @param[in]  mine_type  of one item in mine, with as many bytes as item_type
 * @return HS_OK; HS_ERR_STATE (no plan); HS_ERR_ARG (on some rank no datatype, one not committed, or no address);
 *         HS_ERR_MISMATCH (types of different sizes); HS_ERR_TIMEOUT (a rank is silent: named in the error text;
 *         nothing collective works any more, and MPI may use the buffers until the program ends); HS_ERR_NOMEM;
 *         HS_ERR_MPI */
HS_API hs_status hs_scatter(hs_farm *farm, const void *items, MPI_Datatype item_type, void *mine,
                            MPI_Datatype mine_type);

/** Collect one result an item, in the planned order. Collective; the root returns when it has all.
 *
 * The time since hs_scatter(), less what the calling thread spent in MPI and in this library, is taken as what this rank's
 * items cost: the next hs_farm_plan() uses it. While the cost of items is not known, a rank is waited for no longer
 * than the farm's time-out: say item_work or cycle_time, or call hs_farm_sample(), where a share may take that long.
 * @param[in]  mine     this rank's results
 * @param[out] results  the root's n results in the items' order; not used elsewhere
 * @return as hs_scatter(); after HS_ERR_TIMEOUT *results is incomplete */
HS_API hs_status hs_gather(hs_farm *farm, const void *mine, MPI_Datatype mine_type, void *results,
                           MPI_Datatype result_type);

/** Counts and displacements for a program's own MPI_Scatterv and MPI_Gatherv of n items. Collective over comm.
 *
 * Uses the farm that hs_farm_attach() left on comm, else measures once and keeps that.
 * @param[in]  n       0 .. 2^31 - 1, the same on every rank
 * @param[out] counts  array of the communicator's size, adds up to n
 * @param[out] displs  likewise, counts of the ranks below
 * @param[out] order   NULL: the counts are the best for sending in rank order, as MPI_Scatterv does. Else array of the
 *                     communicator's size: the best order to send in, which the counts then are for
 * @return as hs_farm_create() and hs_farm_plan() */
HS_API hs_status hs_scatter_counts(MPI_Comm comm, int64_t n, int *counts, int *displs, int *order);

/** Make a farm and leave it on the communicator for hs_scatter_counts(); it goes when comm is freed. Collective.
 * @return as hs_farm_create() */
HS_API hs_status hs_farm_attach(MPI_Comm comm, const hs_farm_params *params, hs_error *error);

/* ---- Everything at once ---- */

/** Compute items first .. first + count - 1, which are at `items`, and write their results to `results`; item i is at
 * the types' extent times i. Called for a few items at a time, so that messages flow meanwhile. Must not call for this
 * farm: collective calls return HS_ERR_STATE there, on this rank alone, and the run goes on. */
typedef void (*hs_farm_compute)(void *context, int64_t first, int64_t count, const void *items, void *results);

/** Told on the root from time to time: items computed so far. Must not call MPI. */
typedef void (*hs_farm_progress)(void *context, int64_t done, int64_t n);

typedef struct hs_farm_job {
    int64_t n;         /* items, >= 0, below 2^53; the same on all ranks */
    const void *items; /* the root's; not used elsewhere */
    MPI_Datatype item_type;
    void *results; /* the root's: room for n; not used elsewhere */
    MPI_Datatype result_type;
    hs_farm_compute compute;
    hs_farm_progress progress; /* may be NULL */
    void *context;             /* handed to both */
} hs_farm_job;

/** What a run did; the same on all ranks. */
typedef struct hs_farm_report {
    double planned;      /* seconds of the plan it began with; 0 when the items' cost was not known */
    double seconds;      /* that the run took at the root */
    double efficiency;   /* what all ranks would need at the speeds they showed, over that; messages cost it */
    int64_t corrections; /* how often the items not yet sent were shared out anew */
    int64_t moved_bytes; /* items sent and results collected */
    int rounds;          /* the most installments that a rank got */
} hs_farm_report;

/** Time items of a job on all ranks at the same time, for `seconds`: plans then count with these times, and
 * hs_farm_run() sends to all ranks at once. Collective. Only the times are kept, not the results.
 * @param[in] items    how many of the job's items, spread evenly over it; 1 .. 4096. Of items that take long, as many of
 *                     them as there is time for, and at least one
 * @param[in] seconds  > 0; 0.1 is a good start
 * @return HS_OK; HS_ERR_ARG; HS_ERR_MISMATCH; HS_ERR_TIMEOUT; HS_ERR_NOMEM; HS_ERR_MPI */
HS_API hs_status hs_farm_sample(hs_farm *farm, const hs_farm_job *job, int items, double seconds);

/** Compute all items of a job on all ranks. Collective.
 *
 * Model:      as hs_divisible_create() with several installments and, unless root_role forbids it, a master that
 *             computes from the start. After hs_farm_sample(), and where all messages one after the other take no longer
 *             than computing, the root sends to all ranks at once, a part of what they are to get: rank i then takes
 *             n_i items until T >= n_i max(w_i, c_i). Workers report what their items cost; the items not yet sent are
 *             shared out anew when that ends at least 2 % sooner.
 * Guarantee:  each item is computed once, on the type's own layout; results do not depend on who computes them.
 *             Results return when all items are sent, in the planned order.
 *
 * @param[out] report  may be NULL
 * @return HS_OK; HS_ERR_ARG; HS_ERR_MISMATCH; HS_ERR_TIMEOUT (a rank is silent, as with hs_scatter(); *results is then
 *         incomplete); HS_ERR_NOMEM, HS_ERR_MPI: likewise, nothing collective works any more */
HS_API hs_status hs_farm_run(hs_farm *farm, const hs_farm_job *job, hs_farm_report *report);

#ifdef __cplusplus
}
#endif
#endif
