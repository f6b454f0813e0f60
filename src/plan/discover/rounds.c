/* SPDX-License-Identifier: BSD-3-Clause */
/* The next round: flows that fill links whose capacity is not certain yet, and flows inside switches among the hosts
 * that are left. At the start there is one switch, and each host sends to a random one. */
#include "plan/discover/tree.h"
#include "util/pool.h"
#include <math.h>

enum {
    PROBES_FACTOR = 6,
    TRIES = 5,
    ENOUGH = 3,
    SAMPLES = 12,
    QUIET_ROUNDS = 6,
    EXPLORATIONS = 2,
    HOST_TRIES = 4,
    LATE = 6,
    ALL = -2
};

static const double overload = 1.6; /* what flows could do, over the capacity of the link that they are to fill */

typedef struct draft {
    hs__discovery *d;
    hs__probe_flow *flow;                      /* borrowed */
    int n, one_way;                            /* one_way: no host both sends and receives */
    double left, most_probes;                  /* rounds that there is time for; flows in all rounds */
    unsigned char *sending, *receiving, *side; /* by host: what it cannot do in addition; owned */
    double *load;                              /* by cut and way: what the flows chosen could do; owned */
    int *order;                                /* by host; owned */
} draft;

static double could_do(const draft *t, int from, int to)
{
    double out = t->d->cut[from].capacity[0], in = t->d->cut[to].capacity[1];
    return out > 0 && in > 0 ? fmin(out, in) : fmax(fmax(out, in), 1);
}

static void add_load(draft *t, int from, int to, double rate)
{
    for (int c = t->d->hosts; c < t->d->cuts; c++)
        if (t->d->cut[c].side[from] != t->d->cut[c].side[to])
            t->load[2 * c + t->d->cut[c].side[to]] += rate;
}

/* A host whose link both ways share would only divide it. */
static int takes_part_once(const draft *t, int host)
{
    return t->one_way || t->d->cut[host].policy == HS__CUT_SHARED;
}

static void occupy(draft *t, int from, int to, unsigned char yes)
{
    t->sending[from] = t->receiving[to] = yes;
    if (takes_part_once(t, from))
        t->receiving[from] = yes;
    if (takes_part_once(t, to))
        t->sending[to] = yes;
}

static void choose(draft *t, int from, int to)
{
    double rate = could_do(t, from, to);
    occupy(t, from, to, 1);
    t->flow[t->n++] = (hs__probe_flow){from, to, t->d->flows ? rate : 0};
    add_load(t, from, to, rate);
}

/* Take back all but the first n flows. */
static void keep(draft *t, int n)
{
    while (t->n > n) {
        const hs__probe_flow *flow = &t->flow[--t->n];
        occupy(t, flow->from, flow->to, 0);
        add_load(t, flow->from, flow->to, -could_do(t, flow->from, flow->to));
    }
}

/* What the links on the way still carry, but for the one that is to be filled. */
static double room(const draft *t, int from, int to, const unsigned char *target)
{
    double least = could_do(t, from, to);
    for (int c = t->d->hosts; c < t->d->cuts; c++) {
        const hs__cut *cut = &t->d->cut[c];
        int way = cut->side[to];
        if (cut->side[from] != cut->side[to] && cut->side != target)
            least = fmin(least, cut->capacity[way] - t->load[2 * c + way]);
    }
    return least;
}

/* A host that is not busy, on the side or not; -1 when there is none. */
static int free_host(draft *t, const unsigned char *busy, const unsigned char *side, int wanted)
{
    int n = 0;
    for (int h = 0; h < t->d->hosts; h++)
        if (!busy[h] && side[h] == wanted)
            t->order[n++] = h;
    return n ? t->order[hs__random_below(&t->d->random, n)] : -1;
}

/* Of a few pairs of free hosts across a cut, or of a free sender and a given host, the one with most room on its way.
 * @return the room; -INFINITY: there is no such pair */
static double pick(draft *t, const unsigned char *side, int way, int given, hs__probe_flow *flow)
{
    double most = -INFINITY;
    for (int k = 0; k < SAMPLES; k++) {
        int from = free_host(t, t->sending, side, !way);
        int to = given >= 0 ? given : free_host(t, t->receiving, side, way);
        if (from < 0 || to < 0)
            return -INFINITY;
        double here = room(t, from, to, side);
        if (here > most) {
            most = here;
            *flow = (hs__probe_flow){from, to, 0};
        }
    }
    return most;
}

/* Choose flows across a cut until they could overload a link of this capacity; none for one of 0 or less. */
static void fill(draft *t, const unsigned char *side, int way, double capacity)
{
    hs__probe_flow flow;
    for (double load = 0; load < overload * capacity && pick(t, side, way, -1, &flow) > -INFINITY;) {
        load += could_do(t, flow.from, flow.to);
        choose(t, flow.from, flow.to);
    }
}

static void fill_suspect(draft *t)
{
    hs__cut cut = {.side = t->d->suspect, .host = -1};
    if (!t->d->suspected)
        return;
    t->d->suspicions++;
    hs__cut_best_policy(t->d, &cut);
    int way = t->d->rounds % 2;
    fill(t, cut.side, way, fmax(cut.capacity[0], cut.capacity[1]));
}

static int wants(const hs__cut *cut, int way)
{
    return cut->full[way] < ENOUGH && cut->tried[way] < TRIES;
}

/* They have one round in three. @return how many cuts were wanting */
static int fill_cuts(draft *t)
{
    hs__discovery *d = t->d;
    int wanting = 0;
    for (int k = 0; k < 2 * (d->cuts - d->hosts); k++) {
        int c = d->hosts + k / 2, way = (k + d->rounds) % 2;
        hs__cut *cut = &d->cut[c];
        if (!wants(cut, way))
            continue;
        wanting++;
        if (d->rounds % 3)
            continue;
        fill(t, cut->side, way, cut->capacity[way] - t->load[2 * c + way] / overload);
        cut->tried[way] += t->load[2 * c + way] >= cut->capacity[way];
    }
    return wanting;
}

/* Choose senders to a host until they could overload its link, twice over where several had not filled it: none where they
 * could not overload it. */
static void gather(draft *t, int host)
{
    hs__cut *cut = &t->d->cut[host];
    hs__probe_flow flow;
    double load = 0, enough = overload * cut->capacity[1], wanted = cut->tried[1] > 0 ? 2 * enough : enough, more;
    int before = t->n;
    while (t->n < before + HS__FLOWS_TO_ONE && load < wanted && (more = pick(t, cut->side, 1, host, &flow)) > 0) {
        load += more;
        choose(t, flow.from, host);
    }
    if (load < enough)
        keep(t, before);
    else
        t->sending[host] = 1;
    cut->tried[1]++;
}

/* A host that was never seen full may be wider than those that it met one by one: let several send to it at once, first to those
 * that several had not filled. @return how many were wanting */
static int fill_hosts(draft *t)
{
    hs__discovery *d = t->d;
    int wanting = 0;
    for (int k = 0; k < 2 * d->hosts; k++) {
        int h = (k + d->rounds) % d->hosts, tried = d->cut[h].tried[1];
        if ((k < d->hosts) != (tried > 0) || tried >= HOST_TRIES || hs__host_seen_full(d, h, 1))
            continue;
        wanting++;
        if (!t->receiving[h] && !t->sending[h])
            gather(t, h);
    }
    return wanting;
}

/* The side that has the hosts of a switch. @return their number */
static int hosts_at(const draft *t, int node, unsigned char *side)
{
    int n = 0;
    for (int h = 0; h < t->d->hosts; h++)
        n += side[h] = t->d->cut[h].parent == node;
    return n;
}

/* Whether the switch has switches on more than one side. */
static int is_inner(const hs__discovery *d, int node)
{
    int sides = node >= 0;
    for (int c = d->hosts; c < d->cuts; c++)
        sides += d->cut[c].parent == node;
    return sides > 1;
}

/* The hosts of a switch between others may hang on a link of their own: let all of them send out or get something. */
static int explore(draft *t)
{
    hs__discovery *d = t->d;
    int wanting = 0;
    for (int node = d->hosts - 1; node < d->cuts; node++) {
        int c = node < d->hosts ? -1 : node, *explored = c < 0 ? d->root_explored : d->cut[c].explored;
        int way = explored[0] > explored[1], n = is_inner(d, c) ? hosts_at(t, c, t->side) : 0;
        if (n < 2 || explored[way] >= EXPLORATIONS)
            continue;
        wanting++;
        if (d->rounds % 3)
            continue;
        int before = t->n;
        fill(t, t->side, way, INFINITY);
        explored[way] += 2 * (t->n - before) > n;
    }
    return wanting;
}

static void shuffle(draft *t, int n)
{
    for (int k = n - 1; k > 0; k--) {
        int other = (int)hs__random_below(&t->d->random, k + 1), kept = t->order[k];
        t->order[k] = t->order[other];
        t->order[other] = kept;
    }
}

/* Whom a host may send to among order[n], first one that it never sent to; -1: nobody. It is at order[k]. */
static int receiver_for(const draft *t, int n, int k)
{
    const unsigned char *met = t->d->met + (size_t)t->order[k] * (size_t)t->d->hosts;
    int best = -1;
    for (int m = 1; m < n; m++) {
        int to = t->order[(k + m) % n];
        if (!t->receiving[to] && (best < 0 || (met[best] && !met[to])))
            best = to;
    }
    return best;
}

/* All hosts of a switch, or simply all, send to one of the others as far as they are free. */
static void match(draft *t, int node)
{
    int n = 0;
    for (int h = 0; h < t->d->hosts; h++)
        if (node == ALL || t->d->cut[h].parent == node)
            t->order[n++] = h;
    if (t->d->rounds > 0)
        shuffle(t, n);
    for (int k = 0; k < n; k++) {
        int to = t->sending[t->order[k]] ? -1 : receiver_for(t, n, k);
        if (to >= 0)
            choose(t, t->order[k], to);
    }
}

static void match_inside(draft *t)
{
    for (int node = t->d->hosts - 1; node < t->d->cuts; node++)
        match(t, node < t->d->hosts ? -1 : node);
}

/* The last rounds are for the hosts' own links, too: a quarter of all that there will be, and LATE at most. */
static int is_late(const draft *t)
{
    const hs__discovery *d = t->d;
    double left = fmin(t->left, (t->most_probes - d->probes) / d->hosts);
    return left <= fmin(LATE, (d->rounds + left) / 4);
}

/* In one round in three all hosts send to any, which may show what nobody suspects; one fills links; one stays inside switches,
 * where hosts either send or receive: which shows how wide their links are also where both ways share one, or both are too
 * much for a slow host. */
static void make(draft *t)
{
    hs__discovery *d = t->d;
    int wanting = d->globals < 4 * (int)ceil(log2(d->hosts));
    t->one_way = d->rounds % 3 == 1;
    if (d->cuts > d->hosts && d->rounds % 3 == 2 && wanting) {
        d->globals++;
        match(t, ALL);
    } else {
        d->globals += d->cuts == d->hosts;
        fill_suspect(t);
        wanting += fill_cuts(t) + explore(t);
        if (d->rounds > 0 && (d->quiet >= QUIET_ROUNDS || is_late(t)))
            wanting += fill_hosts(t);
        match_inside(t);
        if (wanting == 0 && d->quiet >= QUIET_ROUNDS)
            t->n = 0;
    }
}

hs_status hs__discovery_next(hs__discovery *d, double left, hs__probe_flow *flow, int *flows)
{
    hs__pool pool = {0};
    size_t n = (size_t)d->hosts;
    draft t = {.d = d, .flow = flow, .left = left, .most_probes = PROBES_FACTOR * d->hosts * log2(d->hosts)};
    t.sending = hs__pool_new(&pool, n, 1);
    t.receiving = hs__pool_new(&pool, n, 1);
    t.side = hs__pool_new(&pool, n, 1);
    t.load = hs__pool_new(&pool, 2 * (size_t)d->cuts, sizeof *t.load);
    t.order = hs__pool_new(&pool, n, sizeof *t.order);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK) {
        make(&t);
        *flows = t.n <= t.most_probes - d->probes ? t.n : 0;
        d->ended = *flows == 0;
    }
    hs__pool_free(&pool);
    return status;
}
