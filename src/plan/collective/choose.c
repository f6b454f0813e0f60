/* SPDX-License-Identifier: BSD-3-Clause */
/* Which root, which tree or ring, and which piece: each candidate is grown, timed, and accepted when it is faster. */
#include "plan/collective/collective.h"
#include <math.h>

enum { ROOTS = 4, WIDTHS = 5, LEVELS = 12 };

/* Above MANY_HOSTS hosts, where trees take long to grow, one root, every other piece size and FEW_WIDTHS are tried. */
enum { MANY_HOSTS = 48, FEW_WIDTHS = 3 };

/* The highest rate that all hosts can send (and receive) at: that of the worst host's best route. */
static double top_rate(const hs__routes *x)
{
    double rate = INFINITY;
    for (int i = 0; i < x->hosts; i++) {
        double out = 0.0, in = 0.0;
        for (int j = 0; j < x->hosts; j++)
            if (j != i) {
                out = fmax(out, x->bandwidth[i * x->hosts + j]);
                in = fmax(in, x->bandwidth[j * x->hosts + i]);
            }
        rate = fmin(rate, fmin(out, in));
    }
    return isfinite(rate) ? rate : 0.0;
}

/* The trial becomes the best. */
static void accept(hs__collective_choice *c, double time, double piece)
{
    hs__collective_tree swap = c->best;
    c->best = c->trial;
    c->trial = swap;
    c->time = time;
    c->piece = piece;
    c->shape = HS_COLLECTIVE_TREE;
}

/* Try one root with all piece sizes, and with trees that keep to top_rate() / width; width 0 sets no limit. */
static hs_status try_root(const hs__routes *x, const hs_collective_params *p, int root, hs__collective_choice *c)
{
    double top = top_rate(x);
    int is_large = x->hosts > MANY_HOSTS, widths = is_large ? FEW_WIDTHS : WIDTHS;
    for (int level = 0; level < LEVELS; level += is_large ? 2 : 1) {
        double piece = p->bytes / (double)(1 << level);
        if (level > 0 && piece < p->least_piece)
            break;
        for (int width = 0; width < widths; width++) {
            hs_status status = hs__collective_tree_grow(x, p->kind, root, piece, width ? top / width : 0.0, &c->trial);
            if (status == HS_ERR_INFEASIBLE)
                continue;
            if (status != HS_OK)
                return status;
            double time;
            status = hs__collective_tree_time(x, p->kind, &c->trial, p->bytes, piece, &time);
            if (status != HS_OK)
                return status;
            if (time < c->time * (1.0 - 1e-9))
                accept(c, time, piece);
        }
    }
    return HS_OK;
}

/* Roots worth trying: the hosts that send fastest to the others, lowest number first. */
static int best_roots(const hs__routes *x, int *root)
{
    int count = 0;
    double score[ROOTS];
    for (int i = 0; i < x->hosts; i++) {
        double sum = 0.0;
        for (int j = 0; j < x->hosts; j++)
            if (j != i)
                sum += 1.0 / x->bandwidth[i * x->hosts + j] + 1.0 / x->bandwidth[j * x->hosts + i];
        int k = count < ROOTS ? count++ : ROOTS;
        for (; k > 0 && sum < score[k - 1] * (1.0 - 1e-12); k--)
            if (k < ROOTS) {
                score[k] = score[k - 1];
                root[k] = root[k - 1];
            }
        if (k < ROOTS) {
            score[k] = sum;
            root[k] = i;
        }
    }
    return count;
}

hs_status hs__collective_choose(const hs__routes *x, const hs_collective_params *p, const hs__participants *who,
                                hs__collective_choice *c)
{
    int root[ROOTS], roots = 1;
    hs_status status = HS_OK;
    if (p->root >= 0)
        root[0] = who->index[p->root];
    else
        roots = best_roots(x, root);
    c->time = INFINITY;
    if (x->hosts > MANY_HOSTS)
        roots = 1;
    for (int k = 0; k < roots && status == HS_OK; k++)
        status = try_root(x, p, root[k], c);
    if (status == HS_OK && !isfinite(c->time)) /* so many bytes that no time is finite */
        return HS_ERR_ARG;
    if (status != HS_OK || p->kind != HS_COLLECTIVE_ALLREDUCE || x->hosts < 3)
        return status;
    double ring;
    status = hs__ring_time(x, p->bytes, c->trial.order, &ring);
    if (status == HS_OK && ring < c->time * (1.0 - 1e-9)) {
        accept(c, ring, p->bytes / x->hosts);
        c->shape = HS_COLLECTIVE_RING;
    }
    return status;
}
