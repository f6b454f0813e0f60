/* SPDX-License-Identifier: BSD-3-Clause */
/* Other paths for the messages of a ring (free routes). The widest path is the best for its own message, not for the
 * ring: under max-min sharing a message that goes round a full link may become slower and leave the others more. So
 * beside the widest path and the platform's route each message is tried round each full link of its path. */
#include "plan/ring_search.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

enum {
    MOST_DETOURS = 4,
    MOST_CHOICES = 6,
    ARCS_FOR_ONE_RATE = 4 /* arcs searched in the time of one max-min rate: what effort counts in */
};

/* The trial becomes the current ring with another path for message f, if there is another. */
static hs_status try_path(hs__search *s, int f, const hs__path *path, int *improved)
{
    if (!path || path == s->now.path[f])
        return HS_OK;
    hs__ring_state_copy(&s->trial, &s->now);
    s->trial.path[f] = path;
    hs_status status = hs__search_judge_paths(s);
    if (status == HS_OK)
        hs__search_improve(s, improved);
    return status;
}

/* Whether the messages of the current ring took all of a link when paths were last looked at. */
static int is_full(const hs__search *s, int link)
{
    double capacity = s->problem->network.capacity[link];
    return !isinf(capacity) && s->left[link] <= 1e-6 * capacity;
}

/* What message f may take instead of its path: detours round its full links. */
static hs_status try_detours(hs__search *s, int f, int *improved)
{
    const hs__path *path = s->now.path[f], *detour;
    int from = hs__ring_sender(&s->now, f), to = hs__ring_receiver(&s->now, f), moved = 0, tried = 0;
    hs_status status = HS_OK;
    for (int m = 0; m < path->count && !moved && tried < MOST_DETOURS && !hs__search_spent(s); m++) {
        if (!is_full(s, path->links[m]))
            continue;
        status = hs__table_detour(&s->table, from, to, path->links[m], &detour);
        if (status == HS_OK)
            status = try_path(s, f, detour, &moved);
        if (status != HS_OK)
            return status;
        s->problem->effort += s->table.graph->arcs / ARCS_FOR_ONE_RATE;
        tried++;
    }
    *improved |= moved;
    return HS_OK;
}

hs_status hs__search_change_paths(hs__search *s, int *improved)
{
    hs_status status = HS_OK;
    if (!s->table.graph)
        return HS_OK;
    hs__search_reroute_table(s);
    for (int f = 0; f < hs__ring_messages(&s->now) && status == HS_OK && !hs__search_spent(s); f++) {
        const hs__path *path;
        int from = hs__ring_sender(&s->now, f), to = hs__ring_receiver(&s->now, f);
        status = hs__table_path(&s->table, from, to, &path);
        if (status == HS_OK)
            status = try_path(s, f, path, improved);
        if (status == HS_OK)
            status = hs__network_route(s->table.network, from, to, &path);
        if (status == HS_OK)
            status = try_path(s, f, path, improved);
        if (status == HS_OK && !s->large)
            status = try_detours(s, f, improved);
    }
    return status;
}

/* The other paths of one message. */
typedef struct choice {
    const hs__path *path[MOST_CHOICES];
    int count;
} choice;

static void add_choice(choice *c, const hs__path *now, const hs__path *path)
{
    if (!path || path == now || c->count == MOST_CHOICES)
        return;
    for (int i = 0; i < c->count; i++)
        if (c->path[i] == path)
            return;
    c->path[c->count++] = path;
}

/* What message f may take instead of its path: the widest path, the route, and detours round every link. */
static hs_status list_choices(hs__search *s, int f, choice *c)
{
    const hs__path *now = s->now.path[f], *path;
    int from = hs__ring_sender(&s->now, f), to = hs__ring_receiver(&s->now, f);
    c->count = 0;
    hs_status status = hs__table_path(&s->table, from, to, &path);
    if (status == HS_OK)
        add_choice(c, now, path);
    if (status == HS_OK)
        status = hs__network_route(s->table.network, from, to, &path);
    if (status == HS_OK)
        add_choice(c, now, path);
    for (int m = 0; m < now->count && status == HS_OK && !hs__search_spent(s); m++) {
        status = hs__table_detour(&s->table, from, to, now->links[m], &path);
        s->problem->effort += s->table.graph->arcs / ARCS_FOR_ONE_RATE;
        if (status == HS_OK)
            add_choice(c, now, path);
    }
    return status;
}

/* Messages f and g both take other paths, the first that make the ring better. */
static hs_status try_pair(hs__search *s, int f, int g, const choice *of_f, const choice *of_g, int *improved)
{
    hs_status status = HS_OK;
    for (int i = 0; i < of_f->count; i++)
        for (int j = 0; j < of_g->count && status == HS_OK && !*improved && !hs__search_spent(s); j++) {
            hs__ring_state_copy(&s->trial, &s->now);
            s->trial.path[f] = of_f->path[i];
            s->trial.path[g] = of_g->path[j];
            status = hs__search_judge_paths(s);
            if (status == HS_OK)
                hs__search_improve(s, improved);
        }
    return status;
}

/* Goes through the pairs of messages until two other paths together make the ring better. */
static hs_status change_pairs(hs__search *s, int *improved)
{
    int messages = hs__ring_messages(&s->now), moved = 0;
    if (!s->table.graph || messages == 0)
        return HS_OK;
    choice *of = hs__array_new((size_t)messages, sizeof *of);
    hs_status status = of ? HS_OK : HS_ERR_NOMEM;
    hs__search_reroute_table(s);
    for (int f = 0; f < messages && status == HS_OK; f++)
        status = list_choices(s, f, &of[f]);
    for (int f = 0; f < messages && !moved && status == HS_OK; f++)
        for (int g = f + 1; g < messages && !moved && status == HS_OK; g++)
            status = try_pair(s, f, g, &of[f], &of[g], &moved);
    *improved |= moved;
    free(of);
    return status;
}

hs_status hs__search_settle_paths(hs__search *s)
{
    hs_status status = HS_OK;
    for (int improved = 1; improved && status == HS_OK && !hs__search_spent(s);) {
        improved = 0;
        status = hs__search_change_paths(s, &improved);
        if (status == HS_OK && !improved)
            status = change_pairs(s, &improved);
    }
    return status;
}
