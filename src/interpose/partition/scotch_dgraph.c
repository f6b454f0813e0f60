/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed graphs of PT-Scotch: their ranks own the parts, and repartition when they build one and cut it. */
#include "config.h"

#include "interpose/partition/scotch.h"
#include "interpose/partition/targets.h"
#include "runtime/base/environment.h"
#include "runtime/base/world_handle.h"
#include <heteroslice/hs_status.h>
#include <stdlib.h>
#include <string.h>

enum { FAILED = 1 };

/* The distributed graph that the thread has used last. */
static __thread struct {
    const void *graph; /* NULL: there is none */
    MPI_Comm comm;
    hs__pool pool;     /* of owners */
    hs__owners owners; /* the ranks of comm */
    hs_status found;   /* by hs__owners_find() */
} self;

static void forget(void)
{
    hs__pool_free(&self.pool);
    self.owners = (hs__owners){0};
    self.graph = NULL;
}

static void remember(const void *graph, MPI_Comm comm)
{
    forget();
    self.graph = graph;
    self.comm = comm;
    self.found = hs__owners_find(comm, &self.pool, &self.owners);
}

const hs__owners *hs__scotch_owners(void)
{
    return self.graph ? &self.owners : NULL;
}

double hs__scotch_vertices(hs__foreign_function beside, int parts)
{
    enum { OF_A_PART = 1000 };
    hs__scotch_graph g;
    MPI_Comm comm;
    int known = self.graph && hs__scotch_ask_distributed(beside, self.graph, &g, &comm) && g.all > 0;
    return known ? (double)g.all : (double)parts * OF_A_PART;
}

int hs__scotch_is_last(const void *graph)
{
    return graph && graph == self.graph;
}

/* PT-Scotch of these versions may hang (doc/partitioners.md), and more often where this library is loaded. */
static int races(int version, int release, int patch)
{
    return version == 7 && release == 0 && patch < 5;
}

static void warn_of_races(hs__foreign_function beside)
{
    static int told;
    void (*ask)(int *, int *, int *) = (void (*)(int *, int *, int *))hs__partitioner_beside("SCOTCH_version", beside);
    const char *threads = getenv("SCOTCH_PTHREAD_NUMBER");
    int version = 0, release = 0, patch = 0, rank;
    if (!ask || (threads && strcmp(threads, "1") == 0) || __atomic_exchange_n(&told, 1, __ATOMIC_RELAXED))
        return;
    ask(&version, &release, &patch);
    PMPI_Comm_rank(hs__world.comm, &rank);
    if (rank == 0 && races(version, release, patch))
        hs__environment_log(HS__LOG_WARN,
                            "PT-Scotch %d.%d.%d may hang in threads of its own, 7.0.5 does not: set "
                            "SCOTCH_PTHREAD_NUMBER=1",
                            version, release, patch);
}

void hs__scotch_measure(hs__foreign_function beside, const void *graph)
{
    hs__scotch_graph g;
    MPI_Comm comm = MPI_COMM_NULL;
    if (!graph || hs__scotch_is_inside() || !hs__partition_acts())
        return;
    warn_of_races(beside);
    if (graph != self.graph && hs__scotch_ask_distributed(beside, graph, &g, &comm))
        remember(graph, comm);
    if (graph == self.graph)
        hs__owners_measure(self.comm, self.found, &self.owners);
}

int hs__scotch_agree(const void *graph, int ok)
{
    return hs__scotch_is_last(graph) && hs__owners_agree(self.comm, ok);
}

HS_API int SCOTCH_dgraphInit(void *graph, MPI_Comm comm);
int SCOTCH_dgraphInit(void *graph, MPI_Comm comm)
{
    int (*own)(void *, MPI_Comm) = (int (*)(void *, MPI_Comm))hs__partitioner(__func__, HS__CALLER);
    if (!own) {
        hs__partitioner_missing(__func__);
        return FAILED;
    }
    if (!hs__scotch_is_inside() && hs__partition_acts())
        remember(graph, comm);
    return own(graph, comm);
}

/* All ranks build their parts of the graph, and cut it soon. The targets may be an architecture that each makes by itself between
 * the two, so the phase ends here. */
typedef int dgraph_build(void *graph, int64_t first, int64_t n, int64_t most, void *start, void *end, void *load,
                         void *label, int64_t edges, int64_t edges_most, void *to, void *ghost, void *weight);
HS_API dgraph_build SCOTCH_dgraphBuild;
int SCOTCH_dgraphBuild(void *graph, int64_t first, int64_t n, int64_t most, void *start, void *end, void *load,
                       void *label, int64_t edges, int64_t edges_most, void *to, void *ghost, void *weight)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    if (!own) {
        hs__partitioner_missing(__func__);
        return FAILED;
    }
    hs__scotch_measure(own, graph);
    return ((dgraph_build *)own)(graph, first, n, most, start, end, load, label, edges, edges_most, to, ghost, weight);
}

HS_API void SCOTCH_dgraphExit(void *graph);
void SCOTCH_dgraphExit(void *graph)
{
    void (*own)(void *) = (void (*)(void *))hs__partitioner(__func__, HS__CALLER);
    if (graph == self.graph && !hs__scotch_is_inside())
        forget();
    if (own)
        own(graph);
    else
        hs__partitioner_missing(__func__);
}
