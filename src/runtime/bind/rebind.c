/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/bind/rebind.h"
#include "plan/binding/binding.h"
#include "plan/decision/decide.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds a binding costs, and more for each rank that moves: its caches have to be filled anew. */
#define MOVE_FIXED 1e-3
#define MOVE_RANK 1e-3

/* Of work: seconds of a core of speed 1. */
#define UNIT 1e-6

/* A rank that computes less than this part of the node's work counts as if it did so much. */
#define LEAST_SHARE 1e-4

struct hs__rebind {
    hs__pool pool; /* of all arrays */
    hs__binding_node node;
    hs__decider *decider;
    double *work, *speed, *cycle; /* [ranks], [cores], [ranks] */
    int *width;                   /* [ranks] */
    int64_t *units;               /* [ranks], all 1 */
    char *allowed, *now, *next;   /* [ranks * cores] */
    double expected, promise;     /* of the candidate, of the present binding */
};

static void *copy(hs__pool *pool, const void *array, size_t n, size_t size)
{
    void *made = hs__pool_new(pool, n, size);
    if (made)
        memcpy(made, array, n * size);
    return made;
}

hs_status hs__rebind_create(int ranks, int cores, const double *speed, const char *allowed, const char *now,
                            hs__rebind **out)
{
    size_t n = (size_t)ranks, size = n * (size_t)cores;
    hs__rebind *b = hs__array_new(1, sizeof *b);
    if (!b)
        return HS_ERR_NOMEM;
    hs__pool *pool = &b->pool;
    b->work = hs__pool_new(pool, n, sizeof *b->work);
    b->cycle = hs__pool_new(pool, n, sizeof *b->cycle);
    b->width = hs__pool_new(pool, n, sizeof *b->width);
    b->units = hs__pool_new(pool, n, sizeof *b->units);
    b->speed = copy(pool, speed, (size_t)cores, sizeof *speed);
    b->allowed = copy(pool, allowed, size, 1);
    b->now = copy(pool, now, size, 1);
    b->next = copy(pool, now, size, 1);
    b->promise = 1;
    hs_status status = hs__pool_status(pool);
    if (status == HS_OK) {
        for (int r = 0; r < ranks; r++) {
            b->cycle[r] = UNIT / ranks;
            b->units[r] = 1;
        }
        status = hs__decider_create(ranks, b->cycle, &b->decider);
    }
    b->node = (hs__binding_node){ranks, cores, b->work, b->width, b->speed, b->allowed};
    if (status == HS_OK)
        *out = b;
    else
        hs__rebind_free(b);
    return status;
}

void hs__rebind_free(hs__rebind *b)
{
    if (!b)
        return;
    hs__decider_free(b->decider);
    hs__pool_free(&b->pool);
    free(b);
}

/* What a scheduler that knows nothing of speeds gives a rank: the mean of its cores; the slowest one holds up a rank
 * that keeps all of its cores busy. */
static double speed_of(const hs__rebind *b, int rank)
{
    const char *mine = b->now + (size_t)rank * (size_t)b->node.cores;
    double sum = 0, least = INFINITY;
    int n = 0;
    for (int c = 0; c < b->node.cores; c++)
        if (mine[c]) {
            sum += b->speed[c];
            least = fmin(least, b->speed[c]);
            n++;
        }
    return n > b->width[rank] ? sum / n : least;
}

static hs_status plan(void *layout, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    (void)phase;
    hs__rebind *b = layout;
    size_t size = (size_t)b->node.ranks * (size_t)b->node.cores;
    memcpy(b->work, cycle, (size_t)b->node.ranks * sizeof *cycle);
    memcpy(b->next, b->now, size);
    hs_status status = hs__binding_plan(&b->node, b->now, b->next, now, best);
    b->expected = *now > 0 ? *best / *now : 1;
    return status == HS_UNCHANGED ? HS_OK : status;
}

/* Ranks that are bound anew. */
static int64_t traffic(const void *layout)
{
    const hs__rebind *b = layout;
    size_t cores = (size_t)b->node.cores;
    int64_t ranks = 0;
    for (size_t r = 0; r < (size_t)b->node.ranks; r++)
        ranks += memcmp(b->now + r * cores, b->next + r * cores, cores) != 0;
    return ranks;
}

hs_status hs__rebind_phase(hs__rebind *b, double seconds, const double *compute, const int *width)
{
    static const hs__decide_kind kind = {.plan = plan, .traffic = traffic};
    double sum = 0;
    for (int r = 0; r < b->node.ranks; r++) {
        b->width[r] = width[r];
        b->cycle[r] = compute[r] * width[r] * speed_of(b, r);
        sum += b->cycle[r];
    }
    if (!(sum >= UNIT) || !(seconds > 0))
        return HS_UNCHANGED;
    for (int r = 0; r < b->node.ranks; r++)
        b->cycle[r] = UNIT * fmax(b->cycle[r] / sum, LEAST_SHARE);
    hs__decide_phase phase = {.iterations = (int64_t)(sum / UNIT),
                              .cycle = b->cycle,
                              .units = b->units,
                              .step = UNIT * seconds / sum,
                              .left = -1,
                              .move_fixed = MOVE_FIXED,
                              .move_unit = MOVE_RANK};
    hs_status status = hs__decider_phase(b->decider, &phase, &kind, b);
    if (status == HS_OK) {
        memcpy(b->now, b->next, (size_t)b->node.ranks * (size_t)b->node.cores);
        HS_ASSERT(hs__binding_check(&b->node, b->now, NULL) == HS_OK);
        b->promise = b->expected;
    }
    return status;
}

const char *hs__rebind_set(const hs__rebind *b)
{
    return b->now;
}

double hs__rebind_promise(const hs__rebind *b)
{
    return b->promise;
}
