/* SPDX-License-Identifier: BSD-3-Clause */
/* p4est and p8est cut their curve of quadrants in p[48]est_partition_ext, which hands the counts to p[48]est_partition_given. There
 * they are exchanged. What a program gives to partition_given itself passes through. */
#include "interpose/partition/lookup.h"
#include "interpose/partition/targets.h"
#include "runtime/base/world_handle.h"
#include "util/array.h"
#include "util/assert.h"
#include <heteroslice/hs_status.h>
#include <stdint.h>
#include <stdlib.h>

/* How p4est_t and p8est_t of versions 2 begin, with MPI. */
typedef struct forest {
    MPI_Comm comm;
    int size, rank, owns_comm;
    size_t data_size;
    void *user;
    long revision;
    int32_t first_tree, last_tree, quadrants;
    int64_t all_quadrants;
    const int64_t *first_quadrant; /* [size + 1] */
} forest;

typedef int weight_function(void *of, int32_t tree, void *quadrant);
typedef int64_t partition_ext(void *of, int coarsening, weight_function *weight);
typedef int64_t partition_given(void *of, const int32_t *counts);

/* Both dimensions have the same functions. */
typedef struct library {
    const char *ext, *given, *correct;
} library;

static const library libraries[] = {
    {"p4est_partition_ext", "p4est_partition_given", "p4est_partition_for_coarsening"},
    {"p8est_partition_ext", "p8est_partition_given", "p8est_partition_for_coarsening"},
};

/* The call of partition_ext that the thread is in. */
static __thread struct {
    void *forest; /* NULL: in none */
    int coarsening, consumed;
    const void *caller;      /* of partition_ext */
    weight_function *weight; /* the program's; NULL: each quadrant counts one */
    int *weights;            /* [seen] what it said of each quadrant, in order */
    size_t seen, capacity;
    int lost; /* memory was out */
} self;

/* In the place of the program's function, which may count its calls: deal.II's does. So it is not asked again. */
static int record_weight(void *of, int32_t tree, void *quadrant)
{
    int weight = self.weight(of, tree, quadrant);
    self.lost |= hs__array_reserve(&self.weights, &self.capacity, self.seen + 1, sizeof *self.weights) != 0;
    if (!self.lost)
        self.weights[self.seen++] = weight;
    return weight;
}

/* Whether the numbers hold together as they do in that layout. */
static int is_known(const forest *f)
{
    int size = 0, rank = -1;
    if (f->size < 2 || f->rank < 0 || f->rank >= f->size)
        return 0;
    PMPI_Comm_size(hs__world_of(f->comm), &size);
    PMPI_Comm_rank(hs__world_of(f->comm), &rank);
    return size == f->size && rank == f->rank && f->first_quadrant && f->first_quadrant[size] == f->all_quadrants &&
           f->first_quadrant[rank + 1] - f->first_quadrant[rank] == f->quadrants;
}

/* ---- Counts ---- */

/* How many of this rank's quadrants lie before each cut, judged by their middles. */
static void count_before(int size, int64_t before, int64_t all, const double *share, int64_t *cut)
{
    int part = 1;
    double border = share[0] * (double)all, sum = (double)before;
    for (size_t q = 0; q < self.seen; q++) {
        for (; part < size && sum + self.weights[q] / 2.0 >= border; part++) {
            cut[part] = (int64_t)q;
            border += share[part] * (double)all;
        }
        sum += self.weights[q];
    }
    for (; part < size; part++)
        cut[part] = (int64_t)self.seen;
}

/* Collective, as the call it is for. cut: [size + 1] zeros */
static void count_by_weight(const forest *f, const double *share, int64_t *cut, int64_t *count)
{
    MPI_Comm comm = hs__world_of(f->comm);
    int64_t own = 0, before = 0, all = 0;
    for (size_t q = 0; q < self.seen; q++)
        own += self.weights[q];
    PMPI_Exscan(&own, &before, 1, MPI_INT64_T, MPI_SUM, comm);
    PMPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, comm);
    count_before(f->size, f->rank > 0 ? before : 0, all, share, cut);
    PMPI_Allreduce(MPI_IN_PLACE, cut, f->size, MPI_INT64_T, MPI_SUM, comm);
    cut[f->size] = f->all_quadrants;
    for (int p = 0; p < f->size; p++)
        count[p] = cut[p + 1] - cut[p];
    HS_ASSERT(cut[0] == 0);
}

/* @return the counts to hand on; NULL: those that p4est has found */
static int32_t *choose_counts(const library *names, hs__foreign_function own, forest *f, hs__partitioning *this)
{
    if (!is_known(f)) {
        hs__partition_pass(names->ext, "the forest has an unknown layout");
        return NULL;
    }
    int changes = hs__repartitioning_begin(this, (hs__call_site){names->ext, self.caller}, f->comm, f->size, NULL);
    int64_t *count = hs__pool_new(&this->pool, (size_t)f->size, sizeof *count);
    int64_t *before_cut = hs__pool_new(&this->pool, (size_t)f->size + 1, sizeof *before_cut);
    int32_t *chosen = hs__pool_new(&this->pool, (size_t)f->size, sizeof *chosen);
    int ready = changes && hs__pool_status(&this->pool) == HS_OK;
    if (ready)
        ready = self.weight ? !self.lost && self.seen == (size_t)f->quadrants
                            : hs__partition_counts(this->given, f->size, f->all_quadrants, count) == HS_OK;
    if (!hs__owners_agree(f->comm, ready)) {
        this->given = NULL;
        return NULL;
    }
    if (self.weight)
        count_by_weight(f, this->given, before_cut, count);
    for (int p = 0; p < f->size; p++)
        chosen[p] = (int32_t)count[p];
    hs__foreign_function correct = hs__partitioner_beside(names->correct, own);
    if (self.coarsening && correct)
        ((int64_t(*)(void *, int32_t *))correct)(f, chosen);
    return chosen;
}

/* Where this rank's quadrants are to be, by weights where the program has them. counts: [size] quadrants
 * @return [size]; NULL: not known */
static double *find_reached(const forest *f, hs__pool *pool, const int32_t *counts)
{
    int64_t next = f->first_quadrant[f->rank], end = counts[0];
    int part = 0;
    double *reached = self.weight && self.lost ? NULL : hs__pool_new(pool, (size_t)f->size, sizeof *reached);
    if (reached && !self.weight)
        reached[f->rank] = counts[f->rank];
    for (size_t q = 0; reached && self.weight && q < self.seen; q++, next++) {
        while (next >= end && part < f->size - 1)
            end += counts[++part];
        reached[part] += self.weights[q];
    }
    return reached;
}

/* ---- The wrappers ---- */

static int64_t cut(const library *names, hs__foreign_function own, void *of, const int32_t *counts)
{
    hs__partitioning this = {0};
    if (!own) {
        hs__partitioner_missing(names->given);
        return 0;
    }
    if (!of || self.forest != of || self.consumed)
        return ((partition_given *)own)(of, counts);
    self.consumed = 1;
    forest *f = of;
    const int32_t *chosen = choose_counts(names, own, f, &this);
    if (!chosen)
        chosen = counts;
    double *reached = this.site.call ? find_reached(f, &this.pool, chosen) : NULL;
    int64_t shipped = ((partition_given *)own)(of, chosen);
    hs__partitioning_end(&this, reached);
    return shipped;
}

static int64_t cut_evenly(const library *names, const void *caller, void *of, int coarsening, weight_function *weight)
{
    hs__foreign_function own = hs__partitioner(names->ext, caller);
    if (!own) {
        hs__partitioner_missing(names->ext);
        return 0;
    }
    if (!of || self.forest || !hs__partition_acts())
        return ((partition_ext *)own)(of, coarsening, weight);
    self.forest = of;
    self.caller = caller;
    self.coarsening = coarsening;
    self.weight = weight;
    self.consumed = 0;
    self.seen = 0;
    self.lost = 0;
    int64_t shipped = ((partition_ext *)own)(of, coarsening, weight ? record_weight : NULL);
    free(self.weights);
    self.weights = NULL;
    self.capacity = 0;
    self.forest = NULL;
    return shipped;
}

HS_API partition_given p4est_partition_given, p8est_partition_given;
HS_API partition_ext p4est_partition_ext, p8est_partition_ext;
HS_API void p4est_partition(void *of, int coarsening, weight_function *weight);
HS_API void p8est_partition(void *of, int coarsening, weight_function *weight);

int64_t p4est_partition_given(void *of, const int32_t *counts)
{
    return cut(&libraries[0], hs__partitioner(libraries[0].given, HS__CALLER), of, counts);
}

int64_t p8est_partition_given(void *of, const int32_t *counts)
{
    return cut(&libraries[1], hs__partitioner(libraries[1].given, HS__CALLER), of, counts);
}

int64_t p4est_partition_ext(void *of, int coarsening, weight_function *weight)
{
    return cut_evenly(&libraries[0], HS__CALLER, of, coarsening, weight);
}

int64_t p8est_partition_ext(void *of, int coarsening, weight_function *weight)
{
    return cut_evenly(&libraries[1], HS__CALLER, of, coarsening, weight);
}

/* The same without an answer. */
void p4est_partition(void *of, int coarsening, weight_function *weight)
{
    cut_evenly(&libraries[0], HS__CALLER, of, coarsening, weight);
}

void p8est_partition(void *of, int coarsening, weight_function *weight)
{
    cut_evenly(&libraries[1], HS__CALLER, of, coarsening, weight);
}
