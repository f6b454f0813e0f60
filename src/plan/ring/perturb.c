/* SPDX-License-Identifier: BSD-3-Clause */
/* Perturbations: random changes of the current ring, larger than a move, that lead the search out of a local optimum. */
#include "plan/ring/search.h"
#include <string.h>

static int below(hs__search *s, int n)
{
    return (int)hs__random_below(&s->random, n);
}

/* Exchanges two neighbouring segments. */
static void exchange_segments(hs__search *s)
{
    hs__ring_state *t = &s->trial;
    int cut[3], n = 0;
    for (int i = 0; i < 3; i++) {
        int at = i, drawn = below(s, t->size + 1);
        for (; at > 0 && cut[at - 1] > drawn; at--)
            cut[at] = cut[at - 1];
        cut[at] = drawn;
    }
    memcpy(s->hosts, t->order, (size_t)t->size * sizeof *t->order);
    n = cut[0];
    for (int k = cut[1]; k < cut[2]; k++)
        t->order[n++] = s->hosts[k];
    for (int k = cut[0]; k < cut[1]; k++)
        t->order[n++] = s->hosts[k];
}

/* Drops up to three neighbours; one member stays. */
static void drop_segment(hs__search *s)
{
    hs__ring_state *t = &s->trial;
    int count = 1 + below(s, 3);
    count = count < t->size ? count : t->size - 1;
    int first = below(s, t->size - count + 1);
    memmove(t->order + first, t->order + first + count, (size_t)(t->size - first - count) * sizeof *t->order);
    t->size -= count;
}

static int contains(const hs__ring_state *t, int host)
{
    for (int k = 0; k < t->size; k++)
        if (t->order[k] == host)
            return 1;
    return 0;
}

/* Puts a host in at a random place if it is outside and there is room. */
static void add_host(hs__search *s, int host, int at)
{
    hs__ring_state *t = &s->trial;
    if (t->size >= s->problem->max_members || !(s->problem->network.speed[host] > 0) || contains(t, host))
        return;
    memmove(t->order + at + 1, t->order + at, (size_t)(t->size - at) * sizeof *t->order);
    t->order[at] = host;
    t->size++;
}

static void add_hosts(hs__search *s)
{
    for (int i = 1 + below(s, 3); i > 0; i--)
        add_host(s, below(s, s->problem->network.hosts), below(s, s->trial.size + 1));
}

/* Takes a block out, or in when it is outside. */
static void toggle_block(hs__search *s)
{
    hs__ring_state *t = &s->trial;
    if (s->blocks.count == 0)
        return;
    const hs__block *block = &s->blocks.block[below(s, s->blocks.count)];
    int n = 0, size = t->size;
    memcpy(s->hosts, t->order, (size_t)size * sizeof *t->order);
    for (int k = 0; k < size; k++) {
        int place = s->blocks.place[s->hosts[k]];
        if (place < 0 || (place - block->first + s->blocks.hosts) % s->blocks.hosts >= block->count)
            t->order[n++] = s->hosts[k];
    }
    if (n > 0 && n < size) {
        t->size = n;
        return;
    }
    memcpy(t->order, s->hosts, (size_t)size * sizeof *t->order);
    int at = below(s, size + 1);
    for (int i = block->count - 1; i >= 0; i--)
        add_host(s, hs__ring_blocks_host(&s->blocks, block, i), at);
}

void hs__search_perturb(hs__search *search)
{
    static void (*const perturbations[])(hs__search *) = {exchange_segments, drop_segment, add_hosts, toggle_block};
    hs__ring_state_copy(&search->trial, &search->now);
    for (int i = 1 + below(search, 2); i > 0; i--)
        perturbations[below(search, sizeof perturbations / sizeof *perturbations)](search);
}
