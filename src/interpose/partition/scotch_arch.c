/* SPDX-License-Identifier: BSD-3-Clause */
/* Architectures of Scotch: weights, and where links are unequal nested groups of hosts with the distances between them. Those
 * are handed over as the text of a target file, in which the domains are given; SCOTCH_archBuild would find its own, by halving
 * weights, and so cut groups of hosts that are near each other. */
#include "config.h"

#include "interpose/partition/links.h"
#include "interpose/partition/scotch.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WEIGHTS_LEAST = 1000000, WEIGHTS_MOST = 1000000000, WEIGHT_PRECISION = 1000, SUMS_TRIED = 1000 };

/* The sum of weights that are as good as exact. */
static double exact_sum(int parts)
{
    return fmin(WEIGHTS_MOST, fmax(WEIGHTS_LEAST, (double)parts * WEIGHT_PRECISION));
}

/* Every part has a weight, even that of a host of speed 0. */
static int64_t weight_of(double share, double sum)
{
    return (int64_t)fmax(1, round(share * sum));
}

/* How far weights with this sum are from the shares: the largest part of a share. */
static double rounding_error(const double *share, int parts, double sum)
{
    double error = 0;
    for (int p = 0; p < parts; p++)
        if (share[p] > 0)
            error = fmax(error, fabs((double)weight_of(share[p], sum) / (share[p] * sum) - 1));
    return error;
}

/* PT-Scotch counts how many vertices a unit of weight gets in whole numbers, so r of them may be wrong by 1 / r. Where that is more
 * than the tolerance asked for, it does not balance at all. Weights of few units are off by rounding: by parts / (2 sum) where
 * shares are equal. Both errors are the same for this sum; of those below it, down to half, the one that fits the shares best is
 * taken. */
static double sum_for(const double *share, int parts, double vertices)
{
    double most = fmin(exact_sum(parts), fmax(parts, floor(sqrt(vertices * parts / 2)))), best = most;
    double least = INFINITY;
    for (double sum = most; 2 * sum >= most && sum > most - SUMS_TRIED; sum--) {
        double error = rounding_error(share, parts, sum);
        if (error < least) {
            least = error;
            best = sum;
        }
    }
    return best;
}

void *hs__scotch_weights(hs__pool *pool, const double *share, int parts, double vertices, int wide)
{
    void *weights = hs__pool_new(pool, (size_t)parts, wide ? sizeof(int64_t) : sizeof(int32_t));
    double sum = isfinite(vertices) ? sum_for(share, parts, vertices) : exact_sum(parts);
    for (int p = 0; weights && p < parts; p++)
        hs__integer_set(weights, wide, p, weight_of(share[p], sum));
    return weights;
}

/* A target file of type "deco 0": how many parts, the highest domain, part weight domain of each, and distances of each to those
 * before it. @return 0 when memory is out */
static int print(FILE *file, const double *share, int parts, const int *world, const int *domain)
{
    int highest = 1;
    for (int p = 0; p < parts; p++)
        highest = domain[p] > highest ? domain[p] : highest;
    fprintf(file, "deco 0\n%d %d\n", parts, highest);
    for (int p = 0; p < parts; p++)
        fprintf(file, "%d %lld %d\n", p, (long long)weight_of(share[p], exact_sum(parts)), domain[p]);
    for (int p = 1; p < parts; p++)
        for (int q = 0; q < p; q++)
            fprintf(file, "%d%c", hs__links_distance(world[p], world[q]), q + 1 < p ? ' ' : '\n');
    return !ferror(file);
}

/* @return the text, which the caller frees; NULL: there is none */
static char *write_text(const double *share, int parts, const int *world, size_t *size)
{
    hs__pool pool = {0};
    char *text = NULL;
    int *domain = hs__pool_new(&pool, (size_t)parts, sizeof *domain), written = 0;
    FILE *file = domain && hs__links_domains(parts, world, share, domain) == HS_OK ? open_memstream(&text, size) : NULL;
    if (file) {
        written = print(file, share, parts, world, domain);
        written = fclose(file) == 0 && written;
    }
    hs__pool_free(&pool);
    if (written)
        return text;
    free(text);
    return NULL;
}

/* The functions of one Scotch. */
typedef struct functions {
    void *(*alloc)(void);
    int (*init)(void *arch);
    int (*load)(void *arch, FILE *file);
    void (*end)(void *arch);
    void (*free)(void *memory);
} functions;

static int find_functions(hs__foreign_function beside, functions *f)
{
    f->alloc = (void *(*)(void))hs__partitioner_beside("SCOTCH_archAlloc", beside);
    f->init = (int (*)(void *))hs__partitioner_beside("SCOTCH_archInit", beside);
    f->load = (int (*)(void *, FILE *))hs__partitioner_beside("SCOTCH_archLoad", beside);
    f->end = (void (*)(void *))hs__partitioner_beside("SCOTCH_archExit", beside);
    f->free = (void (*)(void *))hs__partitioner_beside("SCOTCH_memFree", beside);
    return f->alloc && f->init && f->load && f->end && f->free;
}

void hs__scotch_arch_free(hs__foreign_function beside, void *arch)
{
    functions f;
    if (!arch || !find_functions(beside, &f))
        return;
    f.end(arch);
    f.free(arch);
}

static void *load(hs__foreign_function beside, char *text, size_t size)
{
    functions f;
    FILE *file = find_functions(beside, &f) ? fmemopen(text, size, "r") : NULL;
    void *arch = file ? f.alloc() : NULL;
    int loaded = arch && f.init(arch) == 0 && f.load(arch, file) == 0;
    if (file)
        fclose(file);
    if (loaded)
        return arch;
    hs__scotch_arch_free(beside, arch);
    return NULL;
}

/* Scotch adds up edges times distances in its integers. */
static int costs_fit(hs__foreign_function beside, const void *graph)
{
    hs__scotch_graph g;
    return hs__scotch_ask(beside, graph, &g) &&
           hs__scotch_edges(&g) <= (g.wide ? INT64_MAX : INT32_MAX) / hs__links_farthest();
}

void *hs__scotch_arch_new(hs__foreign_function beside, const void *graph, const double *share, int parts,
                          const int *world)
{
    size_t size = 0;
    if (hs__links_farthest() == 1 || !costs_fit(beside, graph))
        return NULL;
    char *text = write_text(share, parts, world, &size);
    void *arch = text ? load(beside, text, size) : NULL;
    free(text);
    return arch;
}
