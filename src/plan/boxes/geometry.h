/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_BOXES_GEOMETRY_H
#define HS_PLAN_BOXES_GEOMETRY_H

/* Boxes, their halos, and what boxes have of each other's halos. The cells of the domain and of its fixed boundary are
 * owned by one box each: a box that touches the boundary owns the cells beside it, too. */

#include <heteroslice/hs_boxes.h>
#include <stddef.h>

enum { HS__DIMS = HS_BOXES_MAX_DIMS };

/** @return HS_OK; HS_ERR_ARG with *error saying which value is wrong */
hs_status hs__domain_check(const hs_boxes_domain *domain, hs_error *error);

/** Check that a domain of so many dimensions can be cut by a method. @return HS_OK; HS_ERR_ARG */
hs_status hs__method_check(hs_boxes_method method, int dims, hs_error *error);

/** The domain with extent 1, periodic 0 in the dimensions it has not. */
hs_boxes_domain hs__domain_complete(const hs_boxes_domain *domain);

int64_t hs__box_cells(const hs_box *box);

/** The box and the cells of a fixed boundary that it keeps; empty as it is. */
hs_box hs__box_owned(const hs_boxes_domain *domain, const hs_box *box, int64_t halo);

/** The box and its halo, where the domain has dimensions; empty as it is. */
hs_box hs__box_grown(const hs_boxes_domain *domain, const hs_box *box, int64_t halo);

/** Cells that two boxes share. */
int64_t hs__box_common(const hs_box *a, const hs_box *b);

/** Halo cells that others have, if all boxes are at least as wide as the halo. */
int64_t hs__box_halo_cells(const hs_boxes_domain *domain, const hs_box *box);

typedef struct hs__piece_list {
    hs_box_piece *piece; /* owned; freed with free() */
    size_t count, capacity;
} hs__piece_list;

/** Add the pieces of sink's halo that the owner of `source` has. Both sides list the pieces between two boxes in the same
 * order. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__pieces_of_halo(const hs_boxes_domain *domain, const hs_box *sink, const hs_box *source, int host,
                             hs__piece_list *list);

/** Add what the owner of `source` has of sink's cells and their halo of this width, edges and corners too; sides are
 * 0. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__pieces_of_box(const hs_boxes_domain *domain, int64_t halo, const hs_box *sink, const hs_box *source,
                            int host, hs__piece_list *list);

/** List the pieces of box[sink]'s halo that the owners of all boxes have.
 * @param[out] list  empty at first; holds what was listed also on failure. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__list_halo(const hs_boxes_domain *domain, const hs_box *box, int hosts, int sink, hs__piece_list *list);

/** The cells of a piece as their owner counts them: where they lie in its box, not in the halo. */
hs_box hs__piece_at_owner(const hs_box_piece *piece);

/** Seconds of a step. @param[in] halo_time  NULL: halos take no time */
double hs__boxes_step(const hs_boxes_domain *domain, const hs_box *box, const double *cycle_time,
                      const double *halo_time, int hosts, hs_step_model model);

/** The same when the seconds are known that each host waits for its halo. */
double hs__boxes_step_waiting(const hs_box *box, const double *cycle_time, const double *halo_s, int hosts,
                              hs_step_model model);

/** Whether the boxes tile the domain. @return HS_OK; HS_ERR_INTERNAL with *error */
hs_status hs__boxes_tile(const hs_boxes_domain *domain, const hs_box *box, int hosts, hs_error *error);

#endif
