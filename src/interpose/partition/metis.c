/* SPDX-License-Identifier: BSD-3-Clause */
/* METIS and ParMETIS take the shares of the parts as an argument, so that is what is changed. The stand-ins that come with
 * Scotch are left alone: they call Scotch, which is changed in scotch.c. */
#include "interpose/partition/calls.h"
#include "interpose/partition/integers.h"
#include "interpose/partition/lookup.h"
#include "interpose/partition/metis_widths.h"
#include "interpose/partition/targets.h"
#include "runtime/base/world_handle.h"
#include "util/assert.h"
#include <heteroslice/hs_status.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST_ARGUMENTS = 17, METIS_OK = 1, METIS_ERROR_INPUT = -2, OPTION_OBJECTIVE = 1, OBJECTIVE_VOLUME = 1 };

static const double least_target = 0.01; /* of an average part: METIS divides by targets, so none is 0 */

typedef struct call {
    const char *name, *words; /* see calls.h */
    int n;
    void **argument; /* [n] */
    hs__metis_widths widths;
    const void *caller;
    int64_t told; /* the constraint that the report tells of: the one whose wishes differ most */
} call;

/* ---- Arguments ---- */

/* The place of an argument; -1: the function has none of that name. */
static int place_of(const call *c, const char *word)
{
    size_t length = strlen(word);
    const char *at = c->words;
    for (int k = 0; at; k++) {
        at += *at == ' ';
        if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return k;
        at = strchr(at, ' ');
    }
    return -1;
}

static void *argument(const call *c, const char *word)
{
    int place = place_of(c, word);
    return place < 0 ? NULL : c->argument[place];
}

static int64_t index_at(const call *c, const void *numbers, int64_t i)
{
    return hs__integer_get(numbers, c->widths.index == 8, i);
}

static int64_t index_of(const call *c, const char *word, int64_t fallback)
{
    const void *number = argument(c, word);
    return number ? index_at(c, number, 0) : fallback;
}

static double real_at(const call *c, const void *numbers, int64_t i)
{
    return c->widths.real == 8 ? ((const double *)numbers)[i] : ((const float *)numbers)[i];
}

static void set_real(const call *c, void *numbers, int64_t i, double value)
{
    if (c->widths.real == 8)
        ((double *)numbers)[i] = value;
    else
        ((float *)numbers)[i] = (float)value;
}

static int forward(hs__foreign_function own, const call *c)
{
    void **a = c->argument;
    switch (c->n) {
    case 12:
        return ((int (*)(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                         void *))own)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
    case 13:
        return ((int (*)(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                         void *))own)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12]);
    case 15:
        return ((int (*)(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                         void *, void *, void *))own)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10],
                                                      a[11], a[12], a[13], a[14]);
    default:
        return ((int (*)(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                         void *, void *, void *, void *, void *))own)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7],
                                                                      a[8], a[9], a[10], a[11], a[12], a[13], a[14],
                                                                      a[15], a[16]);
    }
}

/* ---- Targets ---- */

/* The wishes for the constraint whose parts differ most, which the report tells of. NULL: equal ones; with *failed memory is out,
 * or METIS refuses them: they do not add up to 1, or are below 0, or for METIS itself 0. */
static double *read_wishes(call *c, hs__pool *pool, int64_t parts, int64_t constraints, int *failed)
{
    const void *wished = argument(c, "tpwgts");
    double *wish = wished ? hs__pool_new(pool, (size_t)parts, sizeof *wish) : NULL, widest = -1;
    *failed = wished && !wish;
    for (int64_t k = 0; wish && k < constraints; k++) {
        double least = INFINITY, most = 0, sum = 0;
        for (int64_t p = 0; p < parts; p++) {
            sum += real_at(c, wished, p * constraints + k);
            least = fmin(least, real_at(c, wished, p * constraints + k));
            most = fmax(most, real_at(c, wished, p * constraints + k));
        }
        *failed |= !(fabs(sum - 1) < 0.01) || !(place_of(c, "comm") < 0 ? least > 0 : least >= 0);
        if (most - least > widest) {
            widest = most - least;
            c->told = k;
        }
    }
    for (int64_t p = 0; wish && p < parts; p++)
        wish[p] = real_at(c, wished, p * constraints + c->told);
    return wish;
}

/* Each constraint's wishes by speed. */
static void *make_targets(const call *c, hs__partitioning *this, int64_t constraints)
{
    const void *wished = argument(c, "tpwgts");
    int64_t parts = this->parts;
    double average = 0; /* speed */
    void *targets = hs__pool_new(&this->pool, (size_t)(parts * constraints), (size_t)c->widths.real);
    for (int64_t p = 0; p < parts; p++)
        average += this->wished[p] * this->speed[p];
    for (int64_t k = 0; targets && k < constraints; k++) {
        double sum = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t p = 0; p < parts; p++) {
                double wish = wished ? real_at(c, wished, p * constraints + k) : 1.0 / (double)parts;
                double target = fmax(wish * this->speed[p] / average, least_target / (double)parts);
                if (pass == 0)
                    sum += target;
                else
                    set_real(c, targets, p * constraints + k, target / sum);
            }
    }
    return targets;
}

static int begin(const call *c, hs__partitioning *this, int64_t parts, const double *wish)
{
    const MPI_Comm *comm = argument(c, "comm");
    const hs__call_site site = {c->name, c->caller};
    if (comm)
        return hs__repartitioning_begin(this, site, *comm, parts, wish);
    return place_of(c, "comm") < 0 && hs__partitioning_begin(this, site, NULL, parts, wish);
}

/* For METIS no targets are equal ones; ParMETIS refuses the call. */
static int lacks_targets(const call *c)
{
    return place_of(c, "comm") >= 0 && !argument(c, "tpwgts");
}

/* @return the array to pass for tpwgts; NULL: the call passes through */
static void *choose_targets(call *c, hs__partitioning *this)
{
    const MPI_Comm *comm = argument(c, "comm");
    int64_t parts = index_of(c, "nparts", 0), constraints = index_of(c, "ncon", place_of(c, "ncon") < 0);
    hs__pool pool = {0};
    int failed = parts < 2 || parts > INT32_MAX || constraints < 1 || constraints > 64 || lacks_targets(c);
    double *wish = failed ? NULL : read_wishes(c, &pool, parts, constraints, &failed);
    int changes = begin(c, this, failed ? 0 : parts, wish); /* of 0 parts nothing is changed, but all ranks take part */
    hs__pool_free(&pool);
    void *targets = changes ? make_targets(c, this, constraints) : NULL;
    if (comm && !hs__owners_agree(*comm, targets != NULL))
        targets = NULL;
    if (!targets)
        this->given = NULL;
    return targets;
}

/* ---- What was reached ---- */

/* Numbers begin with 1 for Fortran, and so do the offsets of a graph or mesh. The option that says so has another number in METIS
 * 5.2 than in 5.1. */
static int64_t first_number(const call *c)
{
    return index_of(c, place_of(c, "xadj") >= 0 ? "xadj" : "eptr", 0) == 1;
}

static int64_t vertices_here(const call *c)
{
    const void *dist = argument(c, "dist"), *comm = argument(c, "comm");
    int rank;
    if (!dist || !comm)
        return index_of(c, "n", 0);
    PMPI_Comm_rank(hs__world_of(*(const MPI_Comm *)comm), &rank);
    return index_at(c, dist, rank + 1) - index_at(c, dist, rank);
}

static double *add_up(const call *c, hs__partitioning *this)
{
    const void *part = argument(c, "part"), *weight = argument(c, "vwgt");
    int64_t n = vertices_here(c), first = first_number(c), constraints = index_of(c, "ncon", 1);
    double *reached = part ? hs__pool_new(&this->pool, (size_t)this->parts, sizeof *reached) : NULL;
    if (place_of(c, "wgtflag") >= 0 && index_of(c, "wgtflag", 0) < 2)
        weight = NULL; /* ParMETIS looks at the weights of vertices with 2 and 3 only */
    for (int64_t i = 0; reached && i < n; i++) {
        int64_t p = index_at(c, part, i) - first;
        if (p >= 0 && p < this->parts)
            reached[p] += weight ? (double)index_at(c, weight, i * constraints + c->told) : 1;
    }
    return reached;
}

/* The answer is the edges that are cut, unless METIS was asked to count what is sent. */
static int64_t edges_cut(const call *c)
{
    const void *options = argument(c, "options");
    if (options && index_at(c, options, OPTION_OBJECTIVE) == OBJECTIVE_VOLUME)
        return -1;
    return index_of(c, place_of(c, "edgecut") >= 0 ? "edgecut" : "objval", -1);
}

/* ---- The wrappers ---- */

static int is_stand_in(hs__foreign_function own)
{
    return hs__partitioner_beside("SCOTCH_numSizeof", own) != NULL;
}

static int know_widths(call *c, hs__foreign_function own)
{
    c->widths = hs__metis_widths_find(own);
    if (c->widths.index && c->widths.real)
        return 1;
    hs__partition_pass(c->name, "the widths of its integers and reals are not known");
    return 0;
}

static int cut(hs__foreign_function own, call *c)
{
    hs__partitioning this = {0};
    int place = place_of(c, "tpwgts");
    HS_ASSERT(c->n <= MOST_ARGUMENTS);
    if (!own) {
        hs__partitioner_missing(c->name);
        return METIS_ERROR_INPUT;
    }
    if (!hs__partition_acts() || is_stand_in(own) || !know_widths(c, own) || place < 0)
        return forward(own, c);
    void *given = c->argument[place], *targets = choose_targets(c, &this);
    if (targets)
        c->argument[place] = targets;
    hs__partition_enter();
    int result = forward(own, c);
    hs__partition_leave();
    c->argument[place] = given;
    double *reached = NULL;
    if (this.site.call && result == METIS_OK) {
        reached = add_up(c, &this);
        this.edges_cut = edges_cut(c);
    }
    hs__partitioning_end(&this, reached);
    return result;
}

#define PARAMETERS_12 \
    void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *i, void *j, void *k, void *l
#define PARAMETERS_13 PARAMETERS_12, void *m
#define PARAMETERS_15 PARAMETERS_13, void *n, void *o
#define PARAMETERS_17 PARAMETERS_15, void *p, void *q
#define ARGUMENTS_12 a, b, c, d, e, f, g, h, i, j, k, l
#define ARGUMENTS_13 ARGUMENTS_12, m
#define ARGUMENTS_15 ARGUMENTS_13, n, o
#define ARGUMENTS_17 ARGUMENTS_15, p, q

#define WRAPPER(NAME, N, WORDS)                                          \
    HS_API int NAME(PARAMETERS_##N);                                     \
    int NAME(PARAMETERS_##N)                                             \
    {                                                                    \
        void *arguments[N] = {ARGUMENTS_##N};                            \
        call this = {#NAME, WORDS, N, arguments, {0, 0}, HS__CALLER, 0}; \
        return cut(hs__partitioner(#NAME, this.caller), &this);          \
    }
HS_METIS_CALLS(WRAPPER)
