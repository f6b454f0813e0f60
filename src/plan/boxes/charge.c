/* SPDX-License-Identifier: BSD-3-Clause */
/* What halos cost on links that hosts share. All messages of a step are under way at once: a link that adds them up is busy
 * for their sum, and a host waits until the busiest link of its messages is done. The links' seconds are those of the mapping
 * planner (plan/mapping/assignment.c). */
#include "plan/boxes/boxes.h"

#include "util/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether a box may have some of another's halo: their distance along a dimension, across its ends where that is periodic. */
static int is_near(const hs_boxes_domain *domain, const hs_box *a, const hs_box *b)
{
    for (int d = 0; d < domain->dims; d++) {
        int64_t gap = a->first[d] < b->first[d] ? b->first[d] - a->first[d] - a->count[d]
                                                : a->first[d] - b->first[d] - b->count[d];
        int64_t low = a->first[d] < b->first[d] ? a->first[d] : b->first[d];
        int64_t a_end = a->first[d] + a->count[d], b_end = b->first[d] + b->count[d];
        int64_t round = low + domain->extent[d] - (a_end > b_end ? a_end : b_end);
        if (gap > domain->halo && !(domain->periodic[d] && round <= domain->halo))
            return 0;
    }
    return 1;
}

static hs_status add_message(const hs__boxes_task *task, hs__boxes_traffic *t, const hs_box *box, int from, int to)
{
    int64_t cells = 0;
    t->list.count = 0;
    hs_status status = hs__pieces_of_halo(&task->domain, &box[to], &box[from], from, &t->list);
    for (size_t k = 0; k < t->list.count; k++)
        cells += hs__box_cells(&t->list.piece[k].cells);
    if (status != HS_OK || cells == 0)
        return status;
    if (hs__array_reserve(&t->message, &t->capacity, t->count + 1, sizeof *t->message) != 0)
        return HS_ERR_NOMEM;
    t->message[t->count++] = (hs__boxes_message){from, to, (double)cells * task->costs->cell_bytes};
    return HS_OK;
}

static hs_status list_messages(const hs__boxes_task *task, hs__boxes_traffic *t, const hs_box *box)
{
    const hs__boxes_network *n = task->costs->network;
    hs_status status = HS_OK;
    t->count = 0;
    for (int to = 0; to < task->costs->hosts; to++)
        for (int from = 0; from < task->costs->hosts && status == HS_OK && hs__box_cells(&box[to]) > 0; from++)
            if (n->node[from] != n->node[to] && hs__box_cells(&box[from]) > 0 &&
                is_near(&task->domain, &box[to], &box[from]))
                status = add_message(task, t, box, from, to);
    return status;
}

static void load_links(const hs__boxes_network *n, hs__boxes_traffic *t)
{
    memset(t->busy, 0, (size_t)n->links * sizeof *t->busy);
    for (size_t k = 0; k < t->count; k++) {
        int pair = n->node[t->message[k].from] * n->nodes + n->node[t->message[k].to];
        for (int i = n->route[pair]; i < n->route[pair + 1]; i++)
            t->busy[n->link[i]] += t->message[k].bytes * n->per_byte[n->link[i]];
    }
}

hs_status hs__boxes_charge(const hs__boxes_task *task, const hs_box *box, double *halo_s, double *link_s)
{
    const hs__boxes_network *n = task->costs->network;
    hs__boxes_traffic *t = task->traffic;
    hs_status status = list_messages(task, t, box);
    if (status != HS_OK)
        return status;
    load_links(n, t);
    memset(halo_s, 0, (size_t)task->costs->hosts * sizeof *halo_s);
    for (size_t k = 0; k < t->count; k++) {
        const hs__boxes_message *m = &t->message[k];
        int pair = n->node[m->from] * n->nodes + n->node[m->to];
        double seconds = m->bytes * n->slowest[pair];
        for (int i = n->route[pair]; i < n->route[pair + 1]; i++)
            seconds = fmax(seconds, t->busy[n->link[i]]);
        halo_s[m->from] = fmax(halo_s[m->from], seconds);
        halo_s[m->to] = fmax(halo_s[m->to], seconds);
    }
    *link_s = 0;
    for (int l = 0; l < n->links; l++)
        *link_s += t->busy[l];
    return HS_OK;
}

hs_status hs__boxes_traffic_new(const hs__boxes_network *network, hs__boxes_traffic *traffic)
{
    *traffic = (hs__boxes_traffic){.busy = hs__array_new((size_t)network->links, sizeof *traffic->busy)};
    return traffic->busy ? HS_OK : HS_ERR_NOMEM;
}

void hs__boxes_traffic_free(hs__boxes_traffic *traffic)
{
    free(traffic->busy);
    free(traffic->message);
    free(traffic->list.piece);
}
