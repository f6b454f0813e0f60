/* SPDX-License-Identifier: BSD-3-Clause */
/* Every ring of a few hosts: each set of hosts, in each cyclic order, one of the two directions. */
#include "plan/ring_search.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

int64_t hs__search_rings(const hs__ring_problem *problem, int64_t limit)
{
    int64_t total = 0, choices = 1;
    int hosts = 0;
    for (int i = 0; i < problem->network.hosts; i++)
        hosts += problem->network.speed[i] > 0;
    for (int q = 1; q <= problem->most && total <= limit; q++) {
        choices = choices * (hosts - q + 1) / q;
        int64_t orders = 1;
        for (int k = 3; k < q && orders <= limit; k++)
            orders *= k;
        if (choices > limit || orders > limit)
            return limit + 1;
        total += choices * orders;
    }
    return total;
}

/* Judges the trial and all rings that extend its order. The first host is the lowest of the ring, and the second is
 * below the last, which leaves one of each ring's rotations and directions. */
static hs_status extend(hs__search *s, char *member, hs__kept *kept)
{
    hs__ring_state *t = &s->trial;
    hs_status status = HS_OK;
    int size = t->size;
    if (size < 3 || t->order[1] < t->order[size - 1]) {
        status = hs__search_judge(s);
        if (status == HS_OK && !isinf(s->trial_cost.step_time)) {
            hs__ring_note(s->problem, t);
            hs__kept_offer(kept, t, s->trial_cost.step_time);
        }
    }
    if (size == s->problem->most)
        return status;
    for (int host = t->order[0] + 1; host < s->problem->network.hosts && status == HS_OK; host++) {
        if (member[host] || !(s->problem->network.speed[host] > 0))
            continue;
        member[host] = 1;
        t->order[size] = host;
        t->size = size + 1;
        status = extend(s, member, kept);
        t->size = size;
        member[host] = 0;
    }
    return status;
}

hs_status hs__search_all(hs__search *search, hs__kept *kept)
{
    hs_status status = HS_OK;
    char *member = hs__array_new((size_t)search->problem->network.hosts, 1);
    if (!member)
        return HS_ERR_NOMEM;
    for (int first = 0; first < search->problem->network.hosts && status == HS_OK; first++) {
        if (!(search->problem->network.speed[first] > 0))
            continue;
        search->trial.order[0] = first;
        search->trial.size = 1;
        member[first] = 1;
        status = extend(search, member, kept);
        member[first] = 0;
    }
    free(member);
    return status;
}
