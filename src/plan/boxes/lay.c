/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts laid so that few halo bytes cross slow links: groups of hosts near each other get parts of the domain that are
 * whole, then hosts exchange places as long as that is better. */
#include "plan/boxes/boxes.h"

#include "plan/hierarchy/hierarchy.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TRIES = 200, TRIED_HOSTS = 2048 }; /* exchanges tried; and hosts of all these together */

/* ---- Groups. ---- */

/* A host's number with the same count of digits for all, so that equal leading ones are a group. */
static int group_of(const hs__boxes_network *n, int host, int level)
{
    int number = n->nested[host];
    while (number < 1 << HS__DOMAIN_LEVELS_MAX)
        number *= 2;
    return number >> (HS__DOMAIN_LEVELS_MAX - level);
}

/* The first group after this one that has hosts which take cells; 0: none. */
static int next_group(const hs__boxes_task *task, int level, int group)
{
    int next = 0;
    for (int k = 0; k < task->areas.n; k++) {
        int other = group_of(task->costs->network, task->areas.host[k], level);
        if (other > group && (next == 0 || other < next))
            next = other;
    }
    return next;
}

int hs__boxes_groups(const hs__boxes_task *task, int level)
{
    int groups = 0;
    for (int group = next_group(task, level, 0); group > 0; group = next_group(task, level, group))
        groups++;
    return groups;
}

/* The columns of one group, behind those that the plan has: a strip as wide, or a slab as thick, as its share of all speed. */
static hs_status add_group(const hs__boxes_task *task, int level, int group, double *speed, hs_boxes *plan)
{
    const int64_t *extent = task->domain.extent;
    hs__areas areas;
    double share = 0;
    int slabs = plan->method == HS_BOXES_SLABS;
    for (int i = 0; i < task->costs->hosts; i++)
        speed[i] = task->speed[i] > 0 && group_of(task->costs->network, i, level) == group ? task->speed[i] : 0;
    for (int k = 0; k < task->areas.n; k++)
        share += speed[task->areas.host[k]] > 0 ? task->areas.area[k] : 0;
    hs_status status = hs__areas_create(speed, task->costs->hosts, &areas);
    if (status != HS_OK)
        return status;
    double shape = (double)extent[plan->axis[0]] / (double)extent[plan->axis[1]];
    status = hs__boxes_add_columns(&areas, 0, areas.n, sqrt(slabs ? shape : shape / share), plan);
    if (status == HS_OK && slabs)
        plan->slabs++;
    hs__areas_free(&areas);
    return status;
}

hs_status hs__boxes_arrange_groups(const hs__boxes_task *task, const int *axis, int level, hs_boxes *plan)
{
    double *speed = hs__array_new((size_t)task->costs->hosts, sizeof *speed);
    hs_status status = speed ? HS_OK : HS_ERR_NOMEM;
    memcpy(plan->axis, axis, sizeof plan->axis);
    plan->slabs = 0;
    for (int group = next_group(task, level, 0); group > 0 && status == HS_OK; group = next_group(task, level, group))
        status = add_group(task, level, group, speed, plan);
    if (plan->method == HS_BOXES_COLUMNS)
        plan->slabs = 1;
    free(speed);
    return status;
}

/* ---- Exchanges. ---- */

/* Tries the plan with the hosts of two places exchanged; takes it when it is better. @return 1 then; below 0: a status */
static int exchange(const hs__boxes_task *task, int k, int j, hs_boxes **plan)
{
    hs_boxes *other = NULL;
    hs_status status = hs__boxes_new(task, (*plan)->method, &other);
    if (status != HS_OK)
        return status;
    hs__boxes_arrange_as(*plan, other);
    int host = other->host[k], better = 0;
    other->host[k] = other->host[j];
    other->host[j] = host;
    status = hs__boxes_size(task, other);
    if (status == HS_OK && hs__boxes_better(other, *plan)) {
        hs_boxes *worse = *plan;
        *plan = other;
        other = worse;
        better = 1;
    }
    hs_boxes_free(other);
    return status == HS_ERR_INFEASIBLE ? 0 : status < 0 ? status : better;
}

hs_status hs__boxes_lay(const hs__boxes_task *task, hs_boxes **plan)
{
    const int *node = task->costs->network->node;
    int places = hs__boxes_places(*plan), left = TRIED_HOSTS / places < MAX_TRIES ? TRIED_HOSTS / places : MAX_TRIES;
    for (int found = 1; found && left > 0;) {
        found = 0;
        for (int k = 0; k < places && left > 0; k++)
            for (int j = 0; j < k && left > 0; j++) {
                if (node[(*plan)->host[k]] == node[(*plan)->host[j]])
                    continue;
                int better = exchange(task, k, j, plan);
                if (better < 0)
                    return (hs_status)better;
                found |= better;
                left--;
            }
    }
    return HS_OK;
}
