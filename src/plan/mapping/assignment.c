/* SPDX-License-Identifier: BSD-3-Clause */
/* The loads of links, kept while vertices change places. An exchange touches the routes of the two vertices' messages
 * only, so its gain costs their number times the length of a route. */
#include "plan/mapping/mapping.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

static const double rounding = 1e-9;

/* Loads are counted again when so little is left of them that differences of larger ones have spoilt its digits. */
static const double little = 1e-6;

hs_status hs__assignment_init(hs__assignment *s, const hs__mapping *m)
{
    size_t n = (size_t)m->vertices, links = (size_t)m->links;
    *s = (hs__assignment){0};
    s->host = hs__pool_new(&s->pool, n, sizeof *s->host);
    s->slot = hs__pool_new(&s->pool, n, sizeof *s->slot);
    s->vertex_in = hs__pool_new(&s->pool, n, sizeof *s->vertex_in);
    s->start = hs__pool_new(&s->pool, (size_t)m->hosts, sizeof *s->start);
    s->busy = hs__pool_new(&s->pool, links, sizeof *s->busy);
    s->change = hs__pool_new(&s->pool, links, sizeof *s->change);
    s->touched = hs__pool_new(&s->pool, links, sizeof *s->touched);
    s->is_touched = hs__pool_new(&s->pool, links, sizeof *s->is_touched);
    return hs__pool_complete(&s->pool);
}

void hs__assignment_free(hs__assignment *s)
{
    hs__pool_free(&s->pool);
}

static double busiest_link(const hs__assignment *s, const hs__mapping *m)
{
    double most = 0;
    for (int l = 0; l < m->links; l++)
        most = fmax(most, s->busy[l]);
    return most;
}

void hs__assignment_count(hs__assignment *s, const hs__mapping *m)
{
    memset(s->busy, 0, (size_t)m->links * sizeof *s->busy);
    s->total = 0;
    for (int u = 0; u < m->vertices; u++)
        for (int k = m->first[u]; k < m->first[u + 1]; k++) {
            const hs__partner *p = &m->partner[k];
            int pair = s->host[u] * m->hosts + s->host[p->vertex];
            s->total += p->out * m->all[pair];
            for (int i = m->route[pair]; p->out > 0 && i < m->route[pair + 1]; i++)
                s->busy[m->link[i]] += p->out * m->per_byte[m->link[i]];
        }
    s->busiest = busiest_link(s, m);
    s->largest = s->total;
}

void hs__assignment_set(hs__assignment *s, const hs__mapping *m, const int *host)
{
    for (int h = 0, slots = 0; h < m->hosts; h++) {
        s->start[h] = slots;
        slots += m->room[h];
    }
    for (int u = 0; u < m->vertices; u++) {
        s->host[u] = host[u];
        s->slot[u] = s->start[host[u]]++;
        s->vertex_in[s->slot[u]] = u;
    }
    for (int h = 0; h < m->hosts; h++) {
        s->start[h] -= m->room[h];
        HS_ASSERT(s->start[h] == (h > 0 ? s->start[h - 1] + m->room[h - 1] : 0)); /* every host is full */
    }
    hs__assignment_count(s, m);
}

static void add(hs__assignment *s, const hs__mapping *m, int from, int to, double bytes)
{
    if (bytes == 0 || from == to)
        return;
    int pair = from * m->hosts + to;
    s->difference += bytes * m->all[pair];
    for (int i = m->route[pair]; i < m->route[pair + 1]; i++) {
        int l = m->link[i];
        if (!s->is_touched[l]) {
            s->is_touched[l] = 1;
            s->touched[s->touches++] = l;
        }
        s->change[l] += bytes * m->per_byte[l];
    }
}

/* u's messages, but for those with v, leave host a for host b. */
static void move(hs__assignment *s, const hs__mapping *m, int u, int v, int a, int b)
{
    for (int k = m->first[u]; k < m->first[u + 1]; k++) {
        const hs__partner *p = &m->partner[k];
        if (p->vertex == v) {
            add(s, m, a, b, -p->out); /* v does the same the other way round */
            add(s, m, b, a, p->out);
            continue;
        }
        int c = s->host[p->vertex];
        add(s, m, a, c, -p->out);
        add(s, m, c, a, -p->in);
        add(s, m, b, c, p->out);
        add(s, m, c, b, p->in);
    }
}

static void forget(hs__assignment *s)
{
    for (int i = 0; i < s->touches; i++) {
        s->change[s->touched[i]] = 0;
        s->is_touched[s->touched[i]] = 0;
    }
    s->touches = 0;
    s->difference = 0;
}

static void propose(hs__assignment *s, const hs__mapping *m, int u, int v)
{
    move(s, m, u, v, s->host[u], s->host[v]);
    move(s, m, v, u, s->host[v], s->host[u]);
}

void hs__assignment_exchange(hs__assignment *s, const hs__mapping *m, int u, int v)
{
    propose(s, m, u, v);
    for (int i = 0; i < s->touches; i++)
        s->busy[s->touched[i]] += s->change[s->touched[i]];
    s->total += s->difference;
    forget(s);
    s->busiest = busiest_link(s, m);
    int host = s->host[u], slot = s->slot[u];
    s->host[u] = s->host[v];
    s->slot[u] = s->slot[v];
    s->host[v] = host;
    s->slot[v] = slot;
    s->vertex_in[s->slot[u]] = u;
    s->vertex_in[s->slot[v]] = v;
    s->largest = fmax(s->largest, s->total);
    if (s->total < little * s->largest)
        hs__assignment_count(s, m);
}

static double eighth_power(double x)
{
    x *= x;
    x *= x;
    return x * x;
}

static double peaks_gain(const hs__assignment *s)
{
    double gain = 0, scale = s->busiest > 0 ? 1 / s->busiest : 0;
    for (int i = 0; i < s->touches; i++) {
        double before = s->busy[s->touched[i]];
        gain += eighth_power(before * scale) - eighth_power((before + s->change[s->touched[i]]) * scale);
    }
    return gain;
}

/* The busiest link after the proposed exchange. */
static double busiest_after(hs__assignment *s, const hs__mapping *m)
{
    double most = 0;
    int lessened = 0;
    for (int i = 0; i < s->touches; i++) {
        int l = s->touched[i];
        most = fmax(most, s->busy[l] + s->change[l]);
        lessened |= s->busy[l] >= s->busiest && s->change[l] < 0;
    }
    if (!lessened || most >= s->busiest)
        return fmax(most, s->busiest);
    for (int l = 0; l < m->links; l++)
        most = fmax(most, s->busy[l] + s->change[l]);
    return most;
}

/* A less busy busiest link outweighs every total. */
static double busiest_gain(hs__assignment *s, const hs__mapping *m)
{
    double after = busiest_after(s, m), less = s->busiest - after;
    if (fabs(less) > rounding * s->busiest)
        return less > 0 ? 1 + less / s->busiest : -1;
    return s->total > 0 ? -s->difference / s->total : 0;
}

double hs__assignment_gain(hs__assignment *s, const hs__mapping *m, hs__aim aim, int u, int v)
{
    propose(s, m, u, v);
    double gain = aim == HS__AIM_PEAKS ? peaks_gain(s) : busiest_gain(s, m);
    forget(s);
    return gain > rounding ? gain : 0;
}

hs_mapping_cost hs__mapping_cost(const hs__mapping *m, hs__assignment *s, const int *host)
{
    hs__assignment_set(s, m, host);
    hs_mapping_cost cost = {s->busiest, s->total};
    for (int u = 0; u < m->vertices; u++)
        for (int k = m->first[u]; k < m->first[u + 1]; k++)
            cost.busiest =
                fmax(cost.busiest, m->partner[k].out * m->slowest[host[u] * m->hosts + host[m->partner[k].vertex]]);
    return cost;
}

int hs__mapping_is_better(hs_mapping_cost a, hs_mapping_cost b)
{
    if (fabs(a.busiest - b.busiest) > rounding * b.busiest)
        return a.busiest < b.busiest;
    return a.total < b.total * (1 - rounding);
}
