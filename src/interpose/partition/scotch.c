/* SPDX-License-Identifier: BSD-3-Clause */
/* Scotch and PT-Scotch. Their graph partitionings all map onto a target architecture; those of equal parts onto the complete
 * graph, which SCOTCH_archCmplt makes, also inside SCOTCH_graphPart and the stand-ins for METIS and ParMETIS. So that is
 * where targets are changed: it becomes SCOTCH_archCmpltw with weights. The partitioning functions tell whose the parts are,
 * and what was reached. Where links are unequal, SCOTCH_graphPart and SCOTCH_graphMap map onto an architecture with distances
 * instead. Orderings and meshes are left alone. */
#include "config.h"

#include "interpose/partition/scotch.h"
#include "interpose/partition/targets.h"
#include "runtime/base/world_handle.h"
#include "util/assert.h"
#include <heteroslice/hs_status.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FAILED = 1 };

/* What the thread has last done. */
static __thread struct {
    int inside;               /* functions below */
    hs__partitioning targets; /* of the architecture */
    const void *arch;
    int prepared;                /* the targets of the next architecture are there already */
    int used;                    /* by a function that partitions and is known, so they are noted with it */
    void *weights;               /* of it; NULL: it is made as asked */
    const void *mapping, *parts; /* begun by SCOTCH_(d)graphMapInit onto that architecture */
} self;

int hs__scotch_is_inside(void)
{
    return self.inside > 0;
}

/* ---- Architectures ---- */

static double *read_wishes(hs__pool *pool, const void *weights, int wide, int64_t n)
{
    double *wish = n > 0 && weights ? hs__pool_new(pool, (size_t)n, sizeof *wish) : NULL;
    for (int64_t p = 0; wish && p < n; p++)
        wish[p] = (double)hs__integer_get(weights, wide, p);
    return wish;
}

/* Decide on the targets of a complete graph of n parts, with weights or NULL. owners: NULL for a graph that is not distributed.
 * @return the weights to make it with; NULL: it is made as asked */
static void *choose_weights(hs__foreign_function beside, const hs__owners *owners, int64_t n, const void *weights)
{
    hs__pool pool = {0};
    void *chosen = NULL;
    int wide = hs__scotch_wide(beside);
    if (!hs__partition_acts())
        return NULL;
    if (wide < 0) {
        hs__partition_pass("SCOTCH_archCmplt", "the size of SCOTCH_Num is not known");
        return NULL;
    }
    n = wide ? n : (int32_t)n;
    double *wish = read_wishes(&pool, weights, wide, n);
    if ((wish || !weights) &&
        hs__partitioning_begin(&self.targets, (hs__call_site){"SCOTCH_archCmplt", NULL}, owners, n, wish))
        chosen = hs__scotch_weights(&self.targets.pool, self.targets.given, self.targets.parts,
                                    owners ? hs__scotch_vertices(beside, self.targets.parts) : INFINITY, wide);
    hs__pool_free(&pool);
    return chosen;
}

/* What was decided is noted with the partitioning that it is for. By itself only where another function has used it, such as
 * SCOTCH_graphRepart. */
static void forget_targets(void)
{
    if (self.used || !self.targets.given)
        self.targets.site.call = NULL;
    self.targets.measured = NULL;
    hs__partitioning_end(&self.targets, NULL);
    self.arch = NULL;
    self.prepared = 0;
    self.used = 0;
}

/* For an architecture that the function itself makes. */
static void prepare_targets(hs__foreign_function own, const hs__owners *owners, int64_t n)
{
    forget_targets();
    if (!own || !hs__partition_acts())
        return;
    self.weights = choose_weights(own, owners, n, NULL);
    self.prepared = 1;
}

/* Ranks that cut a graph together get weights on all of them or, where memory is out on one, on none. */
static void agree_on_targets(const void *graph)
{
    if (self.prepared && !hs__scotch_agree(graph, self.weights != NULL)) {
        self.weights = NULL;
        self.targets.given = NULL;
    }
}

/* An architecture with distances for the targets of the thread; NULL: there is none, and those have to do. */
static void *make_nested(hs__foreign_function own, const void *graph)
{
    const hs__partitioning *of = &self.targets;
    const double *share = of->given ? of->given : of->equal ? of->wished : NULL;
    return own && of->site.call && share ? hs__scotch_arch_new(own, graph, share, of->parts, of->world) : NULL;
}

/* What was prepared, else what is chosen now. The architecture is the thread's last one. */
static void *take_weights(const void *arch, hs__foreign_function beside, int64_t n, const void *weights)
{
    if (!self.prepared) {
        forget_targets();
        self.weights = choose_weights(beside, hs__scotch_owners(), n, weights);
    }
    self.prepared = 0;
    self.arch = arch;
    return self.weights;
}

/* Whether this is the architecture of the thread's targets, and not another one at its address that was never given back. */
static int is_last(hs__foreign_function beside, const void *arch)
{
    const char *(*name)(const void *) =
        (const char *(*)(const void *))hs__partitioner_beside("SCOTCH_archName", beside);
    return arch && arch == self.arch && (!name || strncmp(name(arch), "cmplt", 5) == 0);
}

HS_API int SCOTCH_archCmplt(void *arch, int64_t n);
int SCOTCH_archCmplt(void *arch, int64_t n)
{
    hs__foreign_function own = hs__partitioner("SCOTCH_archCmplt", HS__CALLER);
    hs__foreign_function weighted = hs__partitioner_beside("SCOTCH_archCmpltw", own);
    if (!own) {
        hs__partitioner_missing("SCOTCH_archCmplt");
        return FAILED;
    }
    void *weights = take_weights(arch, own, n, NULL);
    return weights && weighted ? ((int (*)(void *, int64_t, const void *))weighted)(arch, n, weights)
                               : ((int (*)(void *, int64_t))own)(arch, n);
}

HS_API int SCOTCH_archCmpltw(void *arch, int64_t n, const void *weights);
int SCOTCH_archCmpltw(void *arch, int64_t n, const void *weights)
{
    hs__foreign_function own = hs__partitioner("SCOTCH_archCmpltw", HS__CALLER);
    if (!own) {
        hs__partitioner_missing("SCOTCH_archCmpltw");
        return FAILED;
    }
    void *chosen = weights ? take_weights(arch, own, n, weights) : NULL; /* without weights Scotch fails */
    return ((int (*)(void *, int64_t, const void *))own)(arch, n, chosen ? chosen : weights);
}

HS_API void SCOTCH_archExit(void *arch);
void SCOTCH_archExit(void *arch)
{
    void (*own)(void *) = (void (*)(void *))hs__partitioner("SCOTCH_archExit", HS__CALLER);
    if (self.arch == arch && !self.inside)
        forget_targets();
    if (own)
        own(arch);
    else
        hs__partitioner_missing("SCOTCH_archExit");
}

/* ---- What was reached ---- */

/* Note a partitioning by the targets of the thread's architecture. owners: NULL for a graph that is not distributed. */
static void note(hs__call_site site, const hs__owners *owners, hs__measured *measured, const hs__scotch_graph *g,
                 const void *part)
{
    hs__pool pool = {0};
    hs__partitioning seen = self.targets;
    seen.site = site;
    seen.measured = measured;
    seen.ranks = owners ? owners->parts : 1;
    if (owners)
        seen.first = owners->world[0];
    else
        PMPI_Comm_rank(hs__world.comm, &seen.first);
    seen.edges_cut = part ? hs__scotch_edges_cut(g, part) : -1;
    hs__partitioning_note(&seen, part ? hs__scotch_reached(&pool, g, part, seen.parts) : NULL);
    hs__pool_free(&pool);
}

static void note_graph(hs__call_site site, hs__foreign_function beside, const void *graph, const void *part)
{
    hs__scotch_graph g;
    if (self.targets.site.call && hs__scotch_ask(beside, graph, &g))
        note(site, NULL, NULL, &g, part);
}

static void note_distributed(hs__call_site site, hs__foreign_function beside, const void *graph, const void *part)
{
    hs__scotch_graph g;
    hs__pool pool = {0};
    hs__owners owners = {0};
    MPI_Comm comm = MPI_COMM_NULL;
    if (self.targets.site.call && hs__scotch_ask_distributed(beside, graph, &g, &comm) &&
        hs__owners_find(comm, &pool, &owners) == HS_OK)
        note(site, &owners, hs__scotch_is_last(graph) ? self.targets.measured : NULL, &g, part);
    hs__pool_free(&pool);
}

/* ---- Partitioning a graph ---- */

typedef int graph_part(void *graph, int64_t n, void *strategy, void *part);
typedef int graph_map(void *graph, const void *arch, void *strategy, void *part);
typedef int map_init(const void *graph, void *mapping, const void *arch, void *part);
typedef int map_compute(void *graph, void *mapping, void *strategy);
typedef void note_function(hs__call_site site, hs__foreign_function beside, const void *graph, const void *part);

/* What a function has done by the targets of the thread. */
static void tell_result(int result, hs__call_site site, hs__foreign_function own, note_function *tell,
                        const void *graph, const void *part)
{
    self.used = 1;
    if (result == 0)
        tell(site, own, graph, part);
}

/* The architecture is made inside. nested: another one, onto which SCOTCH_graphMap maps; NULL: none */
static int part_graph(hs__call_site site, hs__foreign_function own, note_function *tell, void *graph, int64_t n,
                      const void *nested, void *strategy, void *part)
{
    if (!own) {
        hs__partitioner_missing(site.call);
        return FAILED;
    }
    graph_map *map = nested ? (graph_map *)hs__partitioner_beside("SCOTCH_graphMap", own) : NULL;
    self.inside++;
    int result = map ? map(graph, nested, strategy, part) : ((graph_part *)own)(graph, n, strategy, part);
    if (--self.inside == 0) {
        tell_result(result, site, own, tell, graph, part);
        forget_targets();
    }
    HS_ASSERT(self.inside >= 0);
    return result;
}

/* nested: in the place of arch; NULL: nothing is. */
static int map_graph(hs__call_site site, hs__foreign_function own, note_function *tell, void *graph, const void *arch,
                     const void *nested, void *strategy, void *part)
{
    if (!own) {
        hs__partitioner_missing(site.call);
        return FAILED;
    }
    int ours = !self.inside && is_last(own, arch);
    self.inside++;
    int result = ((graph_map *)own)(graph, nested ? nested : arch, strategy, part);
    self.inside--;
    if (ours)
        tell_result(result, site, own, tell, graph, part);
    return result;
}

static int begin_mapping(const char *call, hs__foreign_function own, const void *graph, void *mapping, const void *arch,
                         void *part)
{
    if (!own) {
        hs__partitioner_missing(call);
        return FAILED;
    }
    if (!self.inside) {
        self.mapping = is_last(own, arch) ? mapping : NULL;
        self.parts = part;
    }
    return ((map_init *)own)(graph, mapping, arch, part);
}

static int compute_mapping(hs__call_site site, hs__foreign_function own, note_function *tell, void *graph,
                           void *mapping, void *strategy)
{
    if (!own) {
        hs__partitioner_missing(site.call);
        return FAILED;
    }
    self.inside++;
    int result = ((map_compute *)own)(graph, mapping, strategy);
    if (--self.inside == 0 && mapping == self.mapping)
        tell_result(result, site, own, tell, graph, self.parts);
    return result;
}

HS_API graph_part SCOTCH_graphPart, SCOTCH_dgraphPart;
HS_API graph_map SCOTCH_graphMap, SCOTCH_dgraphMap;
HS_API map_init SCOTCH_graphMapInit, SCOTCH_dgraphMapInit;
HS_API map_compute SCOTCH_graphMapCompute, SCOTCH_dgraphMapCompute;

int SCOTCH_graphPart(void *graph, int64_t n, void *strategy, void *part)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    if (!self.inside)
        prepare_targets(own, NULL, n);
    void *nested = self.inside ? NULL : make_nested(own, graph);
    int result = part_graph(HS__CALL_SITE, own, note_graph, graph, n, nested, strategy, part);
    hs__scotch_arch_free(own, nested);
    return result;
}

int SCOTCH_graphMap(void *graph, const void *arch, void *strategy, void *part)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    void *nested = !self.inside && is_last(own, arch) ? make_nested(own, graph) : NULL;
    int result = map_graph(HS__CALL_SITE, own, note_graph, graph, arch, nested, strategy, part);
    hs__scotch_arch_free(own, nested);
    return result;
}

int SCOTCH_graphMapInit(const void *graph, void *mapping, const void *arch, void *part)
{
    return begin_mapping(__func__, hs__partitioner(__func__, HS__CALLER), graph, mapping, arch, part);
}

int SCOTCH_graphMapCompute(void *graph, void *mapping, void *strategy)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    return compute_mapping(HS__CALL_SITE, own, note_graph, graph, mapping, strategy);
}

int SCOTCH_dgraphPart(void *graph, int64_t n, void *strategy, void *part)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    hs__scotch_measure(own, graph);
    if (!self.inside) {
        prepare_targets(own, hs__scotch_owners(), n);
        agree_on_targets(graph);
    }
    return part_graph(HS__CALL_SITE, own, note_distributed, graph, n, NULL, strategy, part);
}

int SCOTCH_dgraphMap(void *graph, const void *arch, void *strategy, void *part)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    return map_graph(HS__CALL_SITE, own, note_distributed, graph, arch, NULL, strategy, part);
}

int SCOTCH_dgraphMapInit(const void *graph, void *mapping, const void *arch, void *part)
{
    return begin_mapping(__func__, hs__partitioner(__func__, HS__CALLER), graph, mapping, arch, part);
}

int SCOTCH_dgraphMapCompute(void *graph, void *mapping, void *strategy)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    return compute_mapping(HS__CALL_SITE, own, note_distributed, graph, mapping, strategy);
}
