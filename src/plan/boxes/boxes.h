/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_BOXES_BOXES_H
#define HS_PLAN_BOXES_BOXES_H

#include "plan/boxes/geometry.h"
#include "plan/boxes/network.h"
#include "plan/columns/columns.h"
#include "util/pool.h"

/** A plan: who stands where (method, slabs to host), and the sizes. */
struct hs_boxes {
    hs_boxes_domain domain; /* complete */
    int hosts;
    hs_boxes_method method; /* never HS_BOXES_BEST */
    int axis[HS__DIMS]; /* the dimensions along which boxes follow each other: in a column, columns in a slab, slabs */
    int slabs;          /* 1 where two dimensions are cut */
    int *slab;          /* [slabs + 1] slab b has columns slab[b] to slab[b + 1] - 1 */
    int *first;  /* [slab[slabs] + 1] column c has places first[c] to first[c + 1] - 1, from top to bottom; in a grid
                    all have as many, and all slabs as many columns */
    int *host;   /* [hosts] of each place, distinct; hosts without a place are in none */
    hs_box *box; /* [hosts] */
    double step_time;
    double *halo_s; /* [hosts] seconds that each waits for its halo; NULL without a network */
    double link_s;  /* seconds that all shared links are busy together; 0 without a network */
    hs__pool pool;  /* of slab, first, host, box and halo_s */
};

/** What boxes cost. All borrowed. */
typedef struct hs__boxes_costs {
    const double *cycle, *halo; /* [hosts] as in hs_boxes_create() */
    int hosts;
    hs_step_model model;
    const hs__boxes_network *network; /* in place of halo; NULL: none */
    double cell_bytes;                /* of a halo cell, for the network */
} hs__boxes_costs;

/** As hs_boxes_create(), where the costs have the model and the network, and params are not asked for these. One host alone is
 * not tried. */
hs_status hs__boxes_create(const hs_boxes_domain *domain, const hs__boxes_costs *costs, const hs_boxes_params *params,
                           hs_boxes **plan, hs_error *error);

/** Seconds of a step with these boxes. @param[in] domain  complete. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__boxes_time(const hs_boxes_domain *domain, const hs__boxes_costs *costs, const hs_box *box,
                         double *step_time);

typedef struct hs__boxes_message {
    int from, to;
    double bytes;
} hs__boxes_message;

/** Scratch of messages and links. */
typedef struct hs__boxes_traffic {
    double *busy; /* [links] seconds; owned */
    hs__boxes_message *message;
    size_t count, capacity;
    hs__piece_list list;
} hs__boxes_traffic;

hs_status hs__boxes_traffic_new(const hs__boxes_network *network, hs__boxes_traffic *traffic);
void hs__boxes_traffic_free(hs__boxes_traffic *traffic);

/** What a plan is made for, and scratch for making it. */
typedef struct hs__boxes_task {
    hs_boxes_domain domain; /* complete */
    const hs__boxes_costs *costs;
    double *speed;              /* [hosts] cells a second; 0: takes none; owned */
    hs__areas areas;            /* of the hosts that take cells; owned */
    hs__boxes_traffic *traffic; /* of the network */
} hs__boxes_task;

/** A plan without anybody or any cells in it. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__boxes_new(const hs__boxes_task *task, hs_boxes_method method, hs_boxes **plan);

/** How many columns and places all slabs have. */
int hs__boxes_columns(const hs_boxes *plan);
int hs__boxes_places(const hs_boxes *plan);

/** Whether a plan is better: a shorter step, then fewer seconds of shared links, then fewer halo cells. b may be NULL. */
int hs__boxes_better(const hs_boxes *a, const hs_boxes *b);

/** Whether the same hosts stand at the same places: sizes are all that differs. */
int hs__boxes_same_places(const hs_boxes *a, const hs_boxes *b);

/** Keep a plan when it is complete and the best so far, else free it. @return the status given */
hs_status hs__boxes_offer(hs_status status, hs_boxes *plan, hs_boxes **best);

/* ---- Who stands where: in a new plan. ---- */

/** All hosts in their order. */
void hs__boxes_arrange_rows(hs_boxes *plan);

/** Slabs of hosts of about equal summed speed that follow each other along dimension `across`; in each the columns of the
 * least sum of half perimeters, were sizes real (COL-PERI-SUM on a rectangle).
 * @param[in] slabs  1 to the hosts that take cells; 1: columns through all layers */
hs_status hs__boxes_arrange_columns(const hs__boxes_task *task, int slabs, int across, hs_boxes *plan);

/** The fastest shape[0] x shape[1] x shape[2] hosts on a grid of that shape (MAX-GRID). */
hs_status hs__boxes_arrange_grid(const hs__boxes_task *task, const int *shape, hs_boxes *plan);

/** Add the columns of the least sum of half perimeters for ranks i to j - 1, in a rectangle so high whose area is the sum of
 * theirs, to the last slab of a plan, which is slab number plan->slabs then. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__boxes_add_columns(const hs__areas *areas, int i, int j, double height, hs_boxes *plan);

/** Nested groups of hosts near each other, those of a network: how many have hosts that take cells at this level, 1 ...;
 * and columns in which each group has a strip along axis[1], or slabs along axis[2] that have a group each. */
int hs__boxes_groups(const hs__boxes_task *task, int level);
hs_status hs__boxes_arrange_groups(const hs__boxes_task *task, const int *axis, int level, hs_boxes *plan);

/** As in another plan of the same domain, hosts and method. */
void hs__boxes_arrange_as(const hs_boxes *held, hs_boxes *plan);

/* ---- Sizes. ---- */

/** Set the boxes and the step time for the places of a plan.
 * @return HS_OK; HS_ERR_INFEASIBLE; HS_ERR_NOMEM */
hs_status hs__boxes_size(const hs__boxes_task *task, hs_boxes *plan);

/** Likewise for the slices of a plan of rows. */
hs_status hs__boxes_size_rows(const hs__boxes_task *task, hs_boxes *plan);

/* Sizes are made again with the times of the halos that they brought, so often at most. */
enum { HS__BOXES_ROUNDS = 8 };

/** Room for the best sizes of a plan so far and what they cost, from a pool that tells whether there was any. Nothing else
 * of kept is set; its step time is INFINITY at first. */
void hs__boxes_kept_new(const hs_boxes *plan, hs__pool *pool, hs_boxes *kept);

/** Set the step time for the boxes of a plan, and keep them when it is the shortest so far.
 * @return HS_OK; HS_UNCHANGED: they are those kept, from which further rounds would only repeat the ones since; HS_ERR_NOMEM */
hs_status hs__boxes_step_keep(const hs__boxes_task *task, hs_boxes *plan, hs_boxes *kept);

/** Give a plan what was kept. @return HS_OK; HS_ERR_INFEASIBLE: nothing was */
hs_status hs__boxes_take_kept(const hs_boxes *kept, hs_boxes *plan);

/** Seconds that each host waits for its halo in the network, and those of all shared links. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__boxes_charge(const hs__boxes_task *task, const hs_box *box, double *halo_s, double *link_s);

/** The best of all plans of a method that are tried, HS_BOXES_BEST: of all methods; with a plan held, its places alone.
 * @return HS_OK; HS_ERR_INFEASIBLE; HS_ERR_NOMEM */
hs_status hs__boxes_best(const hs__boxes_task *task, hs_boxes_method method, const hs_boxes *held, hs_boxes **best);

/** Exchange hosts of a plan in a network as long as that is better. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__boxes_lay(const hs__boxes_task *task, hs_boxes **plan);

#endif
