/* SPDX-License-Identifier: BSD-3-Clause */
/* The moves of the local search. Each function below goes once through one kind of move of the current ring and makes
 * every improvement it meets (first improvement); all positions are tried in order, so the outcome is deterministic. */
#include "plan/ring/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_SEGMENT = 3, LARGE_REACH = 2, MAX_LEVELS = 24 };

/* trial.order = now.order without the members at from .. from + length - 1. */
static void copy_without(hs__search *s, int from, int length)
{
    const hs__ring_state *now = &s->now;
    hs__ring_state *t = &s->trial;
    t->size = now->size - length;
    memcpy(t->order, now->order, (size_t)from * sizeof *t->order);
    memcpy(t->order + from, now->order + from + length, (size_t)(now->size - from - length) * sizeof *t->order);
}

/* Puts hosts into trial.order behind its first `at` members, backwards when reversed. */
static void put(hs__search *s, int at, const int *hosts, int length, int reversed)
{
    hs__ring_state *t = &s->trial;
    memmove(t->order + at + length, t->order + at, (size_t)(t->size - at) * sizeof *t->order);
    for (int i = 0; i < length; i++)
        t->order[at + i] = hosts[reversed ? length - 1 - i : i];
    t->size += length;
}

/* Whether two hosts stand close together in the hierarchy's order, or every pair counts as close. */
static int close_by(const hs__search *s, int a, int b)
{
    int distance = abs(s->blocks.place[a] - s->blocks.place[b]);
    return s->reach == 0 || distance <= s->reach || s->blocks.hosts - distance <= s->reach;
}

/* Whether the gap between two members is worth trying for a host, or for the ends of a segment. */
static int worth_trying(const hs__search *s, int before, int behind, int first, int last)
{
    return close_by(s, before, first) || close_by(s, behind, first) || close_by(s, before, last) ||
           close_by(s, behind, last);
}

/* The member at position k <= size. */
static int member(const hs__search *s, int k)
{
    return s->now.order[k < s->now.size ? k : 0];
}

/* The same when the members at from .. from + length - 1 are left out. */
static int member_without(const hs__search *s, int from, int length, int k)
{
    int at = k < s->now.size - length ? k : 0;
    return s->now.order[at < from ? at : at + length];
}

static hs_status judge(hs__search *s, int *improved)
{
    hs_status status = hs__search_judge(s);
    if (status == HS_OK)
        hs__search_improve(s, improved);
    return status;
}

static hs_status remove_members(hs__search *s, int *improved)
{
    hs_status status = HS_OK;
    for (int k = 0; k < s->now.size && s->now.size > 1 && status == HS_OK && !hs__search_spent(s); k++) {
        copy_without(s, k, 1);
        status = judge(s, improved);
    }
    return status;
}

/* Removes all members whose messages take as long as the k longest: a step time that many members' messages dictate
 * only falls when all of them go at once. */
static hs_status remove_slowest(hs__search *s, int *improved)
{
    const hs_ring_params *params = s->problem->params;
    double level = INFINITY;
    hs_status status = HS_OK;
    for (int k = 0; k < MAX_LEVELS && status == HS_OK && !hs__search_spent(s); k++) {
        hs__ring_state *t = &s->trial;
        double next = 0.0;
        int n = 0;
        for (int i = 0; i < s->now.size; i++) {
            double comm = hs__ring_comm_time(params, &s->now, i);
            next = comm < level ? fmax(next, comm) : next;
        }
        level = next * (1 - 1e-9);
        for (int i = 0; i < s->now.size; i++)
            if (hs__ring_comm_time(params, &s->now, i) < level)
                t->order[n++] = s->now.order[i];
        if (n == 0)
            break;
        t->size = n;
        int removed = 0;
        status = judge(s, &removed);
        if (removed) {
            *improved = 1;
            level = INFINITY;
        }
    }
    return status;
}

static int is_outside(const hs__search *s, int host)
{
    return s->position[host] < 0 && s->problem->network.speed[host] > 0;
}

static hs_status insert_hosts(hs__search *s, int *improved)
{
    hs_status status = HS_OK;
    for (int host = 0; host < s->problem->network.hosts; host++)
        for (int gap = 0; gap < s->now.size && is_outside(s, host) && s->now.size < s->problem->max_members; gap++) {
            if (status != HS_OK || hs__search_spent(s))
                return status;
            if (!worth_trying(s, member(s, gap), member(s, gap + 1), host, host))
                continue;
            copy_without(s, 0, 0);
            put(s, gap + 1, &host, 1, 0);
            status = judge(s, improved);
        }
    return status;
}

static hs_status replace_members(hs__search *s, int *improved)
{
    hs_status status = HS_OK;
    for (int host = 0; host < s->problem->network.hosts; host++)
        for (int k = 0; k < s->now.size && is_outside(s, host); k++) {
            if (status != HS_OK || hs__search_spent(s))
                return status;
            if (!worth_trying(s, member(s, k), member(s, k + 1), host, host))
                continue;
            copy_without(s, 0, 0);
            s->trial.order[k] = host;
            status = judge(s, improved);
        }
    return status;
}

/* Moves the segment of `length` members at `from` to every other gap, both ways round. */
static hs_status move_segment(hs__search *s, int from, int length, int *improved)
{
    int segment[LONGEST_SEGMENT], moved = 0;
    memcpy(segment, s->now.order + from, (size_t)length * sizeof *segment);
    for (int gap = 1; gap <= s->now.size - length; gap++)
        for (int reversed = 0; reversed < (length > 1 ? 2 : 1); reversed++) {
            if ((gap == from && !reversed) || hs__search_spent(s) ||
                !worth_trying(s, member_without(s, from, length, gap - 1), member_without(s, from, length, gap),
                              segment[0], segment[length - 1]))
                continue;
            copy_without(s, from, length);
            put(s, gap, segment, length, reversed);
            hs_status status = judge(s, &moved);
            if (status != HS_OK || moved) {
                *improved |= moved;
                return status;
            }
        }
    return HS_OK;
}

static hs_status move_segments(hs__search *s, int *improved)
{
    hs_status status = HS_OK;
    for (int length = 1; length <= LONGEST_SEGMENT; length++)
        for (int from = 0; from + length <= s->now.size && s->now.size - length >= 2; from++) {
            if (status != HS_OK || hs__search_spent(s))
                return status;
            status = move_segment(s, from, length, improved);
        }
    return status;
}

static hs_status reverse_segments(hs__search *s, int *improved)
{
    hs_status status = HS_OK;
    for (int from = 1; from < s->now.size; from++)
        for (int to = from + LONGEST_SEGMENT; to < s->now.size; to++) {
            if (status != HS_OK || hs__search_spent(s))
                return status;
            copy_without(s, 0, 0);
            for (int i = from; i <= to; i++)
                s->trial.order[i] = s->now.order[from + to - i];
            status = judge(s, improved);
        }
    return status;
}

static hs_status swap_members(hs__search *s, int *improved)
{
    hs_status status = HS_OK;
    for (int a = 0; a < s->now.size; a++)
        for (int b = a + 2; b < s->now.size; b++) {
            if (status != HS_OK || hs__search_spent(s))
                return status;
            copy_without(s, 0, 0);
            s->trial.order[a] = s->now.order[b];
            s->trial.order[b] = s->now.order[a];
            status = judge(s, improved);
        }
    return status;
}

/* Removes all members of a block. */
static hs_status remove_blocks(hs__search *s, int *improved)
{
    hs_status status = HS_OK;
    for (int i = 0; i < s->blocks.count && status == HS_OK && !hs__search_spent(s); i++) {
        hs__ring_state *t = &s->trial;
        copy_without(s, 0, 0);
        int n = 0, first = s->blocks.block[i].first, count = s->blocks.block[i].count, hosts = s->blocks.hosts;
        for (int k = 0; k < t->size; k++) {
            int place = s->blocks.place[t->order[k]];
            if (place < 0 || (place - first + hosts) % hosts >= count)
                t->order[n++] = t->order[k];
        }
        if (n == 0 || n == t->size)
            continue;
        t->size = n;
        status = judge(s, improved);
    }
    return status;
}

/* The hosts of a block outside the ring, in the hierarchy's order, as many as the ring may take. */
static int list_outside(const hs__search *s, const hs__block *block, int *hosts)
{
    int n = 0;
    for (int i = 0; i < block->count && s->now.size + n < s->problem->max_members; i++) {
        int host = hs__ring_blocks_host(&s->blocks, block, i);
        if (is_outside(s, host))
            hosts[n++] = host;
    }
    return n;
}

/* The gap behind the member that precedes a place of the hierarchy's order. */
static int natural_gap(const hs__search *s, int place)
{
    for (int i = 1; i <= s->blocks.hosts; i++) {
        int host = s->blocks.order[(place - i + s->blocks.hosts) % s->blocks.hosts];
        if (s->position[host] >= 0)
            return s->position[host];
    }
    return s->now.size - 1;
}

/* Inserts all hosts of a block that are outside, in every gap, or on large platforms where the hierarchy has them. */
static hs_status insert_blocks(hs__search *s, int *improved)
{
    hs_status status = HS_OK;
    for (int i = 0; i < s->blocks.count; i++) {
        const hs__block *block = &s->blocks.block[i];
        int first = s->large ? natural_gap(s, block->first) : 0, last = s->large ? first : s->now.size - 1, done = 0;
        for (int gap = first; gap <= last && !done; gap++) {
            if (status != HS_OK || hs__search_spent(s))
                return status;
            int n = list_outside(s, block, s->hosts);
            if (n < (s->large ? 1 : 2))
                break;
            copy_without(s, 0, 0);
            put(s, gap + 1, s->hosts, n, 0);
            status = judge(s, &done);
        }
        *improved |= done;
    }
    return status;
}

/* Kinds of moves, ended by NULL. */
typedef hs_status move(hs__search *search, int *improved);

/* Goes through the kinds of moves, and back to the first after one that helped, until none does. */
static hs_status descend(hs__search *s, move *const *moves)
{
    hs_status status = HS_OK;
    for (int kind = 0; moves[kind] && status == HS_OK && !hs__search_spent(s);) {
        int improved = 0;
        status = moves[kind](s, &improved);
        kind = improved ? 0 : kind + 1;
    }
    return status;
}

hs_status hs__search_descend(hs__search *search)
{
    move *const every[] = {remove_members, remove_slowest,   insert_hosts,  hs__search_change_paths,
                           remove_blocks,  replace_members,  move_segments, insert_blocks,
                           swap_members,   reverse_segments, NULL};
    move *const nearby[] = {remove_members, remove_slowest,  insert_hosts,  hs__search_change_paths,
                            remove_blocks,  replace_members, move_segments, NULL};
    move *const coarse[] = {remove_slowest,  remove_blocks, insert_blocks, hs__search_change_paths,
                            replace_members, move_segments, NULL};
    int reach = search->reach, rerouted = 0;
    search->prune = 1;
    search->reach = search->large ? LARGE_REACH : reach;
    /* Paths first: what a member is worth depends on them. */
    hs_status status = hs__search_change_paths(search, &rerouted);
    if (status == HS_OK)
        status = descend(search, search->large ? coarse : search->reach ? nearby : every);
    search->prune = 0;
    search->reach = reach;
    return status;
}
