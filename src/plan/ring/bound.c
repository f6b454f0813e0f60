/* SPDX-License-Identifier: BSD-3-Clause */
/* No ring is faster. Let T be the step time of some ring of two or more hosts.
 *
 * Every message then takes at most T - t, t the least time of any message, because its sender sends two; so its rate is
 * at least y = H / (T - t). A cut of capacity b that 4 (or m) messages of any ring with hosts on both sides must cross
 * keeps the sides apart when m y > b. Within what is left together, member i spends at least d_i on its own messages:
 * from the widest path it has, from what its two messages share, x1 + x2 <= b, D_i >= 4 H / b, and where the messages
 * to it share that too, D_i >= 4 H / (b - 2 y). The members do at most sum of (T - d_i) speed_i work, which must reach
 * W. All this only becomes easier as T grows, so bisection finds the least T that passes. A ring of one host needs W /
 * speed. */
#include "plan/ring/bound.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include "util/sort.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bound_task {
    const hs_ring_params *params;
    const hs__network *network;
    const hs__ring_cuts *cuts;
    hs__limits limits;
    int max_members;
    double quickest; /* t: no message of any host takes less, seconds */
    int *class;      /* [host] hosts of different classes cannot be in one ring */
    int *next_class; /* [host] scratch */
    int *slot;       /* [slots] scratch, a power of two */
    size_t slots;
    double *work, *by_class; /* [host] scratch: what it can do within T */
} bound_task;

static void free_cuts(hs__ring_cuts *cuts)
{
    for (size_t i = 0; i < cuts->count; i++)
        free(cuts->cut[i].side);
    free(cuts->value);
    free(cuts->order);
    free(cuts->tree);
    free(cuts->cut);
}

hs_status hs__ring_cuts_add(hs__ring_cuts *cuts, double capacity, int messages, const int *side, int hosts)
{
    int *copy = hs__array_new((size_t)hosts, sizeof *copy);
    if (!copy || hs__array_reserve(&cuts->cut, &cuts->room, cuts->count + 1, sizeof *cuts->cut) != 0) {
        free(copy);
        return HS_ERR_NOMEM;
    }
    memcpy(copy, side, (size_t)hosts * sizeof *copy);
    cuts->cut[cuts->count++] = (hs__ring_cut){capacity, messages, copy};
    return HS_OK;
}

/* Splits the classes by the sides of a cut: hosts of one class and side form a new class, named by its lowest host. */
static void split(bound_task *b, const int *side)
{
    size_t mask = b->slots - 1;
    memset(b->slot, -1, b->slots * sizeof *b->slot);
    for (int i = 0; i < b->network->hosts; i++) {
        size_t at = ((size_t)b->class[i] * 2654435761u + (size_t)side[i] * 40503u) & mask;
        while (b->slot[at] >= 0 && (b->class[b->slot[at]] != b->class[i] || side[b->slot[at]] != side[i]))
            at = (at + 1) & mask;
        if (b->slot[at] < 0)
            b->slot[at] = i;
        b->next_class[i] = b->slot[at];
    }
    memcpy(b->class, b->next_class, (size_t)b->network->hosts * sizeof *b->class);
}

/* Whether each class is named by a host of its own. */
static int are_named(const bound_task *b)
{
    for (int i = 0; i < b->network->hosts; i++)
        if (b->class[b->class[i]] != b->class[i])
            return 0;
    return 1;
}

/* The classes that cuts leave together when each of four messages has at least this rate. */
static void find_classes(bound_task *b, double rate)
{
    const hs__ring_cuts *cuts = b->cuts;
    int hosts = b->network->hosts;
    memset(b->class, 0, (size_t)hosts * sizeof *b->class);
    for (int k = 0; k < hosts && cuts->tree; k++) {
        int i = cuts->order[k];
        b->class[i] = k == 0 || 4 * rate > cuts->value[i] ? i : b->class[cuts->tree[i]];
    }
    for (size_t c = 0; c < cuts->count; c++)
        if (cuts->cut[c].messages * rate > cuts->cut[c].capacity)
            split(b, cuts->cut[c].side);
    HS_ASSERT(are_named(b));
}

/* The least D of a host in a ring of step time T, seconds. */
static double least_comm(const bound_task *b, int i, double rate)
{
    double halo = b->params->halo, both = b->limits.both[i] - 2 * rate;
    double least = 2 * halo / b->limits.widest[i];
    least = fmax(least, 4 * halo / b->limits.out[i]);
    least = fmax(least, both > 0 ? 4 * halo / both : INFINITY);
    return (halo > 0 ? least : 0.0) + 2 * b->limits.latency[i];
}

/* Lists what the hosts can do, those of each class together: next_class[c] is where class c ends. */
static void list_by_class(bound_task *b)
{
    int hosts = b->network->hosts, first = 0, *end = b->next_class;
    memset(end, 0, (size_t)hosts * sizeof *end);
    for (int i = 0; i < hosts; i++)
        end[b->class[i]] += b->work[i] > 0;
    for (int c = 0; c < hosts; c++) {
        int count = end[c];
        end[c] = first;
        first += count;
    }
    for (int i = hosts - 1; i >= 0; i--)
        if (b->work[i] > 0)
            b->by_class[end[b->class[i]]++] = b->work[i];
    for (int c = 1; c < hosts; c++)
        HS_ASSERT(end[c - 1] <= end[c]);
}

/* Whether the hosts of a class can do W within T, the `max_members` ablest of them. */
static int class_suffices(const bound_task *b, int class)
{
    int first = class > 0 ? b->next_class[class - 1] : 0, n = b->next_class[class] - first;
    HS_ASSERT(n == 0 || b->class[class] == class);
    double total = 0.0, *list = b->by_class + first;
    if (n > b->max_members)
        hs__sort_doubles(list, (size_t)n);
    for (int k = n - 1; k >= 0 && k >= n - b->max_members; k--)
        total += list[k];
    return n > 1 && total >= b->params->work;
}

/* Whether a ring of step time T is not ruled out. */
static int passes(bound_task *b, double time)
{
    int hosts = b->network->hosts;
    double room = time - b->quickest, rate = room > 0 ? b->params->halo / room : INFINITY;
    find_classes(b, b->params->halo > 0 ? rate : 0.0);
    for (int i = 0; i < hosts; i++) {
        double comm = least_comm(b, i, rate), speed = b->network->speed[i];
        b->work[i] = comm > time ? 0.0 : speed * (b->params->model == HS_STEP_OVERLAP ? time : time - comm);
    }
    list_by_class(b);
    for (int i = 0; i < hosts; i++)
        if (class_suffices(b, i))
            return 1;
    return 0;
}

static double bisect(bound_task *b)
{
    double high = b->params->work / b->network->speed[0], low = 0.0;
    for (int i = 0; i < 100 && high - low > 1e-12 * high; i++) {
        double middle = low + (high - low) / 2;
        *(passes(b, middle) ? &high : &low) = middle;
    }
    HS_ASSERT(low == 0.0 || !passes(b, low)); /* no ring is so fast */
    return low;
}

static void find_quickest(bound_task *b)
{
    b->quickest = INFINITY;
    for (int i = 0; i < b->network->hosts; i++)
        if (b->network->speed[i] > 0)
            b->quickest = fmin(b->quickest, (b->params->halo > 0 ? b->params->halo / b->limits.widest[i] : 0.0) +
                                                b->limits.latency[i]);
}

hs_status hs__ring_bound(const hs_ring_params *params, hs__network *network, const hs__graph *graph, int max_members,
                         double *bound)
{
    hs__pool pool = {0};
    size_t hosts = (size_t)network->hosts;
    double *memory = hs__pool_new(&pool, 6 * hosts, sizeof *memory);
    size_t slots = 2;
    while (slots < 2 * hosts)
        slots *= 2;
    int *classes = hs__pool_new(&pool, 2 * hosts + slots, sizeof *classes);
    hs__ring_cuts cuts = {0};
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    bound_task b = {.params = params, .network = network, .cuts = &cuts, .max_members = max_members};
    b.limits = (hs__limits){memory, memory + hosts, memory + 2 * hosts, memory + 3 * hosts};
    b.work = memory + 4 * hosts;
    b.by_class = memory + 5 * hosts;
    b.class = classes;
    b.next_class = classes + hosts;
    b.slot = classes + 2 * hosts;
    b.slots = slots;
    for (size_t i = 0; i < hosts; i++)
        b.limits.widest[i] = b.limits.out[i] = b.limits.both[i] = INFINITY;
    status = graph ? hs__bound_graph(network, graph, &b.limits, &cuts) : HS_OK;
    if (status == HS_OK && params->routes == HS_RING_ROUTES_FIXED)
        status = hs__bound_routes(network, &b.limits, &cuts);
    if (status != HS_OK)
        goto out;
    find_quickest(&b);
    *bound = bisect(&b);
out:
    free_cuts(&cuts);
    hs__pool_free(&pool);
    return status;
}
