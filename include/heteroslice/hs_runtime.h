/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_RUNTIME_H
#define HETEROSLICE_HS_RUNTIME_H

/* Balancing an iterative MPI program. The whole of it:
 *
 *     hs_init(MPI_COMM_WORLD, NULL, &ctx, NULL);            // measures, orders the ranks along the ring
 *     hs_layout_create(ctx, rows, 1, HS_FIXED, &layout);    // slices of whole rows, one row of halo
 *     hs_layout_add_array(layout, row_bytes, 1, (void **)&u);
 *     for (...) { step(u, hs_layout_slice(layout)); hs_balance(layout); }
 *     hs_finalize(&ctx);
 *
 * "Collective" means: every rank of the context calls it, in the same order, and all get the same status. A rank that
 * calls something else, or does not come within HS_TIMEOUT, is named in the error text. One that passes NULL for the
 * context or layout gets HS_ERR_ARG at once, without a word to the others, so it has not come. After MPI_Finalize()
 * what has to ask other ranks returns HS_ERR_STATE. One thread per rank at a time may call for a context, any thread;
 * with MPI_THREAD_MULTIPLE other threads may call for other contexts meanwhile.
 */

#include <heteroslice/hs_slices.h>
#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hs_context hs_context;
typedef struct hs_layout hs_layout;

typedef enum hs_balance_mode {
    HS_BALANCE_DEFAULT, /* what HS_BALANCE says: on when it is not set */
    HS_BALANCE_OFF,     /* equal slices, ranks in the order given */
    HS_BALANCE_STATIC,  /* planned once from the platform */
    HS_BALANCE_ON       /* planned, then corrected while speeds drift */
} hs_balance_mode;

/** What hs_init() may be told. Zero means the default everywhere, so `(hs_params){.work = w}` is enough. The size of the
 * struct never changes: later versions take new fields from `reserved`, where zero means the default too, so a program
 * need not be compiled again. A library that is older than the program refuses fields it does not know. */
typedef struct hs_params {
    hs_balance_mode mode;
    const char *platform; /* file to plan from; borrowed by hs_init(). Default: HS_PLATFORM, else it is measured */
    double probe_budget;  /* seconds to measure at most. Default: HS_PROBE_BUDGET, 2 */
    double timeout;       /* seconds to wait for a missing rank. Default: HS_TIMEOUT, 60 */
    double work;          /* W: work units (flop) of one step over all ranks; 0 when unknown */
    double halo;          /* H: bytes sent to each ring neighbour per step; 0 when unknown: links then do not count */
    hs_step_model model;  /* whether halos travel while the step computes (HS_STEP_OVERLAP). Default: they do not */
    const char *host;   /* this rank's host name. Default: the machine's own. For tests of many hosts on one machine */
    double move_memory; /* above 0, up to 1: what moving slices may take beyond the larger of old and new, as a fraction
                             of it; see hs_balance(). Default: HS_MOVE_MEMORY, 1 */
    double
        data; /* bytes of all units together that a step works on. Where the platform says how speeds depend on the size
                    of a slice, or how large one may be, slices are cut by that from the start. Default: what is registered,
                    which counts from the first decision of hs_balance() on */
    int64_t steps; /* hs_balance() calls of a layout to come, so that nothing moves when those left cannot earn what
                        moving costs. Default: not known */
    int64_t reserved[5]; /* all 0 */
} hs_params;

/** Measure or read the platform, plan the ring, and order the ranks along it. Collective over comm.
 *
 * Errors are told on stderr too, by the rank at fault (HS_LOG). A bad value in the environment keeps its default and is
 * told once, by rank 0. What params leaves at zero comes from rank 0's environment; what it says must be the same on all
 * ranks, but for host and timeout. Makes communicators of its own, one of them as MPI_Comm_dup() does, so that callbacks
 * of comm's attributes are called; comm's error handler is not changed. After HS_ERR_TIMEOUT comm is not usable any more.
 * One moment has no time-out: a rank that stops in the MPI_Comm_split() by which hs_init() orders the ranks is waited for
 * as MPI waits. All ranks have come together just before it, so that moment is short.
 * Cost:       up to probe_budget s when measuring; some 40 ms with a kept measurement that holds: HS_CACHE, hs-cache(1).
 * @param[in]  params   NULL for the defaults
 * @param[out] context  on HS_OK a new object, ended by hs_finalize()
 * @param[out] error    on failure what is wrong, and where; may be NULL
 * @return HS_OK; HS_ERR_ARG; HS_ERR_STATE (MPI is not initialised); HS_ERR_IO, HS_ERR_PARSE or HS_ERR_UNSUPPORTED (platform
 *         file); HS_ERR_UNREACHABLE (a rank's host is not in it); HS_ERR_INFEASIBLE (all hosts have speed 0);
 *         HS_ERR_MISMATCH; HS_ERR_TIMEOUT; HS_ERR_MPI; HS_ERR_NOMEM: the same on all ranks that came */
HS_API hs_status hs_init(MPI_Comm comm, const hs_params *params, hs_context **context, hs_error *error);

/** End the context and every layout made from it, and set *context to NULL. Collective. A NULL *context is fine.
 * @return HS_OK; HS_ERR_MISMATCH, HS_ERR_TIMEOUT, or HS_ERR_STATE after an earlier one of these or after MPI_Finalize() (the
 *         local memory is freed all the same) */
HS_API hs_status hs_finalize(hs_context **context);

/** The communicator in ring order: neighbours in rank are neighbours in the ring. Lent until hs_finalize().
 * MPI_COMM_NULL where context is NULL. */
HS_API MPI_Comm hs_comm(const hs_context *context);

/** Why the last call on this context failed; "" when none did. Lent until the next call. Or that context is NULL. */
HS_API const char *hs_error_text(const hs_context *context);

/* ---- Layouts: units (rows) cut into one contiguous slice per rank ---- */

typedef enum hs_edges {
    HS_FIXED, /* units -halo..-1 and n..n+halo-1 are boundary values, kept by the first and last rank that has units */
    HS_PERIODIC /* unit n is unit 0 */
} hs_edges;

/** Cut `units` units into slices by the ratios of the ranks' speeds. Collective.
 *
 * Speeds are those that the platform says or hs_init() measured, until phases of layouts show others: where a program makes its
 * layouts again and again, of any kind, the next one begins with what hs_balance() of those before has seen.
 * Where params.data says how many bytes they are, and the platform how speeds depend on that, the counts are those of
 * hs_slices_compute_by_size() without communication. Each host's function and limit are divided among its ranks.
 * Every slice is empty or at least `halo` units. Which ranks slow the step is known once the program has been
 * measured: hs_balance() leaves them out then. A process without units in any layout sleeps while it waits in MPI
 * calls, where the MPI library lets it (Open MPI does; HS_WAIT=poll forbids it).
 * @param[in]  units   >= 1 and >= halo
 * @param[in]  halo    >= 0: the widest halo of any array
 * @param[out] layout  on HS_OK a new object; freed by hs_layout_free() or hs_finalize()
 * @return HS_OK; HS_ERR_ARG; HS_ERR_MISMATCH (ranks passed different values: the text names them); HS_ERR_INFEASIBLE (the
 *         largest slices of all hosts do not hold params.data); HS_ERR_NOMEM */
HS_API hs_status hs_layout_create(hs_context *context, int64_t units, int64_t halo, hs_edges edges, hs_layout **layout);

/** Free a layout and its arrays; the registered pointers become NULL. What none of them points to any more stays allocated.
 * Local; NULL is fine. */
HS_API void hs_layout_free(hs_layout *layout);

/** Allocate this rank's slice of an array, zeroed, and register it to move with the layout. Collective.
 *
 * *data points to the first unit of this rank; `halo` units before and after the slice are there too. hs_balance() and
 * only it changes *data; the program may swap two registered pointers of equal unit_bytes and halo at any time. When it has
 * changed one in another way, hs_balance() returns HS_ERR_ARG where units would move, and nothing moves.
 * @param[in]     unit_bytes  bytes of one unit, >= 1, the same on every rank
 * @param[in]     halo        0 .. the layout's halo, the same on every rank
 * @param[in,out] data        where the program keeps its pointer, and nothing else of the context; must stay valid as long
 *                            as the layout
 * @return HS_OK; HS_ERR_ARG; HS_ERR_MISMATCH; HS_ERR_NOMEM (on some rank; nothing is registered on any) */
HS_API hs_status hs_layout_add_array(hs_layout *layout, int64_t unit_bytes, int64_t halo, void **data);

/** Let units have any number of elements each, as the rows of a sparse matrix have: make their offsets. Collective.
 *
 * Unit i of this rank's slice has the elements (*offset)[i] to (*offset)[i + 1] - 1 of every array that
 * hs_layout_add_ragged() adds with these offsets; (*offset)[0] is 0 on every rank. They move with the layout. A matrix in
 * CSR form has its row pointers here, and its column indices and values in two such arrays; indices are not changed.
 * @param[in]     elements  of each unit of this rank's slice, >= 0; borrowed; NULL without units
 * @param[in,out] offset    where the program keeps its pointer, and nothing else of the context; must stay valid as long as
 *                          the layout. The program reads *offset, which has one more number than the slice has units, and
 *                          does not change it
 * @return HS_OK; HS_ERR_ARG; HS_ERR_MISMATCH; HS_ERR_NOMEM: nothing is registered on any rank */
HS_API hs_status hs_layout_add_offsets(hs_layout *layout, const int64_t *elements, int64_t **offset);

/** Allocate this rank's elements of an array of units of several elements, zeroed, and register it to move with the
 * layout. Collective.
 *
 * As hs_layout_add_array(), without halo. When the program has changed its offsets, hs_balance() returns HS_ERR_ARG and
 * nothing moves.
 * @param[in]     element_bytes  bytes of one element, >= 1, the same on every rank
 * @param[in]     offset         the place that hs_layout_add_offsets() was given
 * @param[in,out] data           as of hs_layout_add_array()
 * @return HS_OK; HS_ERR_ARG; HS_ERR_MISMATCH; HS_ERR_NOMEM (on some rank; nothing is registered on any) */
HS_API hs_status hs_layout_add_ragged(hs_layout *layout, int64_t element_bytes, int64_t *const *offset, void **data);

/** Say how much work each unit is, where units differ: rows of a sparse matrix, cells with particles. Collective.
 *
 * Weights are relative; their units are the program's. They stay with the units when these move, and hold until they
 * are declared anew, as often as the program likes. From then on a rank's speed is seconds per weight, so hs_balance()
 * tells a slice that got heavier from a host that got slower (HS_LOG=info says which when units move).
 * While no array is registered nothing has to move, and the slices are cut anew at once, by the speeds that hs_balance() has
 * measured until then: ask hs_layout_slice() again. With HS_BALANCE_OFF they have equal weights then. So declare weights
 * before the first array is registered, too.
 * Cost:       every rank gets the weights of all units: 16 bytes a unit and rank, and a message between any two ranks.
 * @param[in]  weight  of each unit of this rank's slice, >= 0 and finite; those of all ranks add up to 0 or to 1e-100 to
 *                     1e100; borrowed; NULL without units. All zero on all ranks: units are equal
 * @return HS_OK; HS_ERR_ARG (the text names the unit; the old weights hold on all ranks); HS_ERR_INFEASIBLE (likewise: no cut
 *         fits the hosts' largest slices); HS_ERR_MISMATCH; HS_ERR_TIMEOUT; HS_ERR_MPI; HS_ERR_NOMEM */
HS_API hs_status hs_layout_weights(hs_layout *layout, const double *weight);

/** The weights of this rank's units, as they were declared or learned (hs_unit_begin()); NULL when none were. Lent until
 * the next hs_layout_weights() or hs_balance(). */
HS_API const double *hs_layout_get_weights(const hs_layout *layout);

/** One rank's part of a layout. */
typedef struct hs_slice {
    int64_t first;  /* global index of its first unit */
    int64_t count;  /* its units; 0 when it is left out */
    int prev, next; /* the ranks of hs_comm() that hold the units just before and just behind the slice;
                           MPI_PROC_NULL at a fixed edge and on a rank without units */
} hs_slice;

/** This rank's slice. Local; changes only in hs_balance(), and in hs_layout_weights() before the first array. */
HS_API hs_slice hs_layout_slice(const hs_layout *layout);

/** Units of every rank, array of the communicator's size in ring order. Lent until the next hs_balance(). */
HS_API const int64_t *hs_layout_counts(const hs_layout *layout);

/* ---- Balancing ---- */

/** Say that one iteration has ended. Collective. Between two decisions it costs a counter.
 *
 * Time outside MPI is what counts as compute (seen through the interposed MPI calls; hs_compute_begin() replaces that). It
 * is that of the calling thread: a rank whose threads take turns in calling MPI brackets its computing. Where they take turns in
 * calling hs_balance() and nothing is bracketed it is not known: nothing moves, which the rank says once.
 * At the end of a phase the ranks exchange their times while the program goes on; one iteration later all decide alike.
 * When slices move, all units and halos of the new slice hold their owners' current values.
 * Where the platform, read or measured, says how speeds depend on the bytes of a slice, slices are planned by that: a unit takes
 * what was measured at the present size, times what the platform says of the new one, or what phases have shown there. No slice
 * is planned above a host's largest one. Bytes are those of params.data, or of what is registered. When the largest slices do
 * not hold all units nothing moves, which rank 0 says once.
 * Memory:     of arrays, both the old and the new slice while they move. With move_memory (HS_MOVE_MEMORY) f below 1, or
 *             rounds in which they move, R = 1 / f rounded up and at most 100: at most the larger of both, an R-th of the
 *             smaller, the new halos, and two pages of the system for every array and rank that units go to or come from.
 *             Offsets of units, 8 bytes a unit, exist four times while they move, and messages are MPI's. Layouts with a
 *             storage (hs_storage.h) always hold both, and so do boxes and blocks.
 * @return HS_UNCHANGED: nothing moved. HS_OK: the slices changed; ask hs_layout_slice() again.
 *         HS_ERR_MISMATCH, HS_ERR_TIMEOUT: some rank did something else (see hs_error_text()).
 *         HS_ERR_ARG (a program changed pointers or offsets), HS_ERR_NOMEM, HS_ERR_MPI, or what a callback of hs_storage.h
 *         returned: a move failed; every rank is still on its old slices. HS_ERR_INTERNAL likewise: with HS_CHECK=1, some
 *         unit did not arrive as it was. These leave all contents as they were when move_memory is 1; where it is less, only
 *         HS_ERR_ARG and HS_ERR_NOMEM do: units that had left a rank before messages failed are lost, in its arrays they
 *         read as zero */
HS_API hs_status hs_balance(hs_layout *layout);

/** Bracket the computing part of an iteration explicitly. Once used, only bracketed time counts as compute. Local. */
HS_API void hs_compute_begin(hs_layout *layout);
HS_API void hs_compute_end(hs_layout *layout);

/** Let the library learn what units weigh, where the program cannot say: bracket the computing of one unit, or of a range.
 *
 * In each iteration every unit of the slice is in one bracket, which encloses all its computing and no MPI call. What is done
 * between brackets of units that follow each other may count, too: several share two readings. Ranges tell
 * the mean of their units. hs_balance() uses what it has learned like weights that are declared, once any rank's times
 * misplace more than 3 % of its slice by the present weights. Weights that were declared are where learning begins, and
 * what was declared or learned last holds. Ratios of weights within a slice are those of CPU seconds of the calling
 * thread; how slices compare, the platform's speeds say at first, or the weights declared. Later each rank keeps its scale, by
 * which it weighs units that come to it. When more than half of a slice's units need longer by the same factor, the host
 * is slower, unless PAPI counts instructions here and there are more of them; else the units are heavier. A rank that
 * brackets nothing keeps its weights.
 * Counters are those of the process's first thread. They run while a span of brackets is timed; as PAPI lets one set of
 * events run at a time, a program's own PAPI_start() fails in a bracket then, and while its own run none are ours.
 * Local, and with mode HS_BALANCE_ON only; otherwise nothing is timed.
 * Cost:       the clock is read twice, and counters started and stopped, for so many brackets in a row that this takes
 *             0.5 % of their time; others cost a few nanoseconds, so units of less than a microsecond are better bracketed
 *             in ranges, in the order of their indices.
 *             56 bytes a unit of the slice; what hs_layout_weights() costs, whenever weights change.
 * @param[in] first  global index of the first unit, of this rank's slice; hs_unit_end() ends the same bracket
 * @param[in] count  units, >= 1
 * @return HS_OK; HS_ERR_ARG (units outside the slice: no bracket begins); HS_ERR_STATE (a bracket in a bracket, or an end
 *         without begin; hs_balance() and hs_layout_weights() end a bracket); HS_ERR_NOMEM (this rank times nothing) */
HS_API hs_status hs_unit_begin(hs_layout *layout, int64_t first, int64_t count);
HS_API hs_status hs_unit_end(hs_layout *layout);

/** What balancing has done so far on this layout; equal on all ranks but for the seconds. */
typedef struct hs_layout_stats {
    int64_t iterations;  /* hs_balance() calls */
    int64_t phases;      /* decisions taken */
    int64_t moves;       /* decisions that moved slices */
    int64_t moved_units; /* units that changed owner, all moves together */
    int64_t moved_bytes; /* the same in bytes over all arrays */
    double decide_s;     /* seconds this rank spent measuring and deciding, waiting for others included */
    double move_s;       /* seconds this rank spent moving */
    double compute_s;    /* seconds this rank computed, over the finished phases */
} hs_layout_stats;

/** What balancing has done so far on this layout. Local. */
HS_API void hs_layout_get_stats(const hs_layout *layout, hs_layout_stats *stats);

/** Most bytes that this rank's arrays, old and new, have taken in any move so far; 0 before the first. Local. */
HS_API int64_t hs_layout_peak_bytes(const hs_layout *layout);

/* ---- Shares alone, for who moves his own data ---- */

/** How many of n units each rank should have: what PETSc takes as ownership ranges.
 *
 * From HS_PLATFORM, else measured, or a measurement kept, as of hs_init(), by every call: keep the answer. Ranks on one host
 * share its cores. Equal counts with HS_BALANCE=off or HS_DISABLE=1. Collective over comm; needs no hs_init(), and
 * works in a program that links the library or is preloaded. Counts are those of hs_slices_compute() without
 * communication.
 * @param[in]  n       >= 0, the same on all ranks
 * @param[out] counts  array of comm's size in its order, sum == n, the same on all ranks; written only on HS_OK
 * @return HS_OK; HS_ERR_ARG; HS_ERR_STATE (MPI is not initialised); HS_ERR_IO, HS_ERR_PARSE or HS_ERR_UNSUPPORTED (platform
 *         file); HS_ERR_UNREACHABLE (a host is not in it); HS_ERR_INFEASIBLE (all hosts have speed 0, and n is not 0);
 *         HS_ERR_MISMATCH; HS_ERR_TIMEOUT (a rank did not come within HS_TIMEOUT); HS_ERR_MPI; HS_ERR_NOMEM */
HS_API hs_status hs_counts(MPI_Comm comm, int64_t n, int64_t *counts);

/** The part of the work each rank should have: what Zoltan takes as part sizes and ParMETIS as target weights.
 * @param[out] weights  array of comm's size in its order, >= 0, adding up to 1; written only on HS_OK
 * @return as hs_counts() */
HS_API hs_status hs_weights(MPI_Comm comm, float *weights);

#ifdef __cplusplus
}
#endif
#endif
