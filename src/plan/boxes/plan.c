/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/boxes/boxes.h"

#include "util/array.h"
#include "util/assert.h"
#include "util/reserved.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

hs_status hs__boxes_new(const hs__boxes_task *task, hs_boxes_method method, hs_boxes **out)
{
    hs_boxes *plan = hs__array_new(1, sizeof *plan);
    size_t hosts = (size_t)task->costs->hosts;
    if (!plan)
        return HS_ERR_NOMEM;
    *plan = (hs_boxes){
        .domain = task->domain, .hosts = task->costs->hosts, .method = method, .axis = {0, 1, 2}, .slabs = 1};
    plan->slab = hs__pool_new(&plan->pool, hosts + 2, sizeof *plan->slab);
    plan->first = hs__pool_new(&plan->pool, hosts + 1, sizeof *plan->first);
    plan->host = hs__pool_new(&plan->pool, hosts, sizeof *plan->host);
    plan->box = hs__pool_new(&plan->pool, hosts, sizeof *plan->box);
    if (task->costs->network)
        plan->halo_s = hs__pool_new(&plan->pool, hosts, sizeof *plan->halo_s);
    if (hs__pool_status(&plan->pool) != HS_OK) {
        hs_boxes_free(plan);
        return HS_ERR_NOMEM;
    }
    *out = plan;
    return HS_OK;
}

int hs__boxes_columns(const hs_boxes *plan)
{
    return plan->slab[plan->slabs];
}

int hs__boxes_places(const hs_boxes *plan)
{
    return plan->first[hs__boxes_columns(plan)];
}

void hs_boxes_free(hs_boxes *plan)
{
    if (!plan)
        return;
    hs__pool_free(&plan->pool);
    free(plan);
}

/* ---- What it is made for. ---- */

static hs_status check_times(const double *cycle_time, const double *halo_time, int hosts, hs_error *error)
{
    for (int i = 0; i < hosts; i++) {
        if (!(cycle_time[i] > 0 && isfinite(1 / cycle_time[i])))
            return hs_error_set(error, HS_ERR_ARG, 0, "cycle_time[%d] is %g, expected more than 0", i, cycle_time[i]);
        if (halo_time && !(halo_time[i] >= 0 && isfinite(halo_time[i])))
            return hs_error_set(error, HS_ERR_ARG, 0, "halo_time[%d] is %g, expected a finite number from 0 on", i,
                                halo_time[i]);
    }
    return HS_OK;
}

static hs_status check_params(const hs_boxes_domain *domain, int hosts, const hs_boxes_params *params, hs_error *error)
{
    const hs_boxes *held = params->held;
    if (hs__method_check(params->method, domain->dims, error) != HS_OK)
        return HS_ERR_ARG;
    if (params->model != HS_STEP_SERIAL && params->model != HS_STEP_OVERLAP)
        return hs_error_set(error, HS_ERR_ARG, 0, "model is %d, expected an hs_step_model", (int)params->model);
    if (held && held->hosts != hosts)
        return hs_error_set(error, HS_ERR_ARG, 0, "held has %d hosts, expected %d", held->hosts, hosts);
    for (int d = 0; held && d < HS__DIMS; d++)
        if (held->domain.dims != domain->dims || (d < domain->dims && held->domain.extent[d] != domain->extent[d]))
            return hs_error_set(error, HS_ERR_ARG, 0, "held is a plan of another domain");
    return hs__reserved_check(params->reserved, HS__RESERVED - 1, error);
}

static hs_status start(hs__boxes_task *task)
{
    if (task->costs->network && hs__boxes_traffic_new(task->costs->network, task->traffic) != HS_OK)
        return HS_ERR_NOMEM;
    if (!(task->speed = hs__array_new((size_t)task->costs->hosts, sizeof *task->speed)))
        return HS_ERR_NOMEM;
    for (int i = 0; i < task->costs->hosts; i++)
        task->speed[i] = 1 / task->costs->cycle[i];
    return hs__areas_create(task->speed, task->costs->hosts, &task->areas);
}

static void end(hs__boxes_task *task)
{
    hs__boxes_traffic_free(task->traffic);
    hs__areas_free(&task->areas);
    free(task->speed);
}

/* ---- Which is better. ---- */

int hs__boxes_better(const hs_boxes *a, const hs_boxes *b)
{
    int64_t more = 0;
    if (!b || a->step_time != b->step_time)
        return !b || a->step_time < b->step_time;
    if (a->link_s != b->link_s)
        return a->link_s < b->link_s;
    for (int i = 0; i < a->hosts; i++)
        more += hs__box_halo_cells(&a->domain, &a->box[i]) - hs__box_halo_cells(&b->domain, &b->box[i]);
    return more < 0;
}

int hs__boxes_same_places(const hs_boxes *a, const hs_boxes *b)
{
    return a->method == b->method && a->slabs == b->slabs && memcmp(a->axis, b->axis, sizeof a->axis) == 0 &&
           memcmp(a->slab, b->slab, ((size_t)a->slabs + 1) * sizeof *a->slab) == 0 &&
           memcmp(a->first, b->first, ((size_t)hs__boxes_columns(a) + 1) * sizeof *a->first) == 0 &&
           memcmp(a->host, b->host, (size_t)hs__boxes_places(a) * sizeof *a->host) == 0;
}

/* ---- Plans and steps. ---- */

hs_status hs__boxes_create(const hs_boxes_domain *domain, const hs__boxes_costs *costs, const hs_boxes_params *params,
                           hs_boxes **plan, hs_error *error)
{
    hs_boxes *best = NULL;
    hs__boxes_traffic traffic = {0};
    hs_status status = hs__domain_check(domain, error);
    if (status == HS_OK)
        status = check_times(costs->cycle, costs->halo, costs->hosts, error);
    if (status == HS_OK)
        status = check_params(domain, costs->hosts, params, error);
    if (status != HS_OK)
        return status;
    hs__boxes_task task = {.domain = hs__domain_complete(domain), .costs = costs, .traffic = &traffic};
    status = start(&task);
    if (status == HS_OK)
        status = hs__boxes_best(&task, params->method, params->held, &best);
    if (status == HS_OK && hs__checking())
        status = hs_boxes_check(best, costs->cycle, costs->halo, costs->model, NULL);
    if (status == HS_OK)
        *plan = best;
    else
        hs_boxes_free(best);
    if (status == HS_ERR_INFEASIBLE)
        hs_error_set(error, status, 0, "no host takes cells: each has an infinite cycle time");
    end(&task);
    return status;
}

hs_status hs__boxes_time(const hs_boxes_domain *domain, const hs__boxes_costs *costs, const hs_box *box,
                         double *step_time)
{
    hs__boxes_traffic traffic = {0};
    double link_s;
    if (!costs->network) {
        *step_time = hs__boxes_step(domain, box, costs->cycle, costs->halo, costs->hosts, costs->model);
        return HS_OK;
    }
    hs__boxes_task task = {.domain = *domain, .costs = costs, .traffic = &traffic};
    double *halo_s = hs__array_new((size_t)costs->hosts, sizeof *halo_s);
    hs_status status = halo_s ? hs__boxes_traffic_new(costs->network, &traffic) : HS_ERR_NOMEM;
    if (status == HS_OK)
        status = hs__boxes_charge(&task, box, halo_s, &link_s);
    if (status == HS_OK)
        *step_time = hs__boxes_step_waiting(box, costs->cycle, halo_s, costs->hosts, costs->model);
    hs__boxes_traffic_free(&traffic);
    free(halo_s);
    return status;
}

static hs_status read_network(const hs_boxes_network *given, int hosts, hs__boxes_network *network, hs_error *error)
{
    if (!given->platform || !given->host || !(given->cell_bytes > 0 && isfinite(given->cell_bytes)))
        return hs_error_set(error, HS_ERR_ARG, 0, "network: expected a platform, hosts and cell_bytes above 0");
    return hs__boxes_network_create(given->platform, given->host, hosts, network, error);
}

/* Hosts of a node exchange halos for free; without a network each is a node of its own. */
static int node_of(const hs__boxes_costs *costs, int host)
{
    return costs->network ? costs->network->node[host] : host;
}

/* Set the cycle times of all hosts but the fastest node's to those of hosts that are off.
 * @return the node's summed speed; 0: no other host computes */
static double leave_fastest_node(const hs__boxes_costs *costs, double *speed, double *cycle)
{
    int fastest = 0, others = 0;
    for (int i = 0; i < costs->hosts; i++)
        speed[node_of(costs, i)] += 1 / costs->cycle[i];
    for (int node = 1; node < costs->hosts; node++)
        fastest = speed[node] > speed[fastest] ? node : fastest;
    for (int i = 0; i < costs->hosts; i++) {
        int stays = node_of(costs, i) == fastest;
        cycle[i] = stays ? costs->cycle[i] : INFINITY;
        others += !stays && costs->cycle[i] < INFINITY;
    }
    return others > 0 ? speed[fastest] : 0;
}

/* Halos may cost more than other nodes bring: what would be planned for the hosts of the fastest node alone. */
static hs_status try_one_node(const hs_boxes_domain *domain, const hs__boxes_costs *costs,
                              const hs_boxes_params *params, hs_boxes **best)
{
    hs__pool pool = {0};
    hs_boxes *alone = NULL;
    double cells = 1, *speed = hs__pool_new(&pool, (size_t)costs->hosts, sizeof *speed),
           *cycle = hs__pool_new(&pool, (size_t)costs->hosts, sizeof *cycle);
    hs__boxes_costs own = *costs;
    hs_status status = hs__pool_status(&pool);
    for (int d = 0; d < domain->dims; d++)
        cells *= (double)domain->extent[d];
    own.cycle = cycle;
    if (status == HS_OK && cells / leave_fastest_node(costs, speed, cycle) < (*best)->step_time)
        status = hs__boxes_create(domain, &own, params, &alone, NULL);
    if (alone)
        hs__boxes_offer(status, alone, best);
    hs__pool_free(&pool);
    return status == HS_ERR_INFEASIBLE ? HS_OK : status; /* they have no place in what is held */
}

hs_status hs_boxes_create(const hs_boxes_domain *domain, const double *cycle_time, const double *halo_time, int hosts,
                          const hs_boxes_params *given, hs_boxes **plan, hs_error *error)
{
    const hs_boxes_params params = given ? *given : (hs_boxes_params){0};
    hs_boxes *best = NULL;
    hs__boxes_network network = {0};
    hs__boxes_costs costs = {cycle_time, halo_time, hosts, params.model, NULL, 0};
    hs_status status = HS_OK;
    if (!domain || !cycle_time || !plan || hosts < 1 || hosts > HS_BOXES_MAX_HOSTS)
        return hs_error_set(error, HS_ERR_ARG, 0, "expected a domain, cycle times, a plan and 1 to %d hosts",
                            (int)HS_BOXES_MAX_HOSTS);
    if (params.network) {
        status = read_network(params.network, hosts, &network, error);
        costs.network = &network;
        costs.cell_bytes = params.network->cell_bytes;
    }
    if (status == HS_OK)
        status = hs__boxes_create(domain, &costs, &params, &best, error);
    if (status == HS_OK)
        status = try_one_node(domain, &costs, &params, &best);
    if (status == HS_OK)
        *plan = best;
    else
        hs_boxes_free(best);
    hs__boxes_network_free(&network);
    return status;
}

/* ---- Accessors. ---- */

const hs_box *hs_boxes_all(const hs_boxes *plan)
{
    return plan->box;
}

hs_boxes_method hs_boxes_method_of(const hs_boxes *plan)
{
    return plan->method;
}

double hs_boxes_step_time(const hs_boxes *plan)
{
    return plan->step_time;
}

double hs_boxes_halo_time(const hs_boxes *plan, int host)
{
    return plan->halo_s ? plan->halo_s[host] : 0;
}

int64_t hs_boxes_halo_cells(const hs_boxes *plan, int host)
{
    return hs__box_halo_cells(&plan->domain, &plan->box[host]);
}

/* Rows and grids: the same number of hosts along each line. */
static int is_grid(const hs_boxes *plan)
{
    return plan->method != HS_BOXES_COLUMNS && plan->method != HS_BOXES_SLABS;
}

hs_status hs_boxes_shape(const hs_boxes *plan, int *shape)
{
    HS__RETURN_ERROR_IF_NULL(plan, NULL);
    if (!is_grid(plan))
        return HS_ERR_STATE;
    shape[0] = plan->first[1];
    shape[1] = plan->slab[1];
    shape[2] = plan->slabs;
    return HS_OK;
}

int hs_boxes_host(const hs_boxes *plan, const int *at)
{
    int shape[HS__DIMS], inside = hs_boxes_shape(plan, shape) == HS_OK;
    for (int d = 0; inside && d < HS__DIMS; d++)
        inside = at[d] >= 0 && at[d] < shape[d];
    return inside ? plan->host[(at[2] * shape[1] + at[1]) * shape[0] + at[0]] : -1;
}

hs_status hs_boxes_halo(const hs_boxes *plan, int host, hs_box_piece **piece, int *count)
{
    HS__RETURN_ERROR_IF_NULL(plan, NULL);
    hs__piece_list list = {0};
    hs_status status = hs__list_halo(&plan->domain, plan->box, plan->hosts, host, &list);
    if (status != HS_OK) {
        free(list.piece);
        return status;
    }
    *piece = list.piece;
    *count = (int)list.count;
    return HS_OK;
}
