/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/discover/truth.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int truth_switch(truth *t, int above, double trunk, int hosts, double access)
{
    int s = t->switches++;
    t->above[s] = above;
    t->trunk[s] = trunk;
    for (int k = 0; k < hosts; k++) {
        t->home[t->hosts] = s;
        t->access[t->hosts++] = access;
    }
    return s;
}

void truth_random(truth *t, int hosts, hs__random *random)
{
    static const double parts[] = {0.5, 1, 1.5, 2, 3};
    int most = hosts / 3 > 1 ? hosts / 3 : 1, switches = 1 + (int)hs__random_below(random, most > 12 ? 12 : most);
    *t = (truth){0};
    truth_switch(t, -1, 0, 0, 0);
    for (int s = 1; s < switches; s++)
        truth_switch(t, (int)hs__random_below(random, s), 12.5e6 * parts[hs__random_below(random, 5)], 0, 0);
    int unequal = hs__random_below(random, 2) != 0;
    for (int h = 0; h < hosts; h++) {
        t->home[h] = h < 2 * switches ? h % switches : (int)hs__random_below(random, switches);
        t->access[h] = unequal && hs__random_below(random, 3) == 0 ? 25e6 : 12.5e6;
    }
    t->hosts = hosts;
}

hs_platform *truth_platform(const truth *t)
{
    hs_platform *p = NULL;
    hs_platform_create(HS_ROUTING_GRAPH, &p);
    char id[32];
    for (int h = 0; h < t->hosts; h++) {
        snprintf(id, sizeof id, "h%d", h);
        hs_platform_add_host(p, id, 1e9, 1, NULL, NULL);
    }
    for (int s = 0; s < t->switches; s++) {
        snprintf(id, sizeof id, "s%d", s);
        hs_platform_add_router(p, id, NULL, NULL);
    }
    for (int k = 1; k < t->switches + t->hosts; k++) {
        int link, host = k - t->switches;
        double bandwidth = host < 0 ? t->trunk[k] : t->access[host];
        hs__cut_policy policy = host < 0 ? t->trunk_policy : t->host_policy;
        snprintf(id, sizeof id, "l%d", k);
        if (policy == HS__CUT_DUPLEX)
            hs_platform_add_duplex(p, id, bandwidth, 0, &link, NULL);
        else
            hs_platform_add_link(p, id, bandwidth, 0, policy == HS__CUT_SHARED ? HS_SHARED : HS_FATPIPE, &link, NULL);
        if (host < 0)
            hs_platform_add_edge(p, t->hosts + k, t->hosts + t->above[k], link, NULL);
        else
            hs_platform_add_edge(p, host, t->hosts + t->home[host], link, NULL);
    }
    return p;
}

void truth_rates(const hs_platform *p, hs__probe_flow *flow, int n)
{
    hs_route *route = calloc((size_t)n, sizeof *route);
    const int **links = calloc((size_t)n, sizeof *links);
    size_t *counts = calloc((size_t)n, sizeof *counts);
    double *rate = malloc((size_t)n * sizeof *rate);
    for (int k = 0; k < n; k++) {
        if (hs_platform_route(p, flow[k].from, flow[k].to, &route[k]) != HS_OK)
            abort();
        links[k] = route[k].links;
        counts[k] = route[k].count;
    }
    hs_platform_maxmin(p, links, counts, (size_t)n, rate);
    for (int k = 0; k < n; k++) {
        flow[k].rate = rate[k];
        hs_route_free(&route[k]);
    }
    free(rate);
    free(counts);
    free(links);
    free(route);
}

static double gauss(hs__random *random)
{
    double sum = -6;
    for (int k = 0; k < 12; k++)
        sum += hs__random_unit(random);
    return sum;
}

static void side_of(const truth *t, int s, unsigned char *side)
{
    unsigned char flip;
    for (int h = 0; h < t->hosts; h++) {
        int at = t->home[h];
        while (at > 0 && at != s)
            at = t->above[at];
        side[h] = at == s;
    }
    flip = side[0];
    for (int h = 0; h < t->hosts; h++)
        side[h] ^= flip;
}

/* Whether flows from all hosts behind the trunk to all others, or back, could carry more than it can, were it wider. */
static int fillable(const truth *t, int s, const unsigned char *side)
{
    truth wide = *t;
    wide.trunk[s] = 1e12;
    hs_platform *p = truth_platform(&wide);
    hs__probe_flow *flow = malloc((size_t)t->hosts * (size_t)t->hosts * sizeof *flow);
    int n = 0;
    double sum = 0;
    for (int i = 0; i < t->hosts; i++)
        for (int j = 0; j < t->hosts; j++)
            if (side[i] && !side[j])
                flow[n++] = (hs__probe_flow){i, j, 0};
    if (n)
        truth_rates(p, flow, n);
    for (int k = 0; k < n; k++)
        sum += flow[k].rate;
    free(flow);
    hs_platform_free(p);
    return sum > 1.3 * t->trunk[s];
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What flow k gets when each pair has its bandwidth to itself, both ways together. */
static double clique_rate(const hs_platform *truly, const hs__probe_flow *flow, int n, int k)
{
    hs__probe_flow alone = flow[k];
    int sharers = 0;
    truth_rates(truly, &alone, 1);
    for (int m = 0; m < n; m++)
        sharers += (flow[m].from == alone.from && flow[m].to == alone.to) ||
                   (flow[m].from == alone.to && flow[m].to == alone.from);
    return alone.rate / sharers;
}

static void judge_flows(const hs_platform *truly, const hs_platform *found, int hosts, hs__random *random, verdict *v)
{
    double error[200 * 8], of_clique[200 * 8];
    int n = 0;
    for (int set = 0; set < 200; set++) {
        hs__probe_flow a[8], b[8];
        int flows = 1 + (int)hs__random_below(random, 8);
        for (int k = 0; k < flows; k++) {
            int i = (int)hs__random_below(random, hosts), j = (int)hs__random_below(random, hosts - 1);
            a[k] = b[k] = (hs__probe_flow){i, j + (j >= i), 0};
        }
        truth_rates(truly, a, flows);
        truth_rates(found, b, flows);
        for (int k = 0; k < flows; k++, n++) {
            error[n] = fabs(b[k].rate / a[k].rate - 1);
            of_clique[n] = fabs(clique_rate(truly, a, flows, k) / a[k].rate - 1);
        }
    }
    qsort(error, (size_t)n, sizeof *error, ascending);
    qsort(of_clique, (size_t)n, sizeof *of_clique, ascending);
    v->median = error[n / 2];
    v->late = error[n * 95 / 100];
    v->clique[0] = of_clique[n / 2];
    v->clique[1] = of_clique[n * 95 / 100];
}

/* Count the intervals of a link found, and those that hold its true bandwidth. */
static void judge_intervals(const hs__cut *cut, double bandwidth, verdict *v)
{
    for (int way = 0; way < 2; way++) {
        if (!isfinite(cut->high[way]))
            continue;
        v->told[cut->host < 0]++;
        v->held[cut->host < 0] += cut->low[way] <= bandwidth && bandwidth <= cut->high[way];
    }
}

static void judge_trunks(const truth *t, const hs__discovery *d, verdict *v)
{
    int cuts;
    const hs__cut *cut = hs__discovery_cuts(d, &cuts);
    unsigned char side[TRUTH_HOSTS];
    unsigned char matched[4096] = {0};
    for (int h = 0; h < t->hosts; h++)
        judge_intervals(&cut[h], t->access[h], v);
    for (int s = 1; s < t->switches; s++) {
        int found = 0, inside = 0;
        side_of(t, s, side);
        for (int h = 0; h < t->hosts; h++)
            inside += side[h];
        for (int c = t->hosts; c < cuts; c++)
            if (memcmp(side, cut[c].side, (size_t)t->hosts) == 0) {
                found = matched[c] = 1;
                judge_intervals(&cut[c], t->trunk[s], v);
            }
        if (inside < 2 || inside > t->hosts - 2 || !fillable(t, s, side))
            continue;
        v->trunks++;
        v->found += found;
    }
    for (int c = t->hosts; c < cuts; c++)
        v->extra += !matched[c];
}

hs__discovery *truth_discover(const hs_platform *truly, double noise, int most, hs__random *random, int *rounds)
{
    hs__discovery *d = NULL;
    int hosts = hs_platform_hosts(truly), n;
    hs__probe_flow *flow = calloc((size_t)hosts, sizeof *flow);
    if (!flow || hs__discovery_create(hosts, &d) != HS_OK)
        abort();
    for (*rounds = 0; *rounds < most; ++*rounds) {
        if (hs__discovery_next(d, most - *rounds, flow, &n) != HS_OK)
            abort();
        if (n == 0)
            break;
        truth_rates(truly, flow, n);
        for (int k = 0; k < n; k++) {
            double factor = hs__random_below(random, 50) == 0 ? 0.3 + 0.5 * hs__random_unit(random)
                                                              : fmax(1 + noise * gauss(random), 0.2);
            flow[k].rate *= factor;
        }
        if (hs__discovery_add(d, flow, n) != HS_OK)
            abort();
    }
    hs__discovery_conclude(d);
    free(flow);
    return d;
}

hs_platform *truth_found(const hs_platform *truly, const hs__discovery *d)
{
    hs_platform *found = NULL;
    int count;
    const hs__cut *cut = hs__discovery_cuts(d, &count);
    hs_platform_create(HS_ROUTING_GRAPH, &found);
    for (int h = 0; h < hs_platform_hosts(truly); h++)
        hs_platform_add_host(found, hs_platform_node_id(truly, h), 1e9, 1, NULL, NULL);
    if (hs__cuts_build(cut, count, found, NULL) != HS_OK)
        abort();
    return found;
}

verdict truth_judge(const truth *t, double noise, int most, uint64_t seed)
{
    verdict v = {0};
    hs__random random = {seed};
    hs_platform *truly = truth_platform(t);
    hs__discovery *d = truth_discover(truly, noise, most, &random, &v.rounds);
    hs_platform *found = truth_found(truly, d);
    v.probes = hs__discovery_probes(d);
    judge_flows(truly, found, t->hosts, &random, &v);
    judge_trunks(t, d, &v);
    hs__discovery_free(d);
    hs_platform_free(found);
    hs_platform_free(truly);
    return v;
}
