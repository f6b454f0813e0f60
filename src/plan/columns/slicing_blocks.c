/* SPDX-License-Identifier: BSD-3-Clause */
/* A slicing tree on N x N blocks: integer cuts that make the largest area/speed as small as this tree allows
 * (Stockmeyer's shape functions). Within a load T let F_v(w) be the greatest height at which the hosts below node v can
 * hold a rectangle w blocks wide, and G_v its inverse. A leaf has F(w) = floor(T s / w); parts below each other add
 * their F, parts beside each other their G. T is feasible when F_root(N) = N, and bisection finds the least T. Then
 * from the root down every cut goes as near to its fair place as the functions of the two parts allow. */
#include "plan/columns/blocks.h"

#include "util/assert.h"
#include "util/pool.h"
#include <float.h>
#include <math.h>

enum { MAX_ENTRIES = 1 << 23 };

typedef struct task {
    const hs__slicing *tree;
    const hs__areas *areas;
    const double *speed;
    int64_t blocks;
    int32_t *shape; /* shape[v * (blocks + 1) + w] = F_v(w) */
} task;

static int32_t *shape_of(const task *t, int v)
{
    return t->shape + (size_t)v * ((size_t)t->blocks + 1);
}

static int32_t lesser(int64_t a, int64_t b)
{
    return (int32_t)(a < b ? a : b);
}

/* F(w) of parts a and b beside each other: the inverse of G_a(h) + G_b(h). */
static void join_beside(const task *t, const int32_t *a, const int32_t *b, int32_t *joined)
{
    int32_t n = (int32_t)t->blocks, wide_a = 0, wide_b = 0, w = 0;
    for (int32_t h = n; h >= 0; h--) {
        while (wide_a < n && a[wide_a + 1] >= h)
            wide_a++;
        while (wide_b < n && b[wide_b + 1] >= h)
            wide_b++;
        for (; w <= n && w <= (int64_t)wide_a + wide_b; w++)
            joined[w] = h;
    }
}

static int fits(const task *t, double load)
{
    int32_t n = (int32_t)t->blocks;
    for (int v = t->tree->n - 1; v >= 0; v--) {
        const hs__slice *s = &t->tree->node[v];
        int32_t *shape = shape_of(t, v);
        if (s->cut == HS__SLICING_LEAF) {
            double speed = t->speed[t->areas->host[s->rank]];
            for (int32_t w = 0; w <= n; w++)
                shape[w] = (int32_t)hs__column_blocks_cap(speed, w, n, load);
        } else if (s->cut == HS__SLICING_BELOW) {
            const int32_t *a = shape_of(t, v + 1), *b = shape_of(t, s->second);
            for (int32_t w = 0; w <= n; w++)
                shape[w] = lesser((int64_t)a[w] + b[w], n);
        } else {
            join_beside(t, shape_of(t, v + 1), shape_of(t, s->second), shape);
        }
    }
    return shape_of(t, 0)[n] == n;
}

static void find_load(const task *t)
{
    double total = 0;
    for (int k = 0; k < t->areas->n; k++)
        total += t->speed[t->areas->host[k]];
    double low = (double)t->blocks * (double)t->blocks / total * (1 - 1e-9), high = fmax(low, DBL_MIN) * 2;
    while (!fits(t, high))
        high *= 2;
    while (high - low > 1e-9 * high) {
        double middle = low + (high - low) / 2;
        *(fits(t, middle) ? &high : &low) = middle;
    }
    fits(t, high);
}

static int32_t widest(const task *t, int v, int32_t height)
{
    int32_t low = 0, high = (int32_t)t->blocks + 1;
    const int32_t *shape = shape_of(t, v);
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        *(shape[middle] >= height ? &low : &high) = middle;
    }
    return low;
}

/* The first part's size along the cut: near its share, something for both when there are two blocks, within what the
 * parts can hold. */
static double cut_at(double size, double share, int32_t max_first, int32_t max_second)
{
    double place = floor(size * share + 0.5);
    if (size >= 2)
        place = fmax(1, fmin(size - 1, place));
    return fmax(size - max_second, fmin(max_first, place));
}

static void place(const task *t, const double *sum, hs__box *box)
{
    box[0] = (hs__box){0, 0, (double)t->blocks, (double)t->blocks};
    for (int v = 0; v < t->tree->n; v++) {
        const hs__slice *s = &t->tree->node[v];
        if (s->cut == HS__SLICING_LEAF)
            continue;
        double length = hs__box_length(&box[v], s->cut), share = sum[v + 1] / sum[v];
        int32_t height = (int32_t)box[v].height;
        size_t width = (size_t)box[v].width;
        double first = s->cut == HS__SLICING_BESIDE
                           ? cut_at(length, share, widest(t, v + 1, height), widest(t, s->second, height))
                           : cut_at(length, share, shape_of(t, v + 1)[width], shape_of(t, s->second)[width]);
        HS_ASSERT(first >= 0 && first <= length);
        hs__box_cut(&box[v], s->cut, first, length - first, &box[v + 1], &box[s->second]);
    }
}

hs_status hs__slicing_blocks(const hs__slicing *tree, const hs__areas *areas, const double *speed, int64_t blocks,
                             hs__box *box)
{
    hs__pool pool = {0};
    if ((double)tree->n * ((double)blocks + 1) > MAX_ENTRIES)
        return HS_ERR_UNSUPPORTED;
    task t = {tree, areas, speed, blocks, NULL};
    double *sum = hs__pool_new(&pool, (size_t)tree->n, sizeof *sum);
    t.shape = hs__pool_new(&pool, (size_t)tree->n * ((size_t)blocks + 1), sizeof *t.shape);
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    hs__slicing_sum(tree, areas, sum);
    find_load(&t);
    place(&t, sum, box);
out:
    hs__pool_free(&pool);
    return status;
}
