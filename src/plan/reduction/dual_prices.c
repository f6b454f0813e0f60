/* SPDX-License-Identifier: BSD-3-Clause */
/* The Lagrangian bound. With a price p_k on each message of class k, the most a token can place is
 *     V_k(r) = max(V_{k+1}(r), p_k + 2 V_k(r - t_k)),   V_K+1(r) = 0,
 * as if there were any number of messages. When V_1(T) < sum_k p_k m_k, the messages do not all fit into T seconds. The
 * prices that rule out the largest T are sought by subgradient steps: the price of a class that the best placement uses
 * more often than there are messages falls, that of the others rises. Prices may be negative: fast messages are worth
 * something as relays. Each price vector bounds T at once for the whole grid, since V does not depend on T. */
#include "plan/reduction/exact.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

enum { STEPS = 400, MAX_STALE = 120, AIMED_STEPS = 200 };

hs__dual_prices hs__dual_prices_new(hs__pool *pool, const hs__sums *grid)
{
    size_t k = (size_t)grid->classes, n = (size_t)grid->count;
    return (hs__dual_prices){.price = hs__pool_new(pool, k, sizeof(double)),
                             .value = hs__pool_new(pool, (k + 1) * n, sizeof(double))};
}

void hs__dual_prices_fill(hs__dual_prices *prices, const hs__sums *grid, int end)
{
    for (int k = grid->classes - 1; k >= 0; k--) {
        const int *after = grid->after + (size_t)k * (size_t)grid->count;
        const double *later = prices->value + (size_t)(k + 1) * (size_t)grid->count;
        double *value = prices->value + (size_t)k * (size_t)grid->count;
        for (int i = prices->filled; i < end; i++) {
            double take = after[i] < 0 ? -INFINITY : prices->price[k] + 2.0 * value[after[i]];
            value[i] = take > later[i] ? take : later[i];
        }
    }
    prices->filled = end > prices->filled ? end : prices->filled;
}

/* How often each class is used by the placement that V chose for one token at top. */
static void count_used(const hs__dual_prices *prices, const hs__sums *grid, int top, double *tokens, double *used)
{
    memset(tokens, 0, (size_t)(top + 1) * sizeof *tokens);
    tokens[top] = 1.0;
    for (int k = 0; k < grid->classes; k++) {
        const int *after = grid->after + (size_t)k * (size_t)grid->count;
        const double *value = prices->value + (size_t)k * (size_t)grid->count;
        used[k] = 0.0;
        for (int i = top; i >= 0 && after[i] >= 0; i--) {
            if (tokens[i] == 0.0 || prices->price[k] + 2.0 * value[after[i]] < value[i])
                continue;
            used[k] += tokens[i];
            tokens[after[i]] += 2.0 * tokens[i];
            tokens[i] = 0.0;
        }
    }
}

/* The smallest index from low on that these prices do not rule out. */
static int first_possible(const hs__dual_prices *prices, const hs__sums *grid, int low, int high)
{
    double all = 0.0;
    for (int k = 0; k < grid->classes; k++)
        all += prices->price[k] * grid->size[k];
    while (low < high && prices->value[low] < all - 1e-9)
        low++;
    HS_ASSERT(low == 0 || prices->value[low - 1] <= prices->value[low]); /* more time is worth no less */
    return low;
}

/* One step from the prices' best use of value[at] seconds, of the given length in units of price * messages; their sum,
 * signs apart, is 1 then. */
static void step(hs__dual_prices *prices, const hs__sums *grid, const double *used, double length)
{
    double norm = 0.0, scale = 0.0;
    for (int k = 0; k < grid->classes; k++) {
        double excess = fmin(used[k] / grid->size[k] - 1.0, 4.0);
        norm += excess * excess;
    }
    if (norm == 0.0)
        return;
    for (int k = 0; k < grid->classes; k++) {
        double excess = fmin(used[k] / grid->size[k] - 1.0, 4.0);
        prices->price[k] -= length * excess / sqrt(norm) / grid->size[k];
        scale += fabs(prices->price[k]) * grid->size[k];
    }
    for (int k = 0; k < grid->classes && scale > 0.0; k++)
        prices->price[k] /= scale;
    prices->filled = 0;
}

/* Keep a copy, without values. */
static void keep(const hs__dual_prices *prices, const hs__sums *grid, hs__dual_prices *kept)
{
    memcpy(kept->price, prices->price, (size_t)grid->classes * sizeof *prices->price);
    kept->filled = 0;
}

/* Prices on their way, and what their best placement takes. */
typedef struct walk {
    hs__dual_prices prices;
    double *tokens, *used; /* [count], [classes] */
    hs__pool pool;
} walk;

static hs_status walk_init(walk *w, const hs__sums *grid)
{
    *w = (walk){0};
    w->prices = hs__dual_prices_new(&w->pool, grid);
    w->tokens = hs__pool_new(&w->pool, (size_t)grid->count, sizeof *w->tokens);
    w->used = hs__pool_new(&w->pool, (size_t)grid->classes, sizeof *w->used);
    return hs__pool_complete(&w->pool);
}

/* What a step takes that fills the values below `end`, in nodes of the search. */
static int64_t step_nodes(const hs__sums *grid, int end)
{
    return 1 + (int64_t)grid->classes * end / HS__VALUES_A_NODE;
}

hs_status hs__dual_prices_bound(const hs__sums *grid, int *low, int high, int64_t budget, hs__dual_prices *kept,
                                int *count, int64_t *spent)
{
    walk w;
    hs_status status = walk_init(&w, grid);
    if (status != HS_OK)
        return status;
    int64_t nodes = 0;
    for (int k = 0; k < grid->classes; k++)
        w.prices.price[k] = grid->time[k] / grid->size[k];
    step(&w.prices, grid, w.used, 0.0);
    for (int s = 0, stale = 0; s < STEPS && stale < MAX_STALE && *low < high && nodes < budget; s++, stale++) {
        hs__dual_prices_fill(&w.prices, grid, high + 1);
        nodes += step_nodes(grid, high + 1);
        int first = first_possible(&w.prices, grid, *low, high);
        if (first > *low)
            stale = 0;
        if (first > *low || s % 16 == 0)
            keep(&w.prices, grid, &kept[(*count)++ % HS__DUAL_PRICES_MAX]);
        *low = first;
        count_used(&w.prices, grid, *low, w.tokens, w.used);
        step(&w.prices, grid, w.used, 0.5 / sqrt(1.0 + s));
    }
    *spent += nodes;
    hs__pool_free(&w.pool);
    return HS_OK;
}

double hs__dual_prices_slack(const hs__dual_prices *prices, const hs__sums *grid, int top)
{
    double slack = prices->value[top];
    for (int k = 0; k < grid->classes; k++)
        slack -= prices->price[k] * grid->size[k];
    return slack;
}

hs_status hs__dual_prices_aim(const hs__sums *grid, int top, int64_t budget, hs__dual_prices *kept, int *count,
                              int64_t *spent, int *too_short)
{
    walk w;
    hs_status status = walk_init(&w, grid);
    if (status != HS_OK)
        return status;
    double least = INFINITY;
    int64_t nodes = 0;
    memcpy(w.prices.price, kept[0].price, (size_t)grid->classes * sizeof *w.prices.price);
    for (int s = 0, slot = *count; s < AIMED_STEPS && least >= -1e-9 && (s == 0 || nodes < budget); s++) {
        hs__dual_prices_fill(&w.prices, grid, top + 1);
        nodes += step_nodes(grid, top + 1);
        double slack = hs__dual_prices_slack(&w.prices, grid, top);
        if (slack < least || s % 32 == 31) {
            slot = slot < HS__DUAL_PRICES_MAX ? slot : HS__DUAL_PRICES_MAX / 2;
            keep(&w.prices, grid, &kept[slot++]);
            *count = slot > *count ? slot : *count;
        }
        least = fmin(least, slack);
        count_used(&w.prices, grid, top, w.tokens, w.used);
        step(&w.prices, grid, w.used, 0.3 / sqrt(1.0 + s));
    }
    *too_short = least < -1e-9;
    for (int p = 0; p < *count && !*too_short; p++)
        hs__dual_prices_fill(&kept[p], grid, top + 1);
    *spent += nodes;
    hs__pool_free(&w.pool);
    return HS_OK;
}
