/* SPDX-License-Identifier: BSD-3-Clause */
/* The next round: flows that fill links whose capacity is not certain yet, and flows inside switches among the hosts
 * that are left. At the start there is one switch, and a round is a random matching. */
#include "plan/discover/tree.h"
#include "util/pool.h"
#include <math.h>

enum {
    PROBES_FACTOR = 6,
    TRIES = 5,
    ENOUGH = 3,
    SAMPLES = 12,
    BOTH_EVERY = 4,
    BOTH_ENOUGH = 2,
    FIRST_BOTH = 4,
    QUIET_ROUNDS = 6,
    EXPLORATIONS = 2,
    ALL = -2
};

static const double overload = 1.6; /* what flows could do, over the capacity of the link that they are to fill */

typedef struct draft {
    hs__discovery *d;
    hs__probe_flow *flow; /* borrowed */
    int n, most;
    unsigned char *busy, *side; /* by host; owned */
    double *load;               /* by cut and way: what the flows chosen could do; owned */
    int *order, *sent;          /* by host; owned */
} draft;

static double could_do(const draft *t, int from, int to)
{
    double out = t->d->cut[from].capacity[0], in = t->d->cut[to].capacity[1];
    return out > 0 && in > 0 ? fmin(out, in) : fmax(fmax(out, in), 1);
}

static void choose(draft *t, int from, int to)
{
    double rate = could_do(t, from, to);
    t->busy[from] = t->busy[to] = 1;
    t->flow[t->n++] = (hs__probe_flow){from, to, t->d->flows ? rate : 0};
    for (int c = t->d->hosts; c < t->d->cuts; c++)
        if (t->d->cut[c].side[from] != t->d->cut[c].side[to])
            t->load[2 * c + t->d->cut[c].side[to]] += rate;
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

/* A host that is free, on the side or not; -1 when there is none. */
static int free_host(draft *t, const unsigned char *side, int wanted)
{
    int n = 0;
    for (int h = 0; h < t->d->hosts; h++)
        if (!t->busy[h] && side[h] == wanted)
            t->order[n++] = h;
    return n ? t->order[hs__random_below(&t->d->random, n)] : -1;
}

/* Choose flows across a cut until they could overload a link of this capacity; none for one of 0 or less. */
static void fill(draft *t, const unsigned char *side, int way, double capacity)
{
    for (double load = 0; load < overload * capacity;) {
        int from = -1, to = -1;
        double most = -INFINITY;
        for (int k = 0; k < SAMPLES; k++) {
            int i = free_host(t, side, !way), j = free_host(t, side, way);
            if (i < 0 || j < 0)
                return;
            double here = room(t, i, j, side);
            if (here > most) {
                most = here;
                from = i;
                to = j;
            }
        }
        load += could_do(t, from, to);
        choose(t, from, to);
    }
}

static void fill_suspect(draft *t)
{
    double sure;
    hs__cut cut = {.side = t->d->suspect, .host = -1};
    if (!t->d->suspected)
        return;
    t->d->suspicions++;
    hs__cut_best_policy(t->d, &cut, &sure);
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

static int unmet(const hs__discovery *d, int i, int j)
{
    return !d->met[i * d->hosts + j] && !d->met[j * d->hosts + i];
}

/* What a flow would tell of the hosts' own links. */
static double need(const draft *t, int from, int to)
{
    const hs__cut *cut = t->d->cut;
    return 1.0 / (1 + cut[from].full[0]) + 1.0 / (1 + cut[to].full[1]) - 1e-3 * (t->sent[from] - t->sent[to]);
}

/* Pair the free hosts of a switch or, of all, those first that never met. */
static void match(draft *t, int node)
{
    int n = 0;
    for (int h = 0; h < t->d->hosts; h++)
        if (!t->busy[h] && (node == ALL || t->d->cut[h].parent == node))
            t->order[n++] = h;
    if (t->d->rounds > 0)
        shuffle(t, n);
    for (int k = 0; k < n; k++) {
        int i = t->order[k], other = -1;
        for (int m = k + 1; m < n && !t->busy[i]; m++)
            if (!t->busy[t->order[m]] && (other < 0 || (unmet(t->d, i, t->order[m]) && !unmet(t->d, i, other))))
                other = t->order[m];
        if (other < 0 || t->n >= t->most)
            continue;
        if (need(t, i, other) >= need(t, other, i))
            choose(t, i, other);
        else
            choose(t, other, i);
    }
}

static void count_sent(draft *t)
{
    for (size_t f = 0; f < t->d->flows; f++) {
        t->sent[t->d->flow[f].from]++;
        t->sent[t->d->flow[f].to]--;
    }
}

/* Whether it is time to see how hosts share their links that have seldom had traffic both ways. */
static int both_wanted(const hs__discovery *d)
{
    for (int h = 0; h < d->hosts; h++)
        if (d->cut[h].both < BOTH_ENOUGH)
            return d->rounds >= FIRST_BOTH && d->rounds % BOTH_EVERY == BOTH_EVERY - 1;
    return 0;
}

static void match_inside(draft *t)
{
    for (int node = t->d->hosts - 1; node < t->d->cuts; node++)
        match(t, node < t->d->hosts ? -1 : node);
}

/* Flows both ways stay inside switches: how a link between switches is shared shows in other rounds. */
static void match_both_ways(draft *t)
{
    match_inside(t);
    for (int k = 0, n = t->n; k < n; k++)
        t->flow[t->n++] = (hs__probe_flow){t->flow[k].to, t->flow[k].from, t->flow[k].rate};
}

/* One round in three is a matching of all hosts, which may show what nobody suspects; one fills links; one stays inside
 * switches. */
static void make(draft *t)
{
    hs__discovery *d = t->d;
    int wanting = d->globals < 4 * (int)ceil(log2(d->hosts));
    count_sent(t);
    t->most = (int)fmax(d->density * d->hosts / 2, 2);
    if (both_wanted(d)) {
        match_both_ways(t);
    } else if (d->cuts > d->hosts && d->rounds % 3 == 2 && wanting) {
        d->globals++;
        match(t, ALL);
    } else {
        d->globals += d->cuts == d->hosts;
        fill_suspect(t);
        wanting += fill_cuts(t) + explore(t);
        match_inside(t);
    }
    if (wanting == 0 && d->quiet >= QUIET_ROUNDS)
        t->n = 0;
}

hs_status hs__discovery_next(hs__discovery *d, hs__probe_flow *flow, int *flows)
{
    hs__pool pool = {0};
    size_t n = (size_t)d->hosts;
    double most = PROBES_FACTOR * d->hosts * log2(d->hosts);
    draft t = {.d = d, .flow = flow};
    t.busy = hs__pool_new(&pool, n, 1);
    t.side = hs__pool_new(&pool, n, 1);
    t.load = hs__pool_new(&pool, 2 * (size_t)d->cuts, sizeof *t.load);
    t.order = hs__pool_new(&pool, n, sizeof *t.order);
    t.sent = hs__pool_new(&pool, n, sizeof *t.sent);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK) {
        make(&t);
        *flows = t.n <= most - d->probes ? t.n : 0;
        d->ended = *flows == 0;
    }
    hs__pool_free(&pool);
    return status;
}
