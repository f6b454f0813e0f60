/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_BOX_LAYOUT_H
#define HETEROSLICE_HS_BOX_LAYOUT_H

/* Arrays over a domain in one to three dimensions, one box a rank with a halo around it, cut for unequal ranks as
 * hs_boxes.h plans it and balanced while the program runs. What a code with MPI_Cart has to change:
 *
 *     hs_boxes_domain domain = {.dims = 2, .extent = {rows, columns}, .halo = 1};
 *     hs_box_create(ctx, &domain, NULL, &layout);                     // in place of MPI_Dims_create, MPI_Cart_create
 *     hs_box_add_array(layout, sizeof(double), (void **)&u);          // in place of malloc
 *     for (...) {
 *         hs_box_exchange_start(layout, u);                           // in place of eight sends and receives
 *         inner_cells(u, hs_box_mine(layout), hs_box_stride(layout, 0));
 *         hs_box_exchange_wait(layout, u);
 *         outer_cells(...);
 *         hs_box_balance(layout);
 *     }
 *
 * A code that keeps its own exchange asks for HS_BOXES_GRID (or HS_BOXES_GRID_3D) and hs_box_shift(), or for any method and
 * hs_box_neighbours(). "Collective", time-outs and error texts are as in hs_runtime.h; ranks are those of hs_comm(). */

#include <heteroslice/hs_boxes.h>
#include <heteroslice/hs_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A layout of boxes; ended by hs_box_free() or hs_finalize(). */
typedef struct hs_box_layout hs_box_layout;

/** How to cut. Zero means the default everywhere, a NULL pointer to it as well. The size of the struct never changes:
 * later versions take new fields from `reserved`, where 0 is the default. */
typedef struct hs_box_params {
    hs_boxes_method method; /* Default: the one with the shortest step, now and whenever boxes are cut anew */
    int64_t halo_bytes;     /* of a halo cell that a step receives, over all arrays exchanged. Default: 8 */
    int64_t steps;          /* hs_box_balance() calls to come, so that nothing moves when those left cannot
                               earn what moving costs. Default: not known */
    int64_t reserved[8];    /* all 0 */
} hs_box_params;

/** Cut a domain into one box a rank by the ratios of the ranks' speeds, as hs_layout_create() knows them. Collective.
 *
 * Halos count at first when hs_params.work is known, later always. Where hs_init() has a platform of up to 256 hosts with
 * routes, they are charged to the links that they cross, and ranks are laid so that few halo bytes cross slow ones. Ranks
 * that only slow the step get no cells.
 * @param[in]  domain  the same on all ranks
 * @param[in]  params  the same on all ranks; NULL: the defaults
 * @param[out] layout  on HS_OK a new object
 * @return HS_OK; HS_ERR_ARG; HS_ERR_MISMATCH (ranks passed different values); HS_ERR_TIMEOUT; HS_ERR_MPI; HS_ERR_NOMEM */
HS_API hs_status hs_box_create(hs_context *context, const hs_boxes_domain *domain, const hs_box_params *params,
                               hs_box_layout **layout);

/** Free a layout and its arrays; the registered pointers become NULL. What none of them points to any more stays allocated.
 * Local; NULL is fine. */
HS_API void hs_box_free(hs_box_layout *layout);

/** Allocate this rank's box of an array with its halo, zeroed, and register it to move with the layout. Collective.
 *
 * *data points to the first cell of the box; cell (i, j, k) of the box is i * stride(0) + j * stride(1) + k cells behind
 * it, halo cells have indices from -halo to count + halo - 1. *data is NULL while the box has no cells. hs_box_balance()
 * and hs_box_rebalance() and nothing else change *data; the program may swap two registered pointers of equal cell_bytes,
 * on all ranks alike. When it has changed one in another way, they return HS_ERR_ARG where cells would move, and nothing
 * moves. A layout has at most 16383 arrays.
 * @param[in]     cell_bytes  1 to INT_MAX, the same on every rank
 * @param[in,out] data        where the program keeps its pointer, and nothing else of the context; must stay valid as long
 *                            as the layout
 * @return HS_OK; HS_ERR_ARG; HS_ERR_MISMATCH; HS_ERR_TIMEOUT; HS_ERR_MPI; HS_ERR_NOMEM (on some rank; nothing is
 *         registered on any) */
HS_API hs_status hs_box_add_array(hs_box_layout *layout, int64_t cell_bytes, void **data);

/* ---- Accessors. All local; what is lent holds until the next call that may move ---- */

/** This rank's box, and all of them: array of the communicator's size, lent. */
HS_API hs_box hs_box_mine(const hs_box_layout *layout);
HS_API const hs_box *hs_box_all(const hs_box_layout *layout);

/** Cells from one index to the next along dimension d; 0 while the box has no cells. */
HS_API int64_t hs_box_stride(const hs_box_layout *layout, int d);

/** Which of the methods, never HS_BOXES_BEST. */
HS_API hs_boxes_method hs_box_method(const hs_box_layout *layout);

/** The ranks of which this one receives halo cells, by rank, and the cells: array of *count pieces, lent; host is the
 * rank. What this rank sends to another is what that one's pieces say. */
HS_API const hs_box_piece *hs_box_neighbours(const hs_box_layout *layout, int *count);

/** As MPI_Cart_shift(): the ranks before and behind this one along dimension d of rows or a grid (of two or three
 * dimensions); MPI_PROC_NULL at a fixed border, on a rank without cells, and in a domain without halo.
 * @return HS_OK; HS_ERR_STATE (columns of boxes, and slabs, have several neighbours on a side); HS_ERR_ARG (d): nothing is
 *         written */
HS_API hs_status hs_box_shift(const hs_box_layout *layout, int d, int *before, int *behind);

/** Seconds of a step by the model, with the speeds that the last phase or cut saw; only relative before the first phase, and
 * with the speeds of kernels where hs_params.work is known. */
HS_API double hs_box_step_time(const hs_box_layout *layout);

/* ---- Exchanging halos, by persistent requests: one message to and from each neighbour ---- */

/** Start to receive the halo of an array and to send its cells. The program may compute what needs no halo meanwhile, and
 * changes no cell within `halo` of the border. Without neighbours nothing happens. Called by all ranks for the same arrays, of
 * this and other layouts in any order.
 * @param[in] data  the present value of a registered pointer
 * @return HS_OK; HS_ERR_ARG (no array is there); HS_ERR_STATE (it was started already); HS_ERR_MPI */
HS_API hs_status hs_box_exchange_start(hs_box_layout *layout, void *data);

/** Wait until the halo is there and the cells are sent. Counts as waiting in MPI.
 * @return HS_OK; HS_ERR_ARG; HS_ERR_STATE (it was not started); HS_ERR_MPI */
HS_API hs_status hs_box_exchange_wait(hs_box_layout *layout, void *data);

/* ---- Moving. Cells go straight from the owner they have to the owner they get, with boundary values and halos. A rank
 *      keeps its old box until it has received the new one, so twice its arrays must fit in memory. ---- */

/** Say that one step has ended; moves boxes when that pays. Collective. Between two decisions it costs a counter; when and
 * why it moves is as in hs_balance(). Borders slide where that is nearly as good as a new cut. No exchange may be under way.
 * @return HS_UNCHANGED: nothing moved. HS_OK: ask for box, strides, neighbours and pointers again. HS_ERR_STATE: an exchange
 *         is under way on this rank, or where boxes were to move on any: they stay, and the step counts. HS_ERR_MISMATCH,
 *         HS_ERR_TIMEOUT: some rank did something else. HS_ERR_ARG (a program changed pointers), HS_ERR_NOMEM, HS_ERR_MPI: a
 *         move failed; every rank is still on its old box. HS_ERR_INTERNAL likewise: with HS_CHECK=1, some cell did not
 *         arrive as it was */
HS_API hs_status hs_box_balance(hs_box_layout *layout);

/** Cut anew for these speeds, now, whatever that costs. Collective.
 * @param[in] speed  cells a second by rank, array of the communicator's size, each >= 0 and finite, one above 0, the same
 *                   on all ranks; borrowed
 * @return HS_OK; HS_UNCHANGED (the boxes are those already); errors as hs_box_balance(), and HS_ERR_ARG;
 *         HS_ERR_INFEASIBLE */
HS_API hs_status hs_box_rebalance(hs_box_layout *layout, const double *speed);

/** Bracket the computing part of a step explicitly. Once used, only bracketed time counts as compute. Local. */
HS_API void hs_box_compute_begin(hs_box_layout *layout);
HS_API void hs_box_compute_end(hs_box_layout *layout);

/** What has been done so far on this layout; equal on all ranks but for the seconds. */
typedef struct hs_box_stats {
    int64_t steps;       /* hs_box_balance() calls */
    int64_t phases;      /* decisions taken */
    int64_t moves;       /* moves carried out, also those asked for */
    int64_t slides;      /* of them, those that slid borders only */
    int64_t moved_cells; /* cells that changed owner, all moves together */
    int64_t moved_bytes; /* the same in bytes over all arrays */
    double decide_s;     /* seconds this rank spent measuring and deciding, waiting for others included */
    double move_s;       /* seconds this rank spent moving */
    double compute_s;    /* seconds this rank computed, over the finished phases */
} hs_box_stats;

/** What balancing has done so far on this layout. Local. */
HS_API void hs_box_get_stats(const hs_box_layout *layout, hs_box_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
