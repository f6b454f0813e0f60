/* SPDX-License-Identifier: BSD-3-Clause */
/* PETSc's regular grids (DMDA) are cut in DMSetUp: a grid of ranks, and how many points each row and column of ranks has. Where
 * the program leaves the points to PETSc, they are chosen here. Rank i + j m + k m n stays where PETSc has it, so each rank
 * gets the product of three shares: the hosts' speeds are met in strips, and as well as may be in grids of ranks. */
#include "interpose/partition/petsc.h"
#include "interpose/partition/targets.h"
#include "runtime/base/world_handle.h"
#include "util/array.h"
#include "util/assert.h"
#include <heteroslice/hs_status.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = 3, ROUNDS = 50 };
static const double good_enough = 1.02; /* of the shortest time: then the shortest borders count */

/* The grid of points, and of ranks as far as the program says. */
typedef struct grid {
    int64_t dimensions, points[DIMENSIONS], ranks[DIMENSIONS], stencil;
    const void *range[DIMENSIONS]; /* points by row of ranks; NULL: left to PETSc */
} grid;

/* A way to cut it. */
typedef struct cuts {
    int64_t ranks[DIMENSIONS], *count[DIMENSIONS]; /* [ranks] points */
    double time, border;
} cuts;

/* ---- PETSc's functions ---- */

typedef struct petsc {
    int wide;
    hs__foreign_function type, info, get_ranges, set_ranges, set_ranks, comm;
} petsc;

static int find_petsc(hs__foreign_function own, petsc *p)
{
    *p = (petsc){.wide = hs__petsc_wide(own),
                 .type = hs__partitioner_beside("DMGetType", own),
                 .info = hs__partitioner_beside("DMDAGetInfo", own),
                 .get_ranges = hs__partitioner_beside("DMDAGetOwnershipRanges", own),
                 .set_ranges = hs__partitioner_beside("DMDASetOwnershipRanges", own),
                 .set_ranks = hs__partitioner_beside("DMDASetNumProcs", own),
                 .comm = hs__partitioner_beside("PetscObjectGetComm", own)};
    return p->wide >= 0 && p->type && p->info && p->get_ranges && p->set_ranges && p->set_ranks && p->comm;
}

static int is_da(const petsc *p, void *dm)
{
    const char *type = NULL;
    return ((int (*)(void *, const char **))p->type)(dm, &type) == 0 && type && strcmp(type, "da") == 0;
}

static int read_grid(const petsc *p, void *dm, grid *g)
{
    int64_t n[9] = {0};
    int ignored;
    typedef int ask(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, int *, int *, int *,
                    int *);
    if (((ask *)p->info)(dm, &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8], &ignored, &ignored,
                         &ignored, &ignored) != 0 ||
        ((int (*)(void *, const void **, const void **, const void **))p->get_ranges)(dm, &g->range[0], &g->range[1],
                                                                                      &g->range[2]) != 0)
        return 0;
    g->dimensions = hs__integer_get(&n[0], p->wide, 0);
    g->stencil = hs__integer_get(&n[8], p->wide, 0);
    for (int d = 0; d < DIMENSIONS; d++) {
        int used = d < g->dimensions;
        g->points[d] = used ? hs__integer_get(&n[1 + d], p->wide, 0) : 1;
        g->ranks[d] = used ? hs__integer_get(&n[4 + d], p->wide, 0) : 1;
    }
    return g->dimensions >= 1 && g->dimensions <= DIMENSIONS;
}

/* ---- Cutting ---- */

/* The longest time of a rank, in points by speed. What a host of speed 0 has for the borders' sake takes no time that counts. */
static double longest(const cuts *c, const double *speed)
{
    double time = 0;
    for (int64_t k = 0, r = 0; k < c->ranks[2]; k++)
        for (int64_t j = 0; j < c->ranks[1]; j++)
            for (int64_t i = 0; i < c->ranks[0]; i++, r++) {
                double points = (double)c->count[0][i] * (double)c->count[1][j] * (double)c->count[2][k];
                time = fmax(time, speed[r] > 0 ? points / speed[r] : 0);
            }
    return time;
}

/* The share that a row of ranks may have so that none of its ranks takes longer than 1, the other shares as they are. */
static void fit_direction(const int64_t *ranks, int d, double *const share[DIMENSIONS], const double *speed)
{
    double sum = 0;
    for (int64_t a = 0; a < ranks[d]; a++)
        share[d][a] = INFINITY;
    for (int64_t k = 0, r = 0; k < ranks[2]; k++)
        for (int64_t j = 0; j < ranks[1]; j++)
            for (int64_t i = 0; i < ranks[0]; i++, r++) {
                const int64_t at[DIMENSIONS] = {i, j, k};
                double others = 1;
                for (int e = 0; e < DIMENSIONS; e++)
                    others *= e == d ? 1 : share[e][at[e]];
                share[d][at[d]] = fmin(share[d][at[d]], others > 0 ? speed[r] / others : INFINITY);
            }
    for (int64_t a = 0; a < ranks[d]; a++)
        sum += share[d][a] = isfinite(share[d][a]) ? share[d][a] : 0;
    for (int64_t a = 0; a < ranks[d]; a++)
        share[d][a] = sum > 0 ? share[d][a] / sum : 1.0 / (double)ranks[d];
}

/* A neighbour's border comes from one rank, so each has as many points as a border is wide. */
static int64_t least_points(const grid *g)
{
    return g->stencil > 1 ? g->stencil : 1;
}

/* Rows that have fewer get them from the largest, as long as that has more. */
static void fill_up(int64_t *count, int64_t rows, int64_t least)
{
    for (int64_t a = 0; a < rows; a++)
        for (int64_t largest = 0; count[a] < least; count[a]++, count[largest]--) {
            for (int64_t b = 0; b < rows; b++)
                largest = count[b] > count[largest] ? b : largest;
            if (count[largest] <= least)
                return;
        }
}

static hs_status fit(hs__pool *pool, const grid *g, const double *speed, cuts *c)
{
    double *share[DIMENSIONS];
    for (int d = 0; d < DIMENSIONS; d++) {
        share[d] = hs__pool_new(pool, (size_t)c->ranks[d], sizeof *share[d]);
        c->count[d] = hs__pool_new(pool, (size_t)c->ranks[d], sizeof *c->count[d]);
    }
    hs_status status = hs__pool_status(pool);
    for (int d = 0; status == HS_OK && d < DIMENSIONS; d++)
        for (int64_t a = 0; a < c->ranks[d]; a++)
            share[d][a] = 1.0 / (double)c->ranks[d];
    for (int round = 0; status == HS_OK && round < ROUNDS; round++)
        fit_direction(c->ranks, round % DIMENSIONS, share, speed);
    for (int d = 0; status == HS_OK && d < DIMENSIONS; d++) {
        status = hs__partition_counts(share[d], (int)c->ranks[d], g->points[d], c->count[d]);
        if (status == HS_OK && c->ranks[d] > 1)
            fill_up(c->count[d], c->ranks[d], least_points(g));
    }
    return status;
}

static int has_borders(const grid *g, const cuts *c)
{
    for (int d = 0; d < DIMENSIONS; d++)
        for (int64_t a = 0; a < c->ranks[d]; a++)
            if (c->ranks[d] > 1 && c->count[d][a] < least_points(g))
                return 0;
    return 1;
}

static double border(const grid *g, const int64_t *ranks)
{
    double sum = 0, points = (double)g->points[0] * (double)g->points[1] * (double)g->points[2];
    for (int d = 0; d < DIMENSIONS; d++)
        sum += (double)(ranks[d] - 1) * points / (double)g->points[d];
    return sum;
}

static int is_allowed(const grid *g, const int64_t *ranks)
{
    for (int d = 0; d < DIMENSIONS; d++)
        if ((g->ranks[d] > 0 && ranks[d] != g->ranks[d]) || ranks[d] > g->points[d])
            return 0;
    return 1;
}

/* All grids of the ranks. Within a little of the shortest time, the one with the shortest borders. */
static int find_cuts(hs__pool *pool, const grid *g, int size, const double *speed, cuts *best)
{
    cuts *fitting = NULL;
    size_t count = 0, room = 0;
    double shortest = INFINITY;
    *best = (cuts){.ranks = {1, 1, 1}, .border = INFINITY};
    for (int64_t m = 1; m <= size; m++)
        for (int64_t n = 1; n <= size / m; n++) {
            cuts c = {.ranks = {m, n, size / m / n}};
            if (m * n * c.ranks[2] != size || !is_allowed(g, c.ranks) || fit(pool, g, speed, &c) != HS_OK ||
                !has_borders(g, &c) || hs__array_reserve(&fitting, &room, count + 1, sizeof c) != 0)
                continue;
            c.time = longest(&c, speed);
            c.border = border(g, c.ranks);
            shortest = fmin(shortest, c.time);
            fitting[count++] = c;
        }
    for (size_t k = 0; k < count; k++)
        if (fitting[k].time <= good_enough * shortest && fitting[k].border < best->border)
            *best = fitting[k];
    free(fitting);
    HS_ASSERT(isfinite(best->border) == (count > 0)); /* the fastest itself is within a little of its time */
    HS_ASSERT(!isfinite(best->border) || best->ranks[0] * best->ranks[1] * best->ranks[2] == size);
    return isfinite(best->border);
}

/* ---- Setting up ---- */

static void *as_petsc_ints(hs__pool *pool, int wide, const int64_t *value, int64_t n)
{
    void *numbers = hs__pool_new(pool, (size_t)n, wide ? sizeof(int64_t) : sizeof(int32_t));
    for (int64_t i = 0; numbers && i < n; i++)
        hs__integer_set(numbers, wide, i, value[i]);
    return numbers;
}

static int set_cuts(const petsc *p, void *dm, hs__pool *pool, const grid *g, const cuts *c)
{
    void *range[DIMENSIONS] = {NULL};
    for (int d = 0; d < g->dimensions; d++)
        range[d] = as_petsc_ints(pool, p->wide, c->count[d], c->ranks[d]);
    if (hs__pool_status(pool) != HS_OK)
        return 0;
    return ((int (*)(void *, int64_t, int64_t, int64_t))p->set_ranks)(dm, c->ranks[0], c->ranks[1], c->ranks[2]) == 0 &&
           ((int (*)(void *, void *, void *, void *))p->set_ranges)(dm, range[0], range[1], range[2]) == 0;
}

/* What this rank has. */
static double own_points(const cuts *c, int rank)
{
    int64_t i = rank % c->ranks[0], j = rank / c->ranks[0] % c->ranks[1], k = rank / c->ranks[0] / c->ranks[1];
    HS_ASSERT(k < c->ranks[2]);
    return (double)c->count[0][i] * (double)c->count[1][j] * (double)c->count[2][k];
}

static void plan(const petsc *p, void *dm, const grid *g, MPI_Comm comm, hs__call_site site)
{
    hs__partitioning this;
    hs__pool pool = {0};
    cuts c;
    int size, rank;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_rank(comm, &rank);
    double *reached = NULL;
    if (hs__partitioning_begin_comm(&this, site, comm, size)) {
        if (!find_cuts(&pool, g, size, this.given, &c)) {
            hs__partition_pass(site.call, "no grid of the ranks gives each as many points as its border is wide");
            this.given = NULL;
        } else if (set_cuts(p, dm, &pool, g, &c) && (reached = hs__pool_new(&pool, (size_t)size, sizeof *reached))) {
            reached[rank] = own_points(&c, rank);
        }
    }
    hs__partitioning_end(&this, reached);
    hs__pool_free(&pool);
}

HS_API int DMSetUp(void *dm);
int DMSetUp(void *dm)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    petsc p;
    grid g = {0};
    MPI_Comm comm = MPI_COMM_NULL;
    if (!own) {
        hs__partitioner_missing(__func__);
        return HS__PETSC_ERROR;
    }
    if (dm && hs__partition_acts() && find_petsc(own, &p) && is_da(&p, dm) && read_grid(&p, dm, &g) && !g.range[0] &&
        !g.range[1] && !g.range[2] && ((int (*)(void *, MPI_Comm *))p.comm)(dm, &comm) == 0)
        plan(&p, dm, &g, hs__world_of(comm), HS__CALL_SITE);
    return ((int (*)(void *))own)(dm);
}
