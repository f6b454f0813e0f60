/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes between phases. Two candidates: the hosts where they stand, with borders that slide, and a new cut. */
#include "runtime/boxes/boxes.h"
#include "runtime/watch/library.h"
#include "util/assert.h"
#include <math.h>

/* Borders slide unless a new cut has a step shorter by more than this: sliding moves fewer cells. */
#define SLIDING_IS_FINE (1 + HS__DECIDE_LEAST_GAIN)

static void drop_candidate(hs_box_layout *layout)
{
    hs_boxes_free(layout->candidate);
    layout->candidate = NULL;
}

/* Plans borders that slide and a new cut, and keeps one of them. */
static hs_status plan_both(void *place, const double *cycle, double *step)
{
    hs_box_layout *layout = place;
    hs_boxes_params with = {.method = layout->params.method, .held = layout->plan};
    hs__boxes_costs costs = hs__box_costs(layout, cycle);
    hs_boxes *slid = NULL, *cut = NULL;
    hs_status status = hs__boxes_create(&layout->domain, &costs, &with, &slid, NULL);
    with.held = NULL;
    if (status == HS_OK || status == HS_ERR_INFEASIBLE) /* none that can compute has a place in the held plan */
        status = hs__boxes_create(&layout->domain, &costs, &with, &cut, NULL);
    int slides = slid && cut && hs_boxes_step_time(slid) <= SLIDING_IS_FINE * hs_boxes_step_time(cut);
    hs_boxes_free(slides && status == HS_OK ? cut : slid);
    if (status != HS_OK) {
        hs_boxes_free(cut);
        return status;
    }
    layout->candidate = slides ? slid : cut;
    *step = hs_boxes_step_time(layout->candidate);
    return HS_OK;
}

static hs_status plan(void *place, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    hs_box_layout *layout = place;
    drop_candidate(layout);
    const hs__boxes_costs costs = hs__box_costs(layout, cycle);
    hs_status status = hs__boxes_time(&layout->domain, &costs, hs_boxes_all(layout->plan), &layout->step_s);
    if (costs.network) /* it takes memory */
        status = hs__balancer_agree(&layout->balancer, status);
    *now = layout->step_s;
    if (status == HS_OK)
        status = hs__balancer_plan(&layout->balancer, phase, cycle, *now, best, plan_both);
    if (status != HS_OK)
        drop_candidate(layout);
    return status;
}

static int64_t traffic(const void *place)
{
    const hs_box_layout *layout = place;
    int64_t busiest = 0;
    if (layout->candidate)
        hs__box_moved_cells(hs_boxes_all(layout->plan), hs_boxes_all(layout->candidate), layout->context->size,
                            &busiest);
    return busiest;
}

static double cell_bytes(void *place)
{
    const hs_box_layout *layout = place;
    double bytes = 0;
    for (size_t a = 0; a < layout->array_count; a++)
        bytes += (double)layout->arrays[a].cell_bytes;
    return bytes;
}

/* Moves to a plan, which the layout owns then. */
static hs_status move_to(hs_box_layout *layout, hs_boxes *plan, int slides)
{
    int64_t before = layout->stats.moved_cells;
    hs_status status = hs__box_move(layout, plan);
    if (status != HS_OK)
        return status;
    layout->stats.slides += slides;
    if (layout->context->rank == 0)
        hs__context_log(layout->context, HS__LOG_INFO, "moved %lld cells by %s at step %lld",
                        (long long)(layout->stats.moved_cells - before), slides ? "sliding borders" : "a new cut",
                        (long long)layout->balancer.counts.iterations);
    return HS_OK;
}

static hs_status carry_out(void *place)
{
    hs_box_layout *layout = place;
    hs_status status = move_to(layout, layout->candidate, hs__boxes_same_places(layout->plan, layout->candidate));
    if (status == HS_OK)
        layout->candidate = NULL;
    return status;
}

/* Neighbours of neighbours are soon in step: an iteration is lag enough. */
const hs__balance_kind hs__box_kind = {
    HS__OP_BOX_BALANCE, {.plan = plan, .traffic = traffic}, NULL, cell_bytes, carry_out, 1, NULL, NULL, NULL};

/* The step counts on a rank that is refused, too, so that the others do not wait for it. */
hs_status hs_box_balance(hs_box_layout *layout)
{
    HS__RETURN_IF_NULL(layout);
    HS_ASSERT_SOUND(hs__box_layout_check, layout);
    hs_status status = hs__balancer_step(&layout->balancer);
    return status == HS_UNCHANGED && hs__box_exchanging(layout) ? hs__box_refuse_exchange(layout, __func__) : status;
}

/* As hs_box_rebalance(). */
static hs_status rebalance(hs_box_layout *layout, const double *speed)
{
    static const char *const names[HS__RECORD_VALUES] = {"~list of speeds"};
    hs_context *context = layout->context;
    hs_boxes *new = NULL;
    hs_error error = {0, ""};
    hs_status status = hs__context_begin(context, "hs_box_rebalance");
    if (status != HS_OK)
        return status;
    hs_status mine = hs__box_refuse_exchange(layout, "hs_box_rebalance");
    if (mine == HS_OK && !speed)
        mine = hs__context_fail(context, HS_ERR_ARG, "hs_box_rebalance: speed is NULL, expected one a rank");
    for (int r = 0; speed && r < context->size; r++) {
        layout->cycle[r] = 1 / speed[r];
        if (mine == HS_OK && !(speed[r] >= 0 && isfinite(speed[r])))
            mine = hs__context_fail(context, HS_ERR_ARG,
                                    "hs_box_rebalance: speed[%d] is %g, expected 0 or more, and finite", r, speed[r]);
    }
    hs_boxes_params with = {.method = layout->params.method};
    hs__boxes_costs costs = hs__box_costs(layout, layout->cycle);
    if (mine == HS_OK)
        mine = hs__boxes_create(&layout->domain, &costs, &with, &new, &error);
    if (mine < 0 && error.text[0])
        hs__context_fail(context, mine, "hs_box_rebalance: %s", error.text);
    hs__record record = {HS__OP_BOX_REBALANCE, mine, {new ? hs__box_plan_hash(new, context->size) : 0}, {0}};
    status = hs__agree(context, &record, names);
    if (status == HS_OK && hs__box_plan_hash(layout->plan, context->size) == record.value[0])
        status = HS_UNCHANGED;
    if (status == HS_OK)
        status = move_to(layout, new, hs__boxes_same_places(layout->plan, new));
    if (status != HS_OK)
        hs_boxes_free(new);
    hs__balancer_restart(&layout->balancer);
    return status;
}

hs_status hs_box_rebalance(hs_box_layout *layout, const double *speed)
{
    fenv_t program;
    HS__RETURN_IF_NULL(layout);
    hs__library_enter(&program);
    hs_status status = rebalance(layout, speed);
    hs__library_leave(&program);
    return status;
}

void hs_box_compute_begin(hs_box_layout *layout)
{
    hs__computing_bracket(&layout->balancer.computing);
}

void hs_box_compute_end(hs_box_layout *layout)
{
    hs__computing_unbracket(&layout->balancer.computing);
}
