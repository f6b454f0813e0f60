/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_FARM_H
#define HS_RUNTIME_FARM_H

#include "runtime/session/context.h"
#include "util/pool.h"
#include <heteroslice/hs_divisible.h>
#include <heteroslice/hs_scatter.h>

/** Items are fewer: their number is exact as a double, too. */
#define HS__FARM_ITEMS_END ((int64_t)1 << 53)

/** What the root says of the items; the same on all ranks once the farm exists. */
typedef struct hs__farm_facts {
    int64_t item_bytes, result_bytes;
    double item_work, timeout;
    int32_t root_role, rounds, has_cycle_time, has_comm_time;
} hs__farm_facts;

/** A plan as all ranks have it. */
typedef struct hs__farm_plan {
    int64_t n; /* -1: none */
    int rounds;
    int at_once; /* the root sends to all ranks at once; chunk[0 .. size-1] is what each has still to get */
    double makespan;
    int64_t *count; /* of every rank, all installments */
    int64_t *chunk; /* chunk[r * size + i]: installment r of rank i; only on the root; owned */
    int *send, *collect;
} hs__farm_plan;

struct hs_farm {
    hs__pool pool;       /* of the arrays, but plan.chunk */
    hs_context *context; /* of the same ranks in the same order; owned */
    int rank, size, root;
    hs__operation made_by;
    hs__farm_facts facts;
    int timed;          /* cycle_time are seconds, not only ratios */
    int sampled;        /* by hs__farm_sample() */
    double *cycle_time; /* per rank, as the next two; the same on all. INFINITY on a host that is off */
    double *comm_time, *latency;
    hs__farm_plan plan;
    int64_t scattered_ns; /* by computing_ns(), when hs_scatter() ended; 0: not since the last hs_gather() */
};

/** Who computes when. */
typedef enum hs__farm_kind {
    HS__FARM_BLOCKING,   /* hs_scatter(): one installment, the root's share after all sends */
    HS__FARM_RANK_ORDER, /* the same, sent in rank order */
    HS__FARM_OVERLAPPED  /* hs_farm_run(): several installments, the root computes from the start */
} hs__farm_kind;

/** Fill cycle_time, comm_time and latency from params and, where they do not tell, from the platform. Collective. */
hs_status hs__farm_estimate(hs_farm *farm, const hs_farm_params *params, hs_error *error);

/** Whether a rank may get items: 0 for a root that is to be idle, and on a host that is off. */
int hs__farm_computes(const hs_farm *farm, int rank);

/** Plan n items on the root and tell every rank. Collective; does not agree first. */
hs_status hs__farm_make_plan(hs_farm *farm, int64_t n, hs__farm_kind kind);

/** Whether the present plan, if there is one, adds up to n, and its orders name each rank once; before it is carried out.
 * @return HS_OK; HS_ERR_INTERNAL with the defect in *error */
hs_status hs__farm_check(const hs_farm *farm, hs_error *error);

/** Make the root's value everybody's, with the time-out. @return HS_OK; HS_ERR_TIMEOUT; HS_ERR_MPI */
hs_status hs__farm_share(hs_farm *farm, void *bytes, size_t count);

/** In how many pieces a rank gets its part of n items, about. */
int hs__farm_pieces(const hs_farm *farm, int64_t n);

/** Seconds to wait for a rank that is expected after so many. */
double hs__farm_patience(const hs_farm *farm, double expected);

/** Seconds to wait for ranks that are busy with the plan. */
double hs__farm_time_limit(const hs_farm *farm);

/** Agree with ranks that may still be busy, with a given limit. @return as hs__agree() */
hs_status hs__farm_agree(hs_farm *farm, double seconds, const hs__record *mine);

/** Wait for requests with a given limit. @return as hs__wait_all() */
hs_status hs__farm_wait(hs_farm *farm, double seconds, int count, MPI_Request *requests);

#endif
