/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators with a topology. The MPI library has made one as the program asked, so what it should look like can be
 * asked of it in C, whatever language the program is written in: then the ranks are ordered anew and it is made again.
 */
#include "runtime/base/backoff.h"
#include "runtime/base/environment.h"
#include "runtime/reorder/reorder.h"
#include "util/array.h"
#include "util/pool.h"
#include <stdlib.h>

/* Collective: the ranks in the order of their vertices. */
static MPI_Comm in_order(MPI_Comm comm, const int *rank_of_vertex, int rank, int size)
{
    MPI_Comm ordered = MPI_COMM_NULL;
    PMPI_Comm_split(comm, 0, hs__reorder_place(rank_of_vertex, size, rank), &ordered);
    return ordered;
}

static void take(MPI_Comm *comm, MPI_Comm *ordered, MPI_Comm made)
{
    PMPI_Comm_free(ordered);
    if (made != MPI_COMM_NULL) {
        PMPI_Comm_free(comm);
        *comm = made;
    }
}

static void reorder_grid(MPI_Comm *comm, int rank, int size, int *rank_of_vertex)
{
    int n = 0, extent[HS_MAPPING_DIMENSIONS_MAX], periodic[HS_MAPPING_DIMENSIONS_MAX], place[HS_MAPPING_DIMENSIONS_MAX];
    MPI_Comm made = MPI_COMM_NULL;
    PMPI_Cartdim_get(*comm, &n);
    if (n < 1 || n > HS_MAPPING_DIMENSIONS_MAX)
        return;
    PMPI_Cart_get(*comm, n, extent, periodic, place);
    hs__reorder_request request = {.dimensions = n, .extent = extent, .periodic = periodic};
    if (!hs__reorder_plan(*comm, &request, rank_of_vertex))
        return;
    MPI_Comm ordered = in_order(*comm, rank_of_vertex, rank, size);
    PMPI_Cart_create(ordered, n, extent, periodic, 0, &made);
    take(comm, &ordered, made);
}

/* Every rank knows the whole of such a graph. */
static void reorder_graph(MPI_Comm *comm, int rank, int size, int *rank_of_vertex)
{
    int n = 0, edges = 0;
    MPI_Comm made = MPI_COMM_NULL;
    PMPI_Graphdims_get(*comm, &n, &edges);
    int *index = hs__array_new((size_t)n, sizeof *index), *to = hs__array_new((size_t)edges, sizeof *to);
    int64_t *first = hs__array_new((size_t)n + 1, sizeof *first);
    hs__reorder_request request = {.graph = {n, first, to, NULL}};
    int usable = index && to && first && n == size;
    if (usable) {
        PMPI_Graph_get(*comm, n, edges, index, to);
        for (int v = 0; v < n; v++)
            first[v + 1] = index[v];
    }
    if (hs__reorder_plan(*comm, &request, usable ? rank_of_vertex : NULL)) {
        MPI_Comm ordered = in_order(*comm, rank_of_vertex, rank, size);
        PMPI_Graph_create(ordered, n, index, to, 0, &made);
        take(comm, &ordered, made);
    }
    free(first);
    free(to);
    free(index);
}

/* ---- Distributed graphs: every rank knows its own neighbours ---- */

/* Of one vertex: in one stretch, so that it can be sent: sources, their weights, destinations, their weights. */
typedef struct neighbours {
    int in, out;
    int *all; /* [2 * (in + out)]; owned */
} neighbours;

static hs_status ask_neighbours(MPI_Comm comm, neighbours *x, int *weighted)
{
    PMPI_Dist_graph_neighbors_count(comm, &x->in, &x->out, weighted);
    x->all = hs__array_new(2 * ((size_t)x->in + (size_t)x->out), sizeof *x->all);
    if (!x->all)
        return HS_ERR_NOMEM;
    int *sources = x->all, *destinations = x->all + 2 * x->in;
    PMPI_Dist_graph_neighbors(comm, x->in, sources, *weighted ? sources + x->in : MPI_UNWEIGHTED, x->out, destinations,
                              *weighted ? destinations + x->out : MPI_UNWEIGHTED);
    return HS_OK;
}

/* On rank 0: all edges by their sources. */
typedef struct edges {
    hs__pool pool;      /* of all arrays */
    int *count, *begin; /* [size] */
    int64_t *first;     /* [size + 1] */
    int *to, *weight;
    double *bytes;
} edges;

/* Collective. @return whether rank 0 has them; the others say yes */
static int gather_edges(MPI_Comm comm, const neighbours *own, int weighted, int rank, int size, edges *e)
{
    size_t n = rank == 0 ? (size_t)size : 0;
    int sum = 0;
    e->count = hs__pool_new(&e->pool, n, sizeof *e->count);
    e->begin = hs__pool_new(&e->pool, n, sizeof *e->begin);
    e->first = hs__pool_new(&e->pool, n + 1, sizeof *e->first);
    if (!hs__all_ok(comm, hs__pool_status(&e->pool) == HS_OK))
        return 0;
    PMPI_Gather(&own->out, 1, MPI_INT, e->count, 1, MPI_INT, 0, comm);
    for (size_t r = 0; r < n; r++) {
        e->begin[r] = sum;
        sum += e->count[r];
        e->first[r + 1] = sum;
    }
    e->to = hs__pool_new(&e->pool, (size_t)sum, sizeof *e->to);
    e->weight = hs__pool_new(&e->pool, (size_t)sum, sizeof *e->weight);
    e->bytes = hs__pool_new(&e->pool, (size_t)sum, sizeof *e->bytes);
    if (!hs__all_ok(comm, hs__pool_status(&e->pool) == HS_OK))
        return 0;
    const int *destinations = own->all + 2 * own->in;
    PMPI_Gatherv(destinations, own->out, MPI_INT, e->to, e->count, e->begin, MPI_INT, 0, comm);
    PMPI_Gatherv(destinations + own->out, own->out, MPI_INT, e->weight, e->count, e->begin, MPI_INT, 0, comm);
    for (int k = 0; k < sum; k++)
        e->bytes[k] = !weighted ? 1 : e->weight[k] > 0 ? e->weight[k] : 0;
    return 1;
}

/* Every rank sends the neighbours it has named to the rank at its vertex now. Collective over ordered. */
static int pass_on(MPI_Comm ordered, const neighbours *own, int to, int from, neighbours *mine)
{
    int sent[2] = {own->in, own->out}, got[2] = {0, 0};
    PMPI_Sendrecv(sent, 2, MPI_INT, to, 0, got, 2, MPI_INT, from, 0, ordered, MPI_STATUS_IGNORE);
    *mine = (neighbours){got[0], got[1], hs__array_new(2 * ((size_t)got[0] + (size_t)got[1]), sizeof(int))};
    if (!hs__all_ok(ordered, mine->all != NULL))
        return 0;
    PMPI_Sendrecv(own->all, 2 * (own->in + own->out), MPI_INT, to, 1, mine->all, 2 * (mine->in + mine->out), MPI_INT,
                  from, 1, ordered, MPI_STATUS_IGNORE);
    return 1;
}

static MPI_Comm make_again(MPI_Comm ordered, const neighbours *x, int weighted)
{
    MPI_Comm made = MPI_COMM_NULL;
    int *sources = x->all, *destinations = x->all + 2 * x->in;
    PMPI_Dist_graph_create_adjacent(ordered, x->in, sources, weighted ? sources + x->in : MPI_UNWEIGHTED, x->out,
                                    destinations, weighted ? destinations + x->out : MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                    &made);
    return made;
}

static void reorder_distributed(MPI_Comm *comm, int rank, int size, int *rank_of_vertex)
{
    neighbours own = {0}, mine = {0};
    edges e = {0};
    MPI_Comm made = MPI_COMM_NULL;
    int weighted = 0;
    if (!hs__all_ok(*comm, ask_neighbours(*comm, &own, &weighted) == HS_OK) ||
        !gather_edges(*comm, &own, weighted, rank, size, &e))
        goto out;
    hs__reorder_request request = {.graph = {size, e.first, e.to, e.bytes}};
    if (!hs__reorder_plan(*comm, &request, rank_of_vertex))
        goto out;
    MPI_Comm ordered = in_order(*comm, rank_of_vertex, rank, size);
    int vertex = hs__reorder_place(rank_of_vertex, size, rank);
    if (pass_on(ordered, &own, rank, hs__reorder_place(rank_of_vertex, size, vertex), &mine))
        made = make_again(ordered, &mine, weighted);
    take(comm, &ordered, made);
out:
    hs__pool_free(&e.pool);
    free(mine.all);
    free(own.all);
}

void hs__reorder_topology(MPI_Comm *comm)
{
    int topology = MPI_UNDEFINED, rank, size;
    int wanted = hs__environment()->reorder != HS__REORDER_OFF || hs__reorder_advises();
    if (*comm == MPI_COMM_NULL)
        return;
    PMPI_Comm_rank(*comm, &rank);
    PMPI_Comm_size(*comm, &size);
    PMPI_Topo_test(*comm, &topology);
    PMPI_Bcast(&wanted, 1, MPI_INT, 0, *comm);
    if (size < 2 || !wanted)
        return;
    int *rank_of_vertex = hs__array_new((size_t)size, sizeof *rank_of_vertex);
    if (topology == MPI_CART)
        reorder_grid(comm, rank, size, rank_of_vertex);
    else if (topology == MPI_GRAPH)
        reorder_graph(comm, rank, size, rank_of_vertex);
    else if (topology == MPI_DIST_GRAPH)
        reorder_distributed(comm, rank, size, rank_of_vertex);
    free(rank_of_vertex);
}
