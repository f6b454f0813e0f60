/* SPDX-License-Identifier: BSD-3-Clause */
/* Other paths for the messages of a ring (free routes). The widest path is the best for its own message, not for the
 * ring: under max-min sharing a message that goes round a full link may become slower and leave the others more. So
 * beside the widest path and the platform's route each message is tried round each full link of its path. */
#include "plan/ring/search.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

enum {
    MAX_DETOURS = 4,
    MAX_CHOICES = 10,
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
    for (int m = 0; m < path->count && !moved && tried < MAX_DETOURS && !hs__search_spent(s); m++) {
        if (!is_full(s, path->links[m]))
            continue;
        status = hs__table_detour(&s->table, from, to, (int[2]){path->links[m], -1}, &detour);
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
    const hs__path *path[MAX_CHOICES];
    int count;
} choice;

static void add_choice(choice *c, const hs__path *now, const hs__path *path)
{
    if (!path || path == now || c->count == MAX_CHOICES)
        return;
    for (int i = 0; i < c->count; i++)
        if (c->path[i] == path)
            return;
    c->path[c->count++] = path;
}

/* Adds detours round every link of a path, and round that and another link they cross; closed: -1, or that link. */
static hs_status add_detours(hs__search *s, int f, const hs__path *round, int closed, choice *c)
{
    const hs__path *path;
    hs_status status = HS_OK;
    for (int m = 0; round && m < round->count && status == HS_OK && !hs__search_spent(s); m++) {
        status = hs__table_detour(&s->table, hs__ring_sender(&s->now, f), hs__ring_receiver(&s->now, f),
                                  (int[2]){round->links[m], closed}, &path);
        s->problem->effort += s->table.graph->arcs / ARCS_FOR_ONE_RATE;
        if (status == HS_OK)
            add_choice(c, s->now.path[f], path);
        if (status == HS_OK && closed < 0)
            status = add_detours(s, f, path, round->links[m], c);
    }
    return status;
}

/* What message f may take instead of its path: the widest path, the route, and detours round one or two links of all
 * three. */
static hs_status list_choices(hs__search *s, int f, choice *c)
{
    const hs__path *now = s->now.path[f], *widest, *route;
    int from = hs__ring_sender(&s->now, f), to = hs__ring_receiver(&s->now, f);
    hs_status status = hs__table_path(&s->table, from, to, &widest);
    if (status == HS_OK)
        status = hs__network_route(s->table.network, from, to, &route);
    if (status != HS_OK)
        return status;
    add_choice(c, now, widest);
    add_choice(c, now, route);
    status = add_detours(s, f, now, -1, c);
    if (status == HS_OK && widest != now)
        status = add_detours(s, f, widest, -1, c);
    if (status == HS_OK && route != now && route != widest)
        status = add_detours(s, f, route, -1, c);
    return status;
}

/* Messages from `first` on, `together` of them, take other paths in the trial, until that makes the ring better. */
static hs_status try_sets(hs__search *s, const choice *of, int first, int together, int *improved)
{
    hs__ring_state *t = &s->trial;
    hs_status status = HS_OK;
    for (int f = first; f <= hs__ring_messages(t) - together; f++) {
        const hs__path *path = t->path[f];
        for (int i = 0; i < of[f].count; i++) {
            if (status != HS_OK || *improved || hs__search_spent(s))
                return status;
            t->path[f] = of[f].path[i];
            status = together > 1 ? try_sets(s, of, f + 1, together - 1, improved) : hs__search_judge_paths(s);
            if (status == HS_OK && together == 1)
                hs__search_improve(s, improved);
        }
        if (*improved)
            return status;
        t->path[f] = path;
    }
    return status;
}

/* A message takes another path, then two at once and so on, until that makes the ring better. */
static hs_status change_sets(hs__search *s, int max_together, int *improved)
{
    int messages = hs__ring_messages(&s->now);
    if (!s->table.graph || messages == 0)
        return HS_OK;
    choice *of = hs__array_new((size_t)messages, sizeof *of);
    hs_status status = of ? HS_OK : HS_ERR_NOMEM;
    hs__search_reroute_table(s);
    for (int f = 0; f < messages && status == HS_OK; f++)
        status = list_choices(s, f, &of[f]);
    hs__table_refresh(&s->table, s->problem->network.capacity);
    for (int f = 0; f < messages && status == HS_OK; f++)
        status = list_choices(s, f, &of[f]);
    for (int together = 1; together <= max_together && !*improved && status == HS_OK; together++) {
        hs__ring_state_copy(&s->trial, &s->now);
        status = try_sets(s, of, 0, together, improved);
    }
    free(of);
    return status;
}

hs_status hs__search_settle_paths(hs__search *s, int together)
{
    hs_status status = HS_OK;
    for (int improved = 1; improved && status == HS_OK && !hs__search_spent(s);) {
        improved = 0;
        status = hs__search_change_paths(s, &improved);
        if (status == HS_OK && !improved)
            status = change_sets(s, together, &improved);
    }
    return status;
}
