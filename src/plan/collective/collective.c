/* SPDX-License-Identifier: BSD-3-Clause */
/* The front door of the planners of collective operations: which root, which tree, which piece. */
#include "plan/collective/collective.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOTS = 4, WIDTHS = 5, LEVELS = 12 };

/* Where trees take long to grow fewer are tried: one root, every other level, and as few widths. */
enum { MANY_HOSTS = 48, FEW_WIDTHS = 3 };

struct hs_collective {
    int ranks, root;
    hs_collective_shape shape;
    double time, lower_bound, piece;
    int *parent, *place, *window; /* [ranks]; owned */
};

/* Hosts that take part, in the order of their first rank. */
typedef struct participants {
    int hosts;
    int *host;   /* [hosts] of the platform */
    int *number; /* [ranks]: which of them */
    int *leader; /* [hosts]: a rank; the root leads its host */
} participants;

typedef struct choice {
    double time, piece;
    hs_collective_shape shape;
    hs__collective_tree best, trial;
} choice;

void hs_collective_params_init(hs_collective_params *params)
{
    *params =
        (hs_collective_params){.root = -1, .combine = 0.2e-9, .overhead = 5e-6, .least_piece = 8192, .local_rate = 4e9};
}

static int is_amount(double x)
{
    return x >= 0.0 && isfinite(x);
}

static hs_status check(const hs_platform *platform, const hs_collective_params *p, hs_error *error)
{
    if (!platform || !p || p->ranks < 1 || !p->host || (unsigned)p->kind > HS_COLLECTIVE_BARRIER)
        return hs_error_set(error, HS_ERR_ARG, 0, "no platform, no ranks, or an unknown operation");
    if (p->root < -1 || p->root >= p->ranks)
        return hs_error_set(error, HS_ERR_ARG, 0, "the root is %d, there are %d ranks", p->root, p->ranks);
    if (!is_amount(p->bytes) || !is_amount(p->combine) || !is_amount(p->overhead) || !(p->least_piece >= 1.0) ||
        !(p->local_rate > 0.0))
        return hs_error_set(error, HS_ERR_ARG, 0, "bytes, times and rates must be finite and not negative");
    for (int r = 0; r < p->ranks; r++)
        if (p->host[r] < 0 || p->host[r] >= hs_platform_hosts(platform))
            return hs_error_set(error, HS_ERR_ARG, 0, "rank %d is on host %d of %d", r, p->host[r],
                                hs_platform_hosts(platform));
    return HS_OK;
}

static void participants_free(participants *c)
{
    free(c->leader);
    free(c->number);
    free(c->host);
}

static hs_status participants_init(participants *c, const hs_platform *platform, const hs_collective_params *p)
{
    size_t n = (size_t)p->ranks;
    int *seen = hs__array_new((size_t)hs_platform_hosts(platform), sizeof *seen); /* number + 1 */
    *c = (participants){.host = hs__array_new(n, sizeof(int)),
                        .number = hs__array_new(n, sizeof(int)),
                        .leader = hs__array_new(n, sizeof(int))};
    hs_status status = c->host && c->number && c->leader && seen ? HS_OK : HS_ERR_NOMEM;
    for (int r = 0; r < p->ranks && status == HS_OK; r++) {
        int *number = &seen[p->host[r]];
        if (*number == 0) {
            c->host[c->hosts] = p->host[r];
            c->leader[c->hosts] = r;
            *number = ++c->hosts;
        }
        c->number[r] = *number - 1;
    }
    if (status == HS_OK && p->root >= 0)
        c->leader[c->number[p->root]] = p->root;
    free(seen);
    return status;
}

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

static void keep_trial(choice *c, double time, double piece)
{
    hs__collective_tree swap = c->best;
    c->best = c->trial;
    c->trial = swap;
    c->time = time;
    c->piece = piece;
    c->shape = HS_COLLECTIVE_TREE;
}

/* Try one root with all widths and pieces. Width 0: as many flows on a link as come first. */
static hs_status try_root(const hs__routes *x, const hs_collective_params *p, int root, choice *c)
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
            double time = hs__collective_tree_time(x, p->kind, &c->trial, p->bytes, piece);
            if (time < c->time * (1.0 - 1e-9))
                keep_trial(c, time, piece);
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

static hs_status choose(const hs__routes *x, const hs_collective_params *p, const participants *who, choice *c)
{
    int root[ROOTS], roots = 1;
    hs_status status = HS_OK;
    if (p->root >= 0)
        root[0] = who->number[p->root];
    else
        roots = best_roots(x, root);
    c->time = INFINITY;
    if (x->hosts > MANY_HOSTS)
        roots = 1;
    for (int k = 0; k < roots && status == HS_OK; k++)
        status = try_root(x, p, root[k], c);
    if (status != HS_OK || p->kind != HS_COLLECTIVE_ALLREDUCE || x->hosts < 3)
        return status;
    double ring = hs__ring_time(x, p->bytes, c->trial.order);
    if (ring < c->time * (1.0 - 1e-9)) {
        keep_trial(c, ring, p->bytes / x->hosts);
        c->shape = HS_COLLECTIVE_RING;
    }
    return status;
}

/* Ranks of one host join their leader as a binomial tree: the k-th joins the one without its highest bit. */
static void seat_tree(hs_collective *plan, const participants *who, const hs__collective_tree *tree, int *members,
                      int *local)
{
    int place = 0;
    for (int k = 0; k < who->hosts; k++) {
        int h = tree->order[k], parent = tree->parent[h];
        plan->parent[who->leader[h]] = parent < 0 ? -1 : who->leader[parent];
        plan->place[who->leader[h]] = place++;
    }
    plan->root = who->leader[tree->order[0]];
    for (int k = 0; k < who->hosts; k++) {
        int h = tree->order[k], count = 0;
        members[count++] = who->leader[h];
        for (int r = 0; r < plan->ranks; r++)
            if (who->number[r] == h && r != who->leader[h])
                members[count++] = r;
        for (int i = 1, bit = 1; i < count; i++) {
            bit = 2 * bit <= i ? 2 * bit : bit;
            plan->parent[members[i]] = members[i - bit];
            plan->place[members[i]] = place++;
        }
        *local = count > *local ? count : *local;
    }
    HS_ASSERT(place == plan->ranks);
}

/* A ring of ranks: all of a host follow each other. */
static void seat_ring(hs_collective *plan, const participants *who, const int *order, int *members)
{
    int place = 0;
    for (int k = 0; k < who->hosts; k++)
        for (int r = 0; r < plan->ranks; r++)
            if (who->number[r] == order[k]) {
                members[place] = r;
                plan->place[r] = place++;
            }
    HS_ASSERT(place == plan->ranks);
    for (int k = 0; k < place; k++)
        plan->parent[members[k]] = members[(k + 1) % place];
    plan->root = -1;
}

/* Bytes a second between a host and its parent, in the direction that the operation uses or the slower of both. */
static double edge_rate(const hs__routes *x, hs_collective_kind kind, const hs__collective_tree *tree, int h)
{
    double up = x->bandwidth[h * x->hosts + tree->parent[h]], down = x->bandwidth[tree->parent[h] * x->hosts + h];
    return kind == HS_COLLECTIVE_REDUCE ? up : kind == HS_COLLECTIVE_BROADCAST ? down : fmin(up, down);
}

static void set_windows(hs_collective *plan, const hs__routes *x, hs_collective_kind kind, const participants *who,
                        const hs__collective_tree *tree)
{
    double slowest = INFINITY;
    for (int r = 0; r < plan->ranks; r++)
        plan->window[r] = 2;
    for (int k = 1; k < x->hosts; k++)
        slowest = fmin(slowest, edge_rate(x, kind, tree, tree->order[k]));
    for (int k = 1; k < x->hosts; k++)
        if (edge_rate(x, kind, tree, tree->order[k]) > 1.5 * slowest)
            plan->window[who->leader[tree->order[k]]] = 1;
}

static hs_status finish(hs_collective *plan, const hs__routes *x, const hs_collective_params *p,
                        const participants *who, const choice *c)
{
    int local = 1;
    int *members = hs__array_new((size_t)p->ranks, sizeof *members);
    if (!members)
        return HS_ERR_NOMEM;
    plan->shape = c->shape;
    plan->time = c->time;
    plan->piece = c->piece;
    if (c->shape == HS_COLLECTIVE_RING)
        seat_ring(plan, who, c->best.order, members);
    else {
        seat_tree(plan, who, &c->best, members, &local);
        set_windows(plan, x, p->kind, who, &c->best);
    }
    if (local > 1) {
        double ways = p->kind == HS_COLLECTIVE_ALLREDUCE || p->kind == HS_COLLECTIVE_BARRIER ? 2.0 : 1.0;
        plan->time += ways * ceil(log2(local)) * (p->overhead + plan->piece / p->local_rate);
    }
    free(members);
    return HS_OK;
}

static hs_status solve(hs_collective *plan, const hs_platform *platform, const hs_collective_params *p,
                       participants *who, hs_error *error)
{
    hs__routes network = {0};
    choice c = {0};
    size_t n = (size_t)who->hosts;
    hs_status status = hs__routes_init(&network, platform, who->host, who->hosts, p, error);
    if (status != HS_OK)
        return status;
    int *room = hs__array_new(4 * n, sizeof *room);
    if (room) {
        c.best = (hs__collective_tree){room, room + n};
        c.trial = (hs__collective_tree){room + 2 * n, room + 3 * n};
        status = choose(&network, p, who, &c);
        plan->lower_bound = hs__collective_bound(&network, p->kind, p->root < 0 ? -1 : who->number[p->root], p->bytes);
    }
    if (!room || (status == HS_OK && !isfinite(c.time)))
        status = HS_ERR_NOMEM;
    if (status == HS_OK)
        status = finish(plan, &network, p, who, &c);
    if (status != HS_OK)
        hs_error_set(error, status, 0, "%s", hs_status_text(status));
    free(room);
    hs__routes_free(&network);
    return status;
}

hs_status hs_collective_create(const hs_platform *platform, const hs_collective_params *params, hs_collective **plan,
                               hs_error *error)
{
    participants who = {0};
    hs_status status = check(platform, params, error);
    if (status == HS_OK && !plan)
        status = hs_error_set(error, HS_ERR_ARG, 0, "no place for the plan");
    if (status != HS_OK)
        return status;
    hs_collective_params p = *params;
    if (p.kind == HS_COLLECTIVE_BARRIER)
        p.bytes = 0.0;
    hs_collective *new = calloc(1, sizeof *new);
    if (new) {
        new->ranks = p.ranks;
        new->parent = hs__array_new((size_t)p.ranks, sizeof(int));
        new->place = hs__array_new((size_t)p.ranks, sizeof(int));
        new->window = hs__array_new((size_t)p.ranks, sizeof(int));
    }
    if (!new || !new->parent || !new->place || !new->window || participants_init(&who, platform, &p) != HS_OK)
        status = hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
    else if (who.hosts > HS_COLLECTIVE_HOSTS_MAX)
        status = hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "%d hosts, at most %d are planned for", who.hosts,
                              HS_COLLECTIVE_HOSTS_MAX);
    else
        status = solve(new, platform, &p, &who, error);
    if (status == HS_OK && hs__checking())
        status = hs_collective_check(params, new, error);
    participants_free(&who);
    if (status == HS_OK)
        *plan = new;
    else
        hs_collective_free(new);
    return status;
}

void hs_collective_free(hs_collective *plan)
{
    if (!plan)
        return;
    free(plan->window);
    free(plan->place);
    free(plan->parent);
    free(plan);
}

double hs_collective_time(const hs_collective *plan)
{
    return plan->time;
}

double hs_collective_lower_bound(const hs_collective *plan)
{
    return plan->lower_bound;
}

double hs_collective_piece(const hs_collective *plan)
{
    return plan->piece;
}

int hs_collective_root(const hs_collective *plan)
{
    return plan->root;
}

hs_collective_shape hs_collective_shape_of(const hs_collective *plan)
{
    return plan->shape;
}

const int *hs_collective_parent(const hs_collective *plan)
{
    return plan->parent;
}

const int *hs_collective_place(const hs_collective *plan)
{
    return plan->place;
}

const int *hs_collective_window(const hs_collective *plan)
{
    return plan->window;
}
