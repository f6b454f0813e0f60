/* SPDX-License-Identifier: BSD-3-Clause */
/* More ranks than cores: scheduling on uniform machines, Q || Cmax, which is NP-hard. Depth first over the ranks, most
 * work first, the cores in the order in which they would end: the first leaf is the list schedule (LPT; Graham 1969,
 * for uniform machines Gonzalez, Ibarra and Sahni 1977), later ones have to be better. */
#include "plan/binding/binding.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <string.h>

/* Looks at a core, over the whole search. */
enum { MAX_LOOKS = 1000000 };

typedef struct search {
    const hs__binding_node *node;
    const char *now;
    int *order;   /* ranks, most work first */
    int *twin;    /* of every core, the first that is like it in speed and in whom it is allowed to */
    int *core;    /* of every rank, on the way */
    int *best;    /* of every rank, in the best found */
    double *work; /* of every core, on the way */
    double slowest, bound;
    int looks;
} search;

static int is_allowed(const search *s, int rank, int core)
{
    return s->node->allowed[(size_t)rank * (size_t)s->node->cores + (size_t)core];
}

static int are_alike(const search *s, int a, int b)
{
    int alike = !(s->node->speed[a] < s->node->speed[b]) && !(s->node->speed[a] > s->node->speed[b]);
    for (int r = 0; r < s->node->ranks && alike; r++)
        alike = !is_allowed(s, r, a) == !is_allowed(s, r, b);
    return alike;
}

static void find_twins(search *s)
{
    for (int c = 0; c < s->node->cores; c++)
        for (s->twin[c] = 0; !are_alike(s, s->twin[c], c);)
            s->twin[c]++;
}

static int is_bound_to(const search *s, int rank, int core)
{
    return s->now[(size_t)rank * (size_t)s->node->cores + (size_t)core] && hs__binding_has(s->node, s->now, rank, 1);
}

/* Another core like this one, with as much on it, comes first. */
static int repeats(const search *s, int core)
{
    for (int c = s->twin[core]; c < core; c++)
        if (s->twin[c] == s->twin[core] && !(s->work[c] < s->work[core]) && !(s->work[c] > s->work[core]))
            return 1;
    return 0;
}

/* The rank's next choice after `last` (-1: none yet): by when the core would end, then where it is bound, then index.
 */
static int next_core(search *s, int rank, int last)
{
    int best = -1, best_here = 0;
    double best_end = INFINITY;
    double last_end = last < 0 ? -1 : (s->work[last] + s->node->work[rank]) / s->node->speed[last];
    int last_here = last >= 0 && is_bound_to(s, rank, last);
    for (int c = 0; c < s->node->cores; c++) {
        s->looks++;
        double end = (s->work[c] + s->node->work[rank]) / s->node->speed[c];
        if (end >= s->slowest || end < last_end || end > best_end || !is_allowed(s, rank, c))
            continue;
        int here = is_bound_to(s, rank, c);
        int after_last = end > last_end || here < last_here || (here == last_here && c > last);
        int before_best = end < best_end || here > best_here;
        if (!after_last || !before_best || (!here && repeats(s, c)))
            continue;
        best = c;
        best_end = end;
        best_here = here;
    }
    return best;
}

/* slowest: of the cores as they are filled on the way */
static void descend(search *s, int depth, double slowest)
{
    if (depth == s->node->ranks) {
        s->slowest = slowest;
        memcpy(s->best, s->core, (size_t)s->node->ranks * sizeof *s->best);
        return;
    }
    int rank = s->order[depth], c = -1;
    while (slowest < s->slowest && (c = next_core(s, rank, c)) >= 0) {
        double before = s->work[c];
        s->work[c] += s->node->work[rank];
        s->core[rank] = c;
        descend(s, depth + 1, fmax(slowest, s->work[c] / s->node->speed[c]));
        s->work[c] = before;
        /* Rounding apart, nothing is better than the bound. */
        if (s->looks > MAX_LOOKS || s->slowest <= s->bound * (1 + 1e-12))
            return;
    }
}

/* All work over all speeds, or the largest work on the fastest core. */
static double lower_bound(const search *s)
{
    double work = 0, speed = 0, fastest = 0, most = 0;
    for (int r = 0; r < s->node->ranks; r++) {
        work += s->node->work[r];
        most = fmax(most, s->node->work[r]);
    }
    for (int c = 0; c < s->node->cores; c++) {
        speed += s->node->speed[c];
        fastest = fmax(fastest, s->node->speed[c]);
    }
    return fmax(work / speed, most / fastest);
}

hs_status hs__binding_share(const hs__binding_node *node, const char *now, char *set)
{
    hs__pool pool = {0};
    size_t ranks = (size_t)node->ranks, cores = (size_t)node->cores;
    int *numbers = hs__pool_new(&pool, 4 * ranks + cores, sizeof *numbers), *one = numbers + 3 * ranks;
    double *work = hs__pool_new(&pool, cores, sizeof *work);
    hs_status status = hs__pool_status(&pool);
    search s = {node, now, numbers, numbers + 4 * ranks, numbers + ranks, numbers + 2 * ranks, work, INFINITY, 0, 0};
    if (status != HS_OK)
        goto out;
    for (size_t r = 0; r < ranks; r++)
        one[r] = 1;
    hs__binding_order(node, one, s.order);
    find_twins(&s);
    s.bound = lower_bound(&s);
    descend(&s, 0, 0);
    HS_ASSERT(s.slowest >= s.bound * (1 - 1e-9) && s.slowest < INFINITY);
    for (size_t r = 0; r < ranks; r++)
        set[r * cores + (size_t)s.best[r]] = 1;
out:
    hs__pool_free(&pool);
    return status;
}
