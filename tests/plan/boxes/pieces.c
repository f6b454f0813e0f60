/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces of halos against a count of cells, one by one. */
#include "plan/boxes/boxes.h"
#include "plan/boxes/geometry.h"
#include "tests/unit.h"
#include "util/random.h"

enum { MAX_HOSTS = 7 };

static int64_t wrapped(const hs_boxes_domain *d, int dim, int64_t x)
{
    return d->periodic[dim] ? (x % d->extent[dim] + d->extent[dim]) % d->extent[dim] : x;
}

/* The owner of a cell of the domain or of its fixed boundary. */
static int owner(const hs_boxes_domain *d, const hs_box *box, int hosts, const int64_t *cell)
{
    for (int i = 0; i < hosts; i++) {
        int inside = hs__box_cells(&box[i]) > 0;
        for (int k = 0; k < HS__DIMS; k++) {
            int64_t x = wrapped(d, k, cell[k]), last = d->extent[k] - 1;
            x = x < 0 ? 0 : x > last ? last : x;
            inside &= x >= box[i].first[k] && x < box[i].first[k] + box[i].count[k];
        }
        if (inside)
            return i;
    }
    return -1;
}

/* On how many sides a cell lies outside of what a box owns, 0: not at all; -1 when it is not in the halo. */
static int outside(const hs_boxes_domain *d, const hs_box *box, const int64_t *cell)
{
    hs_box owned = hs__box_owned(d, box, d->halo), grown = hs__box_grown(d, box, d->halo);
    int sides = 0;
    for (int k = 0; k < HS__DIMS; k++) {
        if (cell[k] < grown.first[k] || cell[k] >= grown.first[k] + grown.count[k])
            return -1;
        sides += cell[k] < owned.first[k] || cell[k] >= owned.first[k] + owned.count[k];
    }
    return sides;
}

static int has(const hs_box_piece *p, const int64_t *cell)
{
    for (int k = 0; k < HS__DIMS; k++)
        if (cell[k] < p->cells.first[k] || cell[k] >= p->cells.first[k] + p->cells.count[k])
            return 0;
    return 1;
}

/* Every halo cell that the stencil needs is in one piece, from its owner; no other cell is in any. */
static int64_t check_cell(const hs_boxes *plan, int host, const hs_box_piece *piece, int count, const int64_t *cell)
{
    const hs_boxes_domain *d = &plan->domain;
    int sides = outside(d, &plan->box[host], cell), found = 0;
    int needed = sides == 1 || (sides > 1 && d->stencil == HS_BOXES_CORNERS),
        from = owner(d, plan->box, plan->hosts, cell);
    for (int p = 0; p < count; p++) {
        if (!has(&piece[p], cell))
            continue;
        found++;
        assert_int_equal(piece[p].host, from);
        for (int k = 0; k < HS__DIMS; k++) {
            int64_t there = cell[k] - piece[p].shift[k];
            assert_true(there == wrapped(d, k, cell[k]));
            assert_int_equal(piece[p].shift[k] % d->extent[k], 0);
        }
    }
    assert_int_equal(found, needed);
    return needed && from != host;
}

/* Who needs cells of whom is mutual, though the pieces differ where columns have borders of their own. */
static void check_pairs(const hs_boxes *plan)
{
    int count[MAX_HOSTS], needs[MAX_HOSTS][MAX_HOSTS] = {{0}};
    for (int i = 0; i < plan->hosts; i++) {
        hs_box_piece *piece = NULL;
        assert_int_equal(hs_boxes_halo(plan, i, &piece, &count[i]), HS_OK);
        for (int p = 0; p < count[i]; p++)
            needs[i][piece[p].host] = 1;
        free(piece);
    }
    for (int i = 0; i < plan->hosts; i++)
        for (int k = 0; k < i; k++)
            assert_int_equal(needs[i][k], needs[k][i]);
}

/* @return halo cells from others */
static int64_t check_host(const hs_boxes *plan, int host)
{
    hs_box grown = hs__box_grown(&plan->domain, &plan->box[host], plan->domain.halo);
    hs_box_piece *piece = NULL;
    int count = 0;
    int64_t cells = 0, cell[HS__DIMS];
    assert_int_equal(hs_boxes_halo(plan, host, &piece, &count), HS_OK);
    if (hs__box_cells(&grown) > 0)
        for (cell[0] = grown.first[0] - 1; cell[0] <= grown.first[0] + grown.count[0]; cell[0]++)
            for (cell[1] = grown.first[1] - 1; cell[1] <= grown.first[1] + grown.count[1]; cell[1]++)
                for (cell[2] = grown.first[2] - 1; cell[2] <= grown.first[2] + grown.count[2]; cell[2]++)
                    cells += check_cell(plan, host, piece, count, cell);
    free(piece);
    return cells;
}

static hs_boxes_domain draw_domain(hs__random *random)
{
    hs_boxes_domain d = {.dims = 1 + (int)hs__random_below(random, 3)};
    for (int k = 0; k < d.dims; k++) {
        d.extent[k] = 2 + hs__random_below(random, k < 2 ? 11 : 5);
        d.periodic[k] = (int)hs__random_below(random, 2);
    }
    d.halo = hs__random_below(random, 3);
    d.stencil = (hs_boxes_stencil)hs__random_below(random, 2);
    return d;
}

static int are_wide(const hs_boxes *plan)
{
    for (int i = 0; i < plan->hosts; i++)
        for (int k = 0; k < plan->domain.dims; k++)
            if (hs__box_cells(&plan->box[i]) > 0 && plan->box[i].count[k] < plan->domain.halo)
                return 0;
    return 1;
}

static void halos_are_whole(void **state)
{
    hs__random random = {11};
    int wide = 0;
    for (int trial = 0; trial < 400; trial++) {
        hs_boxes_domain d = draw_domain(&random);
        int hosts = 1 + (int)hs__random_below(&random, MAX_HOSTS);
        double cycle[MAX_HOSTS];
        hs_boxes *plan;
        for (int i = 0; i < hosts; i++)
            cycle[i] = 0.3 + hs__random_unit(&random);
        hs_boxes_params params = {.method = (hs_boxes_method)(trial % (d.dims == 1 ? 2 : d.dims == 2 ? 4 : 6))};
        assert_int_equal(hs_boxes_create(&d, cycle, NULL, hosts, &params, &plan, NULL), HS_OK);
        for (int i = 0; i < hosts; i++) {
            int64_t cells = check_host(plan, i);
            if (are_wide(plan))
                assert_int_equal(hs_boxes_halo_cells(plan, i), cells);
        }
        wide += are_wide(plan);
        check_pairs(plan);
        hs_boxes_free(plan);
    }
    assert_true(wide > 100);
}

/* Both ends of a message list its pieces alike: what sink's list has of source is what one pair gives. */
static void pairs_agree_with_lists(void **state)
{
    const hs_boxes_domain d = {2, {9, 8}, {1, 0}, 2, HS_BOXES_CORNERS};
    const double cycle[] = {1, 2, 3, 4, 5};
    hs_boxes *plan;
    assert_int_equal(hs_boxes_create(&d, cycle, NULL, 5, NULL, &plan, NULL), HS_OK);
    for (int sink = 0; sink < 5; sink++) {
        hs_box_piece *piece = NULL;
        int count = 0, at = 0;
        assert_int_equal(hs_boxes_halo(plan, sink, &piece, &count), HS_OK);
        for (int source = 0; source < 5; source++) {
            hs__piece_list pair = {0};
            assert_int_equal(hs__pieces_of_halo(&plan->domain, &plan->box[sink], &plan->box[source], source, &pair),
                             HS_OK);
            for (size_t k = 0; k < pair.count; k++)
                assert_memory_equal(&piece[at++], &pair.piece[k], sizeof *piece);
            free(pair.piece);
        }
        assert_int_equal(at, count);
        free(piece);
    }
    hs_boxes_free(plan);
}

/* Old boxes have every cell of a new box and its halo, each once. */
static void new_boxes_are_covered(void **state)
{
    hs__random random = {13};
    for (int trial = 0; trial < 200; trial++) {
        hs_boxes_domain d = draw_domain(&random);
        int hosts = 1 + (int)hs__random_below(&random, MAX_HOSTS);
        double cycle[2][MAX_HOSTS];
        hs_boxes *plan[2];
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < hosts; i++)
                cycle[k][i] = 0.3 + hs__random_unit(&random);
            assert_int_equal(hs_boxes_create(&d, cycle[k], NULL, hosts, NULL, &plan[k], NULL), HS_OK);
        }
        for (int sink = 0; sink < hosts; sink++) {
            const hs_boxes_domain *whole = &plan[0]->domain;
            hs_box grown = hs__box_grown(whole, &plan[1]->box[sink], d.halo);
            hs__piece_list list = {0};
            int64_t cells = 0;
            for (int source = 0; source < hosts; source++)
                assert_int_equal(
                    hs__pieces_of_box(whole, d.halo, &plan[1]->box[sink], &plan[0]->box[source], source, &list), HS_OK);
            for (size_t k = 0; k < list.count; k++)
                cells += hs__box_cells(&list.piece[k].cells);
            assert_int_equal(cells, hs__box_cells(&grown));
            free(list.piece);
        }
        hs_boxes_free(plan[0]);
        hs_boxes_free(plan[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halos_are_whole),
        cmocka_unit_test(pairs_agree_with_lists),
        cmocka_unit_test(new_boxes_are_covered),
    };
    return cmocka_run_group_tests_name("boxes: pieces", tests, NULL, NULL);
}
