/* SPDX-License-Identifier: BSD-3-Clause */
/* The best rotation and reversal of a ring. When the ring begins s units further on, every new slice begins s units lower,
 * modulo N. The units that a member keeps are, as a function of s, a trapezoid: they rise by one a unit while the new slice
 * enters the held one, and fall likewise. So their sum over the members bends at 4 q places; one sweep over these and the
 * q places where the ring may begin tells it at all of the latter. */
#include "plan/ring/turn.h"
#include "plan/ring/plan.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include <stdlib.h>
#include <string.h>

/* Where the slope changes, or where the sum is asked for. */
typedef struct place {
    int64_t at; /* 0 <= at < N */
    int bend;   /* change of the slope */
    int member; /* which would come first; -1: nothing is asked for */
} place;

enum { PLACES = 5 }; /* of a member */

typedef struct sweep {
    int members;
    int64_t units;
    const int64_t *count;
    const hs__ring_held *held;
    int64_t *begin; /* of each new slice when s is 0 */
    place *place;
    size_t places;
} sweep;

static int64_t modulo(int64_t a, int64_t n)
{
    return a % n < 0 ? a % n + n : a % n;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Units that stay when s is 0: no slice goes over the end then. */
static int64_t stays_at_first(const sweep *s)
{
    int64_t sum = 0;
    for (int k = 0; k < s->members; k++) {
        int64_t first = s->begin[k] > s->held[k].first ? s->begin[k] : s->held[k].first;
        int64_t end = lesser(s->begin[k] + s->count[k], s->held[k].first + s->held[k].count);
        sum += end > first ? end - first : 0;
    }
    return sum;
}

static void add_bend(sweep *s, int64_t at, int bend)
{
    s->place[s->places++] = (place){modulo(at, s->units), bend, -1};
}

static void fill_places(sweep *s)
{
    s->places = 0;
    for (int k = 0; k < s->members; k++) {
        int64_t a = s->count[k], b = s->held[k].count, enters = s->begin[k] - s->held[k].first - b;
        s->place[s->places++] = (place){modulo(s->begin[k], s->units), 0, k};
        if (a == 0 || b == 0)
            continue;
        add_bend(s, enters, 1);
        add_bend(s, enters + lesser(a, b), -1);
        add_bend(s, enters + a + b - lesser(a, b), -1);
        add_bend(s, enters + a + b, 1);
    }
}

static int by_place(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return p->member - q->member;
}

/* The slope before the first bend: the sum is the same after one turn. */
static int64_t first_slope(const sweep *s)
{
    __int128 sum = 0;
    for (size_t i = 0; i < s->places; i++)
        sum += (__int128)s->place[i].bend * s->place[i].at;
    HS_ASSERT(sum % s->units == 0);
    return (int64_t)(sum / s->units);
}

static void find_best(sweep *s, int reversed, hs__turn *best)
{
    fill_places(s);
    qsort(s->place, s->places, sizeof *s->place, by_place);
    int64_t stays = stays_at_first(s), slope = first_slope(s), at = 0;
    for (size_t i = 0; i < s->places; i++) {
        const place *p = &s->place[i];
        stays += slope * (p->at - at);
        at = p->at;
        slope += p->bend;
        if (p->member >= 0 &&
            (stays > best->stays || (stays == best->stays && best->reversed == reversed && p->member < best->first)))
            *best = (hs__turn){p->member, reversed, stays};
    }
    HS_ASSERT(stays + slope * (s->units - at) == stays_at_first(s));
}

/* Where new slices begin when the first member comes first, or reversed when the last one does. */
static void begin_slices(sweep *s, int reversed)
{
    int64_t next = 0;
    for (int i = 0; i < s->members; i++) {
        int k = reversed ? s->members - 1 - i : i;
        s->begin[k] = next;
        next += s->count[k];
    }
}

hs_status hs__ring_nearest_turn(int members, const int64_t *count, const hs__ring_held *held, hs__turn *turn)
{
    hs__pool pool = {0};
    sweep s = {.members = members, .count = count, .held = held};
    s.begin = hs__pool_new(&pool, (size_t)members, sizeof *s.begin);
    s.place = hs__pool_new(&pool, PLACES * (size_t)members, sizeof *s.place);
    hs_status status = hs__pool_status(&pool);
    for (int k = 0; k < members; k++)
        s.units += count[k];
    if (status == HS_OK) {
        hs__turn best = {0, 0, s.units > 0 ? -1 : 0};
        for (int reversed = 0; reversed < 2 && s.units > 0; reversed++) {
            begin_slices(&s, reversed);
            find_best(&s, reversed, &best);
        }
        *turn = best;
    }
    hs__pool_free(&pool);
    return status;
}

/* The position that comes at place k of the order. */
static int position_at(const hs_ring *ring, const hs__turn *turn, int k)
{
    return (int)modulo(turn->reversed ? (int64_t)turn->first - k : (int64_t)turn->first + k, ring->size);
}

hs_status hs__ring_apply_turn(hs_ring *ring, const hs__turn *turn)
{
    hs__pool pool = {0};
    hs__ring_member *member = hs__pool_new(&pool, (size_t)ring->size, sizeof *member);
    hs_ring_path *path = hs__pool_new(&pool, (size_t)ring->paths, sizeof *path);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK) {
        memcpy(member, ring->member, (size_t)ring->size * sizeof *member);
        memcpy(path, ring->path, (size_t)ring->paths * sizeof *path);
        for (int k = 0; k < ring->size; k++)
            ring->member[k] = member[position_at(ring, turn, k)];
        for (int k = 0; 2 * k < ring->paths; k++) { /* between places k and k + 1 */
            int edge = position_at(ring, turn, turn->reversed ? k + 1 : k);
            ring->path[2 * k] = path[2 * edge + turn->reversed];
            ring->path[2 * k + 1] = path[2 * edge + !turn->reversed];
        }
    }
    hs__pool_free(&pool);
    return status;
}
