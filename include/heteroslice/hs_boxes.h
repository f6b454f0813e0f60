/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_BOXES_H
#define HETEROSLICE_HS_BOXES_H

/* A domain of cells in one to three dimensions, cut into one box a host so that a step of hosts of unequal speed takes
 * the least time: computing its cells, and receiving its halo over its own link. Dimensions are counted as in a C array,
 * the slowest first: rows, columns, layers. */

#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_slices.h>
#include <heteroslice/hs_status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HS_BOXES_MAX_DIMS = 3, HS_BOXES_MAX_HOSTS = 1 << 17 };

/** The cells first[d] to first[d] + count[d] - 1 of each dimension d. A dimension that the domain has not has first 0 and
 * count 1. No cells: first and count are all 0. */
typedef struct hs_box {
    int64_t first[HS_BOXES_MAX_DIMS], count[HS_BOXES_MAX_DIMS];
} hs_box;

typedef enum hs_boxes_stencil {
    HS_BOXES_FACES,  /* a step needs neighbours along one dimension: 5-point and 7-point stencils */
    HS_BOXES_CORNERS /* and across edges and corners: 9-point and 27-point stencils */
} hs_boxes_stencil;

/** What is cut. Members of dimensions from dims on are ignored. */
typedef struct hs_boxes_domain {
    int dims;                          /* 1 to HS_BOXES_MAX_DIMS */
    int64_t extent[HS_BOXES_MAX_DIMS]; /* cells, >= 1; with the halo at both ends below 2^26, all cells below 2^53 */
    int periodic[HS_BOXES_MAX_DIMS]; /* 1: cell `extent` is cell 0. 0: cells -halo .. -1 and extent .. extent + halo - 1
                                           are a fixed boundary, kept by the boxes that touch it */
    int64_t halo;                    /* its width in cells, 0 to the smallest extent */
    hs_boxes_stencil stencil;        /* which halo cells a step needs */
} hs_boxes_domain;

/** Where the cuts go. Rows, a grid and columns leave the third dimension whole: boxes are plates or pencils there. */
typedef enum hs_boxes_method {
    HS_BOXES_BEST,    /* the one of those that the domain has dimensions for which has the least step time */
    HS_BOXES_ROWS,    /* whole rows, in the order of the hosts: few neighbours */
    HS_BOXES_GRID,    /* unequal rows and columns of hosts, as MPI_Cart has equal ones: a neighbour on each side */
    HS_BOXES_COLUMNS, /* columns, each cut into boxes of its own: a border may meet several neighbours */
    HS_BOXES_GRID_3D, /* unequal rows, columns and planes of hosts: a grid that cuts layers, too */
    HS_BOXES_SLABS    /* slabs across one of three dimensions, each cut into columns of boxes of its own */
} hs_boxes_method;

typedef struct hs_boxes hs_boxes;

/** The links that halos cross. All borrowed during the call. */
typedef struct hs_boxes_network {
    const hs_platform *platform;
    const int *host;   /* the platform's host of each host of the plan, array of length hosts; several may be on one */
    double cell_bytes; /* of a halo cell that a step receives, above 0 */
} hs_boxes_network;

/** How to cut. Zero means the default everywhere, a NULL pointer to it as well. The size of the struct never changes:
 * later versions take new fields from `reserved`, where 0 is the default. */
typedef struct hs_boxes_params {
    hs_boxes_method method; /* Default: the best */
    hs_step_model model;    /* Default: HS_STEP_SERIAL */
    const hs_boxes *held;   /* keep who stands where in this plan of the same domain and hosts, and change sizes only:
                               borders slide. Comes before method; borrowed */
    const hs_boxes_network
        *network;        /* charge halos to these links, in place of halo_time, and lay hosts so that few halo
                                        bytes cross slow ones. Default: halo_time */
    int64_t reserved[7]; /* all 0 */
} hs_boxes_params;

/** Cut a domain into boxes.
 *
 * Model:      host i with V cells and H halo cells takes V cycle_time[i] + H halo_time[i] seconds (serial) or the larger
 *             of the two (overlap); a host without cells takes none. Cells of a fixed boundary that lie beside the
 *             neighbour's travel as its halo does. Boxes at least as wide as the halo are taken for granted in H.
 *             With a network the halos of all hosts travel at once over the fixed routes: a SHARED link is busy for the
 *             sum of their bytes divided by its bandwidth, a FATPIPE link slows each message alone, and a host waits, in
 *             place of H halo_time[i], until the busiest of the links that its messages cross is done, both those that it
 *             receives and those that it sends. Among plans of equal steps the one whose links are less busy is taken.
 * Source:     grids: matmul-redistribution-2000, section 2.2 (MAX-GRID); columns: section 2.3 (COL-PERI-SUM on a
 *             rectangle).
 * Differs:    integer sizes for a domain that is no square, a third dimension, and speeds lowered by the time that halos
 *             take; see doc/algorithms/boxes.md.
 * Guarantee:  rows: exact when every slice of at least `halo` rows receives two faces. Others: heuristics. Never worse than
 *             the best of what it tries, nor than the fastest host alone if it may have all cells. Deterministic.
 *
 * @param[in]  cycle_time  seconds a cell, array of length hosts, each > 0; INFINITY: the host takes no cells
 * @param[in]  halo_time   seconds a halo cell takes over the host's link, array of length hosts, each >= 0 and finite;
 *                         NULL: halos take no time. Not used with a network
 * @param[in]  hosts       1 to HS_BOXES_MAX_HOSTS
 * @param[in]  params      NULL: the defaults
 * @param[out] plan        on HS_OK a new plan, freed with hs_boxes_free(); it refers to no argument
 * @param[out] error       on HS_ERR_ARG which value is wrong; may be NULL
 * @return HS_OK; HS_ERR_ARG; HS_ERR_INFEASIBLE (no host takes cells); HS_ERR_NOMEM; of a network HS_ERR_UNREACHABLE (no
 *         route between two hosts), HS_ERR_UNSUPPORTED (on more than HS_MAPPING_HOSTS_MAX of the platform's hosts) */
HS_API hs_status hs_boxes_create(const hs_boxes_domain *domain, const double *cycle_time, const double *halo_time,
                                 int hosts, const hs_boxes_params *params, hs_boxes **plan, hs_error *error);

/** Free a plan; NULL is fine. */
HS_API void hs_boxes_free(hs_boxes *plan);

/** Check a plan: the boxes tile the domain, and the step takes what it says with the times and the model it was made
 * with. Seconds in a network are those that the plan has.
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong; HS_ERR_NOMEM */
HS_API hs_status hs_boxes_check(const hs_boxes *plan, const double *cycle_time, const double *halo_time,
                                hs_step_model model, hs_error *error);

/* ---- Accessors ---- */

/** The boxes by host: array of length hosts, borrowed until the plan is freed. */
HS_API const hs_box *hs_boxes_all(const hs_boxes *plan);

/** Which of the methods it is, never HS_BOXES_BEST. */
HS_API hs_boxes_method hs_boxes_method_of(const hs_boxes *plan);

/** Seconds of a step by the model. */
HS_API double hs_boxes_step_time(const hs_boxes *plan);

/** Seconds that a host waits for its halo in the network; 0 when the plan was made without one. */
HS_API double hs_boxes_halo_time(const hs_boxes *plan, int host);

/** H of a host: the halo cells that it receives from others in a step. */
HS_API int64_t hs_boxes_halo_cells(const hs_boxes *plan, int host);

/** Hosts along each dimension of rows and grids, 1 where it is not cut.
 * @param[out] shape  array of length HS_BOXES_MAX_DIMS
 * @return HS_OK; HS_ERR_STATE for columns of boxes and slabs, which have no such lines of hosts: nothing is written */
HS_API hs_status hs_boxes_shape(const hs_boxes *plan, int *shape);

/** The host at row at[0], column at[1], plane at[2] of that shape; -1 outside of it, and for columns and slabs. It may have
 * no cells. */
HS_API int hs_boxes_host(const hs_boxes *plan, const int *at);

/** Part of a box's halo that one other box has. */
typedef struct hs_box_piece {
    int host;                    /* who has these cells; the box's own host where a periodic dimension meets itself */
    int side[HS_BOXES_MAX_DIMS]; /* -1: before the box, 1: behind it, 0: beside it. One that is not 0: a face;
                                         two: an edge; three: a corner */
    hs_box cells;                /* as the receiver counts them: outside of the domain where it is periodic */
    int64_t shift[HS_BOXES_MAX_DIMS]; /* the owner's cell is first - shift */
} hs_box_piece;

/** The halo of a host's box: every cell that a step needs is in one piece. By host, then from the first to the last cell.
 * @param[out] piece  on HS_OK an array that the caller ends with free(); NULL without pieces
 * @param[out] count  its length
 * @return HS_OK; HS_ERR_NOMEM */
HS_API hs_status hs_boxes_halo(const hs_boxes *plan, int host, hs_box_piece **piece, int *count);

#ifdef __cplusplus
}
#endif
#endif
