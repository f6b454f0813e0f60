/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SESSION_AGREE_H
#define HS_RUNTIME_SESSION_AGREE_H

/* Every collective call of the library begins with one exchange of small records. It shows all ranks whether all
 * of them made the same call with the same values and whether all are well, before any data moves. */

#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

struct hs_context;

/* The calls a record may belong to, with the name in messages. */
#define HS__OPERATION_LIST(X)                         \
    X(HS__OP_INIT, "hs_init")                         \
    X(HS__OP_COUNTS, "hs_counts")                     \
    X(HS__OP_WEIGHTS, "hs_weights")                   \
    X(HS__OP_FINALIZE, "hs_finalize")                 \
    X(HS__OP_LAYOUT_CREATE, "hs_layout_create")       \
    X(HS__OP_ADD_ARRAY, "hs_layout_add_array")        \
    X(HS__OP_ADD_OFFSETS, "hs_layout_add_offsets")    \
    X(HS__OP_ADD_RAGGED, "hs_layout_add_ragged")      \
    X(HS__OP_ADD_STORAGE, "hs_layout_add_storage")    \
    X(HS__OP_LAYOUT_WEIGHTS, "hs_layout_weights")     \
    X(HS__OP_BALANCE, "hs_balance")                   \
    X(HS__OP_LEARN, "hs_balance (learned weights)")   \
    X(HS__OP_REMEASURE, "hs_balance (measuring)")     \
    X(HS__OP_MOVE, "hs_balance (moving)")             \
    X(HS__OP_BLOCKS_CREATE, "hs_blocks_create")       \
    X(HS__OP_ADD_MATRIX, "hs_blocks_add_matrix")      \
    X(HS__OP_BLOCKS_BALANCE, "hs_blocks_balance")     \
    X(HS__OP_BLOCKS_REBALANCE, "hs_blocks_rebalance") \
    X(HS__OP_BLOCKS_MOVE, "hs_blocks_move")           \
    X(HS__OP_BOX_CREATE, "hs_box_create")             \
    X(HS__OP_BOX_ADD_ARRAY, "hs_box_add_array")       \
    X(HS__OP_BOX_BALANCE, "hs_box_balance")           \
    X(HS__OP_BOX_REBALANCE, "hs_box_rebalance")       \
    X(HS__OP_FARM_CREATE, "hs_farm_create")           \
    X(HS__OP_FARM_ATTACH, "hs_farm_attach")           \
    X(HS__OP_SCATTER, "hs_scatter")                   \
    X(HS__OP_GATHER, "hs_gather")                     \
    X(HS__OP_FARM_PLAN, "hs_farm_plan")               \
    X(HS__OP_SCATTER_COUNTS, "hs_scatter_counts")     \
    X(HS__OP_FARM_SAMPLE, "hs_farm_sample")           \
    X(HS__OP_FARM_RUN, "hs_farm_run")

#define HS__OPERATION_ENUM(name, text) name,
typedef enum hs__operation { HS__OPERATION_LIST(HS__OPERATION_ENUM) HS__OPERATIONS } hs__operation;
#undef HS__OPERATION_ENUM

enum { HS__RECORD_VALUES = 6, HS__RECORD_TIMES = 4 };

/* In time[] of the agreements of a move: what this rank received, how long it took, and whether HS_CHECK is off. */
enum { HS__MOVE_RECEIVED, HS__MOVE_SECONDS, HS__MOVE_UNCHECKED };

/** The name in messages. */
const char *hs__operation_name(int32_t operation);

/** What one rank says. */
typedef struct hs__record {
    int32_t operation, status;
    int64_t value[HS__RECORD_VALUES]; /* must be equal on all ranks */
    double time[HS__RECORD_TIMES];    /* may differ */
} hs__record;

/** Called when another exchange needs the place of the owner's, which has ended: the records of all ranks, lent until
 * it returns. */
typedef void hs__deliver(void *owner, const hs__record *all);

/** The exchange under way or just ended. Part of the context. */
typedef struct hs__gathering {
    MPI_Request request; /* MPI_REQUEST_NULL when none is under way */
    hs__record *all;     /* of every rank, and last what this one sends; owned, left to MPI while it is under way */
    const char *const *names; /* what value[] is called in an error text; borrowed */
    int travels; /* the program goes on meanwhile: values that differ mean that the ranks are not in step */
    void *owner; /* the object that waits for its records; NULL: none */
    hs__deliver *deliver;
} hs__gathering;

hs_status hs__gathering_create(struct hs_context *context);
void hs__gathering_free(struct hs_context *context);

/** Start an exchange and return at once: its records travel while the program goes on. None may be under way.
 * @param[in]  names    what value[0], value[1], ... are called in an error text; borrowed. NULL entries are not compared.
 *                      After '~' stands what has no number for people: the bits of a double, a hash
 * @param[in]  owner    handed to deliver; not NULL
 * @return HS_OK; HS_ERR_STATE; HS_ERR_MPI */
hs_status hs__gather_start(struct hs_context *context, const hs__record *mine, const char *const *names, void *owner,
                           hs__deliver *deliver);

/** Wait until all records are there, with back-off, and check them.
 * @return HS_OK; HS_ERR_TIMEOUT; HS_ERR_MISMATCH; or the first status < 0 that a rank reported: the same on all ranks
 */
hs_status hs__gather_finish(struct hs_context *context);

/** After a time-out: find out which ranks are still there, which takes half a second; the lowest of them prints who is
 * missing. Nothing collective works any more. @return HS_ERR_TIMEOUT, with an error text */
hs_status hs__report_missing(struct hs_context *context, int32_t operation);

/** Print why a plan was not made, on one rank: after a time-out without a text as hs__report_missing().
 * @param[in,out] error  a text without the operation's name, or none; gets one with it, after a time-out only where there is none
 * @return status */
hs_status hs__report_failure(struct hs_context *context, int32_t operation, hs_status status, hs_error *error);

/** End the exchange under way, if there is one, since another call needs its place; its owner gets the records.
 * @return HS_OK; as hs__gather_finish(); HS_ERR_STATE after an earlier failure */
hs_status hs__gather_settle(struct hs_context *context, const char *call);

/** The owner ends: an exchange of its own that is under way ends without it. */
void hs__gather_disown(struct hs_context *context, const void *owner);

/** Both at once: the ordinary start of a collective call. A rank that failed itself (mine->status < 0) keeps the error
 * text it came with, and the first such rank prints it on stderr. */
hs_status hs__agree(struct hs_context *context, const hs__record *mine, const char *const *names);

/** The most of all ranks' time[which] in the exchange that has ended last. */
double hs__gathered_most(const struct hs_context *context, int which);

/** Copy the bytes of one rank to all. All ranks have called the same function, but one may have stopped since.
 * @return HS_OK; HS_ERR_TIMEOUT, which is reported; HS_ERR_MPI; HS_ERR_STATE after an earlier failure */
hs_status hs__share(struct hs_context *context, int root, void *bytes, size_t count);

/** Wait for requests with a growing pause and the context's time-out, which counts from the last one that was done.
 * @return HS_OK; HS_ERR_TIMEOUT; HS_ERR_MPI */
hs_status hs__wait_all(struct hs_context *context, int count, MPI_Request *requests);

#endif
