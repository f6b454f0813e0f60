/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/boxes/geometry.h"

#include "util/array.h"
#include <math.h>

#define MAX_WIDTH ((int64_t)1 << 26)
#define MAX_CELLS ((int64_t)1 << 53)

hs_status hs__method_check(hs_boxes_method method, int dims, hs_error *error)
{
    hs_boxes_method last = dims < 2 ? HS_BOXES_ROWS : dims < 3 ? HS_BOXES_COLUMNS : HS_BOXES_SLABS;
    if (method >= HS_BOXES_BEST && method <= last)
        return HS_OK;
    return hs_error_set(error, HS_ERR_ARG, 0, "method is %d, expected %d to %d in %d dimensions", (int)method,
                        (int)HS_BOXES_BEST, (int)last, dims);
}

hs_status hs__domain_check(const hs_boxes_domain *domain, hs_error *error)
{
    int64_t cells = 1;
    if (!domain)
        return hs_error_set(error, HS_ERR_ARG, 0, "domain is NULL, expected one to cut");
    if (domain->dims < 1 || domain->dims > HS__DIMS)
        return hs_error_set(error, HS_ERR_ARG, 0, "dims is %d, expected 1 to %d", domain->dims, (int)HS__DIMS);
    if (domain->stencil != HS_BOXES_FACES && domain->stencil != HS_BOXES_CORNERS)
        return hs_error_set(error, HS_ERR_ARG, 0, "stencil is %d, expected HS_BOXES_FACES or HS_BOXES_CORNERS",
                            (int)domain->stencil);
    for (int d = 0; d < domain->dims; d++) {
        int64_t extent = domain->extent[d];
        if (extent < 1 || extent >= MAX_WIDTH)
            return hs_error_set(error, HS_ERR_ARG, 0, "extent[%d] is %lld, expected 1 to %lld", d, (long long)extent,
                                (long long)MAX_WIDTH - 1);
        if (domain->halo < 0 || domain->halo > extent)
            return hs_error_set(error, HS_ERR_ARG, 0, "halo is %lld, expected 0 to the smallest extent, here %lld",
                                (long long)domain->halo, (long long)extent);
        if (domain->periodic[d] != 0 && domain->periodic[d] != 1)
            return hs_error_set(error, HS_ERR_ARG, 0, "periodic[%d] is %d, expected 0 or 1", d, domain->periodic[d]);
        int64_t width = extent + 2 * domain->halo;
        if (width >= MAX_WIDTH || cells > MAX_CELLS / width)
            return hs_error_set(error, HS_ERR_ARG, 0,
                                "the domain has too many cells: expected below 2^26 a dimension "
                                "and 2^53 together, halo included");
        cells *= width;
    }
    return HS_OK;
}

hs_boxes_domain hs__domain_complete(const hs_boxes_domain *domain)
{
    hs_boxes_domain whole = *domain;
    for (int d = domain->dims; d < HS__DIMS; d++) {
        whole.extent[d] = 1;
        whole.periodic[d] = 0;
    }
    return whole;
}

int64_t hs__box_cells(const hs_box *box)
{
    int64_t cells = 1;
    for (int d = 0; d < HS__DIMS; d++)
        cells *= box->count[d];
    return cells;
}

hs_box hs__box_owned(const hs_boxes_domain *domain, const hs_box *box, int64_t halo)
{
    hs_box owned = *box;
    if (hs__box_cells(box) == 0)
        return owned;
    for (int d = 0; d < domain->dims; d++) {
        if (domain->periodic[d])
            continue;
        if (box->first[d] == 0) {
            owned.first[d] -= halo;
            owned.count[d] += halo;
        }
        if (box->first[d] + box->count[d] == domain->extent[d])
            owned.count[d] += halo;
    }
    return owned;
}

hs_box hs__box_grown(const hs_boxes_domain *domain, const hs_box *box, int64_t halo)
{
    hs_box grown = *box;
    if (hs__box_cells(box) == 0)
        return grown;
    for (int d = 0; d < domain->dims; d++) {
        grown.first[d] -= halo;
        grown.count[d] += 2 * halo;
    }
    return grown;
}

/* A dimension that the box spans brings nothing by itself: its ends are a fixed boundary, or the box's own cells. */
int64_t hs__box_halo_cells(const hs_boxes_domain *domain, const hs_box *box)
{
    hs_box owned = hs__box_owned(domain, box, domain->halo), grown = hs__box_grown(domain, box, domain->halo);
    int64_t inner = 1, outer = 1, faces = 0, cells = hs__box_cells(&owned);
    if (hs__box_cells(box) == 0)
        return 0;
    for (int d = 0; d < HS__DIMS; d++) {
        int spans = box->count[d] == domain->extent[d];
        inner *= spans ? grown.count[d] : owned.count[d];
        outer *= grown.count[d];
        faces += spans ? 0 : cells / owned.count[d] * (grown.count[d] - owned.count[d]);
    }
    return domain->stencil == HS_BOXES_FACES ? faces : outer - inner;
}

/* ---- Pieces. ---- */

/* What two boxes share; 1 when that is anything. */
static int intersect(const hs_box *a, const hs_box *b, hs_box *shared)
{
    for (int d = 0; d < HS__DIMS; d++) {
        int64_t first = a->first[d] > b->first[d] ? a->first[d] : b->first[d];
        int64_t a_end = a->first[d] + a->count[d], b_end = b->first[d] + b->count[d];
        shared->first[d] = first;
        shared->count[d] = (a_end < b_end ? a_end : b_end) - first;
        if (shared->count[d] <= 0)
            return 0;
    }
    return 1;
}

int64_t hs__box_common(const hs_box *a, const hs_box *b)
{
    hs_box shared;
    return intersect(a, b, &shared) ? hs__box_cells(&shared) : 0;
}

/* The next of the combinations of -1, 0 and 1 in the dimensions where they are allowed; 0 after the last. */
static int advance(int *v, const int *allowed)
{
    for (int d = HS__DIMS - 1; d >= 0; d--) {
        if (allowed[d] && v[d] < 1) {
            v[d]++;
            return 1;
        }
        v[d] = allowed[d] ? -1 : 0;
    }
    return 0;
}

static void start(int *v, const int *allowed)
{
    for (int d = 0; d < HS__DIMS; d++)
        v[d] = allowed[d] ? -1 : 0;
}

/* The cells of `grown` on one side of `owned`; counts may be 0. */
static hs_box region(const hs_box *grown, const hs_box *owned, const int *side)
{
    hs_box part;
    for (int d = 0; d < HS__DIMS; d++) {
        int64_t end = owned->first[d] + owned->count[d];
        part.first[d] = side[d] < 0 ? grown->first[d] : side[d] == 0 ? owned->first[d] : end;
        part.count[d] = side[d] < 0   ? owned->first[d] - grown->first[d]
                        : side[d] > 0 ? grown->first[d] + grown->count[d] - end
                                      : owned->count[d];
    }
    return part;
}

/* Adds what `source` and its periodic images have of a region. */
static hs_status add_images(const hs_boxes_domain *domain, const hs_box *wanted, const hs_box *source, const int *side,
                            int host, hs__piece_list *list)
{
    int turn[HS__DIMS];
    start(turn, domain->periodic);
    do {
        hs_box_piece piece = {.host = host};
        hs_box image = *source;
        for (int d = 0; d < HS__DIMS; d++) {
            piece.side[d] = side[d];
            piece.shift[d] = turn[d] * domain->extent[d];
            image.first[d] += piece.shift[d];
        }
        if (!intersect(wanted, &image, &piece.cells))
            continue;
        if (hs__array_reserve(&list->piece, &list->capacity, list->count + 1, sizeof piece) != 0)
            return HS_ERR_NOMEM;
        list->piece[list->count++] = piece;
    } while (advance(turn, domain->periodic));
    return HS_OK;
}

static int is_needed(const hs_boxes_domain *domain, const int *side)
{
    int sides = 0;
    for (int d = 0; d < HS__DIMS; d++)
        sides += side[d] != 0;
    return sides == 1 || (sides > 1 && domain->stencil == HS_BOXES_CORNERS);
}

hs_status hs__pieces_of_halo(const hs_boxes_domain *domain, const hs_box *sink, const hs_box *source, int host,
                             hs__piece_list *list)
{
    static const int everywhere[HS__DIMS] = {1, 1, 1};
    hs_box grown = hs__box_grown(domain, sink, domain->halo), owned = hs__box_owned(domain, sink, domain->halo);
    hs_box had = hs__box_owned(domain, source, domain->halo);
    int side[HS__DIMS];
    start(side, everywhere);
    do {
        hs_box part = region(&grown, &owned, side);
        hs_status status = is_needed(domain, side) ? add_images(domain, &part, &had, side, host, list) : HS_OK;
        if (status != HS_OK)
            return status;
    } while (advance(side, everywhere));
    return HS_OK;
}

hs_status hs__pieces_of_box(const hs_boxes_domain *domain, int64_t halo, const hs_box *sink, const hs_box *source,
                            int host, hs__piece_list *list)
{
    static const int nowhere[HS__DIMS] = {0};
    hs_box grown = hs__box_grown(domain, sink, halo), had = hs__box_owned(domain, source, halo);
    return add_images(domain, &grown, &had, nowhere, host, list);
}

hs_status hs__list_halo(const hs_boxes_domain *domain, const hs_box *box, int hosts, int sink, hs__piece_list *list)
{
    hs_status status = HS_OK;
    for (int i = 0; i < hosts && status == HS_OK; i++)
        status = hs__pieces_of_halo(domain, &box[sink], &box[i], i, list);
    return status;
}

hs_box hs__piece_at_owner(const hs_box_piece *piece)
{
    hs_box cells = piece->cells;
    for (int d = 0; d < HS__DIMS; d++)
        cells.first[d] -= piece->shift[d];
    return cells;
}

/* ---- Times, and whether boxes tile. ---- */

static double box_step(const hs_box *box, double cycle_time, double halo_s, hs_step_model model)
{
    double compute = (double)hs__box_cells(box) * cycle_time;
    return model == HS_STEP_OVERLAP ? fmax(compute, halo_s) : compute + halo_s;
}

double hs__boxes_step(const hs_boxes_domain *domain, const hs_box *box, const double *cycle_time,
                      const double *halo_time, int hosts, hs_step_model model)
{
    double longest = 0;
    for (int i = 0; i < hosts; i++) {
        double halo = halo_time ? (double)hs__box_halo_cells(domain, &box[i]) * halo_time[i] : 0;
        if (hs__box_cells(&box[i]) > 0)
            longest = fmax(longest, box_step(&box[i], cycle_time[i], halo, model));
    }
    return longest;
}

double hs__boxes_step_waiting(const hs_box *box, const double *cycle_time, const double *halo_s, int hosts,
                              hs_step_model model)
{
    double longest = 0;
    for (int i = 0; i < hosts; i++)
        if (hs__box_cells(&box[i]) > 0)
            longest = fmax(longest, box_step(&box[i], cycle_time[i], halo_s[i], model));
    return longest;
}

/* Boxes that lie in the domain, meet nowhere and have as many cells tile it. */
hs_status hs__boxes_tile(const hs_boxes_domain *domain, const hs_box *box, int hosts, hs_error *error)
{
    int64_t cells = 0, all = 1;
    hs_box shared;
    for (int d = 0; d < HS__DIMS; d++)
        all *= domain->extent[d];
    for (int i = 0; i < hosts; i++) {
        for (int d = 0; d < HS__DIMS; d++)
            if (box[i].first[d] < 0 || box[i].count[d] < 0 || box[i].count[d] > domain->extent[d] - box[i].first[d])
                return hs_error_set(error, HS_ERR_INTERNAL, 0, "the box of host %d lies outside of the domain", i);
        cells += hs__box_cells(&box[i]);
        for (int k = 0; k < i; k++)
            if (intersect(&box[i], &box[k], &shared))
                return hs_error_set(error, HS_ERR_INTERNAL, 0, "the boxes of hosts %d and %d meet", k, i);
    }
    if (cells != all)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the boxes have %lld cells, the domain %lld", (long long)cells,
                            (long long)all);
    return HS_OK;
}
