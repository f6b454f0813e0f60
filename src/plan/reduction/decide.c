/* SPDX-License-Identifier: BSD-3-Clause */
/* Do all messages fit into T seconds? A depth-first search over how many tokens of each index take a message of the
 * present phase, from the tokens with most time to the ones with least.
 *
 * Bounding: with prices p, slack = sum of V_k(token) - sum of p over the messages still to place must not be negative.
 * A choice lowers it by what it gives away, so the choice that gives away least is tried first. Several price vectors
 * bound at once, first the one that bounded last. States seen lately are not entered again: a state is the phase, the
 * place in it and the multiset of tokens, known by two independent 64-bit sums. */
#include "plan/reduction/exact.h"
#include "util/assert.h"
#include "util/random.h"
#include <math.h>

enum { SEEN_ROOM = 1 << 16 };

typedef struct key {
    uint64_t a, b;
} key;

typedef struct search {
    const hs__sums *grid;
    const hs__dual_prices *prices;
    int price_count, top;
    int order[HS__DUAL_PRICES_MAX]; /* of the prices, in which they bound */
    int *tokens;                    /* [top + 1], how many at each index */
    uint64_t *words;                /* bit i: tokens[i] > 0 */
    key *name;                      /* [top + 1], random */
    key *seen;                      /* [SEEN_ROOM], {0, 0}: free */
    key tokens_key;                 /* sum over the tokens of their names */
    hs__placement *placement;
    int placements;
    int64_t explored, budget;
    int gave_up;
    hs__pool pool;
} search;

/* The next index below i that has tokens, -1 when there is none. */
static int next_below(const search *s, int i)
{
    if (i <= 0)
        return -1;
    int w = (i - 1) / 64;
    uint64_t word = s->words[w] & (~(uint64_t)0 >> (63 - (i - 1) % 64));
    while (word == 0 && w > 0)
        word = s->words[--w];
    return word == 0 ? -1 : w * 64 + 63 - __builtin_clzll(word);
}

static void add_tokens(search *s, int i, int n)
{
    s->tokens[i] += n;
    HS_ASSERT(s->tokens[i] >= 0);
    s->tokens_key.a += s->name[i].a * (uint64_t)(int64_t)n;
    s->tokens_key.b += s->name[i].b * (uint64_t)(int64_t)n;
    uint64_t bit = (uint64_t)1 << (i % 64);
    s->words[i / 64] = s->tokens[i] > 0 ? s->words[i / 64] | bit : s->words[i / 64] & ~bit;
}

/* Whether this state was entered before; remembers it in place of another. */
static int is_known(search *s, int k, int i)
{
    uint64_t place = ((uint64_t)k << 32 | (uint32_t)i) * 0x9e3779b97f4a7c15u;
    key state = {s->tokens_key.a ^ place, (s->tokens_key.b + place) | 1};
    size_t slot = (size_t)(state.a ^ state.a >> 29) % SEEN_ROOM;
    if (s->seen[slot].a == state.a && s->seen[slot].b == state.b)
        return 1;
    s->seen[slot] = state;
    return 0;
}

static const double *row(const search *s, int p, int k)
{
    return s->prices[p].value + (size_t)k * (size_t)s->grid->count;
}

/* What choosing `take` of the tokens at i gives away, and with `closing` what the tokens below lose because the phase
 * is over, for price vector p. */
static double given_away(const search *s, int p, int k, int i, int take, int closing)
{
    const double *now = row(s, p, k), *later = row(s, p, k + 1);
    int after = s->grid->after[(size_t)k * (size_t)s->grid->count + (size_t)i];
    double loss = take * (now[i] - (after < 0 ? 0.0 : s->prices[p].price[k] + 2.0 * now[after])) +
                  (s->tokens[i] - take) * (now[i] - later[i]);
    if (!closing)
        return loss;
    for (int j = next_below(s, i); j >= 0; j = next_below(s, j))
        loss += s->tokens[j] * (now[j] - later[j]);
    return loss + 2 * take * (now[after] - later[after]);
}

static int visit(search *s, int k, int i, int left, const double *slack);

/* Try one choice. @return 1 when it leads to a solution */
static int choose(search *s, int k, int i, int left, int take, const double *slack)
{
    double rest[HS__DUAL_PRICES_MAX];
    int closing = take == left, found;
    for (int q = 0; q < s->price_count; q++) {
        int p = s->order[q];
        rest[p] = slack[p] - given_away(s, p, k, i, take, closing);
        if (rest[p] < -1e-9) {
            s->order[q] = s->order[0];
            s->order[0] = p;
            return 0;
        }
    }
    int after = s->grid->after[(size_t)k * (size_t)s->grid->count + (size_t)i], mark = s->placements;
    if (take > 0) {
        s->placement[s->placements++] = (hs__placement){i, k, take};
        add_tokens(s, i, -take);
        add_tokens(s, after, 2 * take);
    }
    if (!closing)
        found = visit(s, k, i, left - take, rest);
    else if (k + 1 == s->grid->classes)
        return 1;
    else
        found = visit(s, k + 1, s->top + 1, s->grid->size[k + 1], rest);
    if (!found && take > 0) {
        add_tokens(s, after, -2 * take);
        add_tokens(s, i, take);
        s->placements = mark;
    }
    return found;
}

/* How many of the tokens at i can take a message before some price vector rules it out: no more, no fewer. What is given away
 * grows with `take` or falls with it, since a token's value is that of taking the message or that of leaving it. One more at
 * either end is left to choose(), for rounding. */
static void limit_take(const search *s, int k, int i, const double *slack, int *least, int *most)
{
    for (int p = 0; p < s->price_count; p++) {
        double taken = given_away(s, p, k, i, s->tokens[i], 0), left = given_away(s, p, k, i, 0, 0);
        HS_ASSERT(taken <= 0 || left <= 0);
        double part = (slack[p] + 1e-9) / fmax(taken, left) * s->tokens[i]; /* how many may go the wrong way */
        if (!(part < s->tokens[i]))
            continue;
        int wrong = (int)part + 1;
        if (taken > left)
            *most = wrong < *most ? wrong : *most;
        else
            *least = s->tokens[i] - wrong > *least ? s->tokens[i] - wrong : *least;
    }
}

/* Place `left` messages of class k on tokens below index i. */
static int visit(search *s, int k, int i, int left, const double *slack)
{
    if (s->explored >= s->budget) {
        s->gave_up = 1;
        return 0;
    }
    s->explored++;
    i = next_below(s, i);
    if (i < 0 || s->grid->after[(size_t)k * (size_t)s->grid->count + (size_t)i] < 0 || is_known(s, k, i))
        return 0;
    int least = 0, most = s->tokens[i] < left ? s->tokens[i] : left;
    if (k + 1 == s->grid->classes) /* nothing comes later: taking less never helps */
        return choose(s, k, i, left, most, slack);
    int max_first = given_away(s, 0, k, i, 1, 0) <= given_away(s, 0, k, i, 0, 0);
    limit_take(s, k, i, slack, &least, &most);
    for (int c = least; c <= most && !s->gave_up; c++)
        if (choose(s, k, i, left, max_first ? least + most - c : c, slack))
            return 1;
    return 0;
}

static hs_status search_init(search *s, int top)
{
    hs__random random = {0x7265647563650000u};
    s->tokens = hs__pool_new(&s->pool, (size_t)top + 1, sizeof *s->tokens);
    s->words = hs__pool_new(&s->pool, (size_t)top / 64 + 1, sizeof *s->words);
    s->name = hs__pool_new(&s->pool, (size_t)top + 1, sizeof *s->name);
    s->seen = hs__pool_new(&s->pool, SEEN_ROOM, sizeof *s->seen);
    if (hs__pool_status(&s->pool) != HS_OK)
        return HS_ERR_NOMEM;
    for (int i = 0; i <= top; i++)
        s->name[i] = (key){hs__random_next(&random), hs__random_next(&random)};
    return HS_OK;
}

hs_status hs__exact_decide(const hs__sums *grid, int top, const hs__dual_prices *prices, int price_count,
                           int64_t budget, hs__placement *placement, int *placements, int64_t *explored,
                           hs__verdict *verdict)
{
    search s = {.grid = grid,
                .prices = prices,
                .price_count = price_count,
                .top = top,
                .placement = placement,
                .budget = budget};
    double slack[HS__DUAL_PRICES_MAX];
    hs_status status = search_init(&s, top);
    if (status != HS_OK)
        goto out;
    *verdict = HS__DOES_NOT_FIT;
    int possible = 1;
    for (int p = 0; p < price_count; p++) {
        s.order[p] = p;
        slack[p] = hs__dual_prices_slack(&prices[p], grid, top);
        possible = possible && slack[p] >= -1e-9;
    }
    add_tokens(&s, top, 1);
    if (possible && visit(&s, 0, top + 1, grid->size[0], slack)) {
        *verdict = HS__FITS;
        *placements = s.placements;
    } else if (s.gave_up)
        *verdict = HS__GAVE_UP;
    *explored += s.explored;
out:
    hs__pool_free(&s.pool);
    return status;
}
