/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BOXES_BOXES_H
#define HS_RUNTIME_BOXES_BOXES_H

#include "plan/boxes/boxes.h"
#include "runtime/balance/balance.h"
#include "runtime/boxes/frame.h"
#include "runtime/session/pointers.h"
#include <heteroslice/hs_box_layout.h>

/** The persistent messages of one array: its halo comes, and what others need of it goes. */
typedef struct hs__box_exchange {
    void *data; /* first cell of the buffer that it belongs to: what the program was given; the buffer is owned */
    MPI_Request *request; /* owned */
    int count, under_way;
} hs__box_exchange;

/** One registered array. */
typedef struct hs__box_array {
    int64_t cell_bytes;
    void **data; /* where the program keeps its pointer; borrowed */
    int tag;     /* of its exchanges */
    hs__box_exchange exchange;
} hs__box_array;

struct hs_box_layout {
    hs__owned owned; /* by the context */
    hs_context *context;
    hs_boxes_domain domain; /* complete */
    hs_box_params params;
    hs_boxes *plan;            /* owned */
    double step_s;             /* of a step with this plan, by the speeds that were last seen */
    hs__frame frame;           /* of this rank's buffers */
    int64_t *cells;            /* of every rank; owned */
    double *halo_time;         /* seconds a halo cell takes over the link of every rank; owned */
    hs__boxes_network network; /* in place of these; hosts is 0 where none is known */
    double *cycle;             /* [ranks] scratch of hs_box_rebalance() and of the first cut; owned */
    hs__piece_list halo;       /* of this rank */
    hs__box_array *arrays;
    size_t array_count, array_capacity;
    hs__balancer balancer;
    hs_boxes *candidate; /* what the decider weighs; NULL: to stay; owned */
    int left_to_mpi;     /* a move was given up: MPI may still read the arrays, which are never freed */
    hs_box_stats stats;  /* what moves did; the rest is in the balancer */
};

/* ---- Exchanges. ---- */

/** Make the persistent messages of an array in a buffer under boxes of all ranks. Local.
 * @param[out] exchange  on HS_OK ended by hs__box_exchange_free()
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_MPI */
hs_status hs__box_exchange_make(const hs_box_layout *layout, const hs_box *box, int tag, int64_t cell_bytes, void *data,
                                hs__box_exchange *exchange);
void hs__box_exchange_free(hs__box_exchange *exchange);

/** Whether an exchange of some array has been started and not waited for. */
int hs__box_exchanging(const hs_box_layout *layout);

/** @return HS_OK; HS_ERR_STATE with an error text: one is under way, so boxes may not move */
hs_status hs__box_refuse_exchange(const hs_box_layout *layout, const char *call);

/* ---- The whole layout. ---- */

/** The plan has changed: everything that follows from it, but the halo's pieces. */
void hs__box_measure(hs_box_layout *layout);

/** Whether the boxes tile the domain, and what follows from the plan does. @return HS_OK; HS_ERR_INTERNAL with *error */
hs_status hs__box_layout_check(const hs_box_layout *layout, hs_error *error);

/** Get the network from the rank that planned, where there is a platform with routes. Collective.
 * @return HS_OK, also without a network; HS_ERR_NOMEM, HS_ERR_TIMEOUT, HS_ERR_MPI: the same on all ranks */
hs_status hs__box_network_share(hs_context *context, hs__boxes_network *network);

/** What boxes cost at these seconds a cell. */
hs__boxes_costs hs__box_costs(const hs_box_layout *layout, const double *cycle);

/** The pointer of array a of a layout. */
hs__pointer_of hs__box_pointer;

/** A number that differs when the boxes of two plans differ. */
int64_t hs__box_plan_hash(const hs_boxes *plan, int ranks);

/** Cells that get another owner; and those that the busiest rank sends and receives. */
int64_t hs__box_moved_cells(const hs_box *old, const hs_box *now, int ranks, int64_t *busiest);

/** Move every array to another plan of the same domain and ranks. Collective: all ranks come with the same plan. On
 * success the layout owns the plan.
 * @return HS_OK; HS_ERR_NOMEM, HS_ERR_MPI, HS_ERR_TIMEOUT, HS_ERR_INTERNAL: all ranks are on the old plan */
hs_status hs__box_move(hs_box_layout *layout, hs_boxes *plan);

/** How a layout of boxes is balanced. */
extern const hs__balance_kind hs__box_kind;

#endif
