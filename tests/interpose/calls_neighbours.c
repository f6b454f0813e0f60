/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

/* A periodic row of all ranks: two neighbours each. */
static MPI_Comm make_row(void)
{
    MPI_Comm row;
    int dims = calls_size, periodic = 1, got_dims, got_periodic, coordinate, rank, before, behind, n;
    CALL(MPI_Cart_create, MPI_COMM_WORLD, 1, &dims, &periodic, 0, &row);
    CALL(MPI_Cartdim_get, row, &n);
    CALL(MPI_Cart_get, row, 1, &got_dims, &got_periodic, &coordinate);
    CALL(MPI_Cart_coords, row, calls_rank, 1, &coordinate);
    CALL(MPI_Cart_rank, row, &coordinate, &rank);
    CALL(MPI_Cart_shift, row, 0, 1, &before, &behind);
    MIX(n, got_dims, got_periodic, coordinate, rank, before, behind);
    CALL(MPI_Cart_map, MPI_COMM_WORLD, 1, &dims, &periodic, &rank);
    CALL(MPI_Topo_test, row, &n);
    calls_mix(n == MPI_CART);
    calls_mix(rank);
    return row;
}

static void exchange(MPI_Comm row)
{
    int out[2] = {calls_rank, calls_rank + 50}, in[12] = {0}, counts[2] = {1, 1}, places[2] = {0, 1};
    MPI_Aint bytes[2] = {0, sizeof(int)};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Request r[5];
    CALL(MPI_Neighbor_allgather, out, 1, MPI_INT, in, 1, MPI_INT, row);
    CALL(MPI_Neighbor_allgatherv, out, 1, MPI_INT, in + 2, counts, places, MPI_INT, row);
    CALL(MPI_Neighbor_alltoall, out, 1, MPI_INT, in + 4, 1, MPI_INT, row);
    CALL(MPI_Neighbor_alltoallv, out, counts, places, MPI_INT, in + 6, counts, places, MPI_INT, row);
    CALL(MPI_Neighbor_alltoallw, out, counts, bytes, types, in + 8, counts, bytes, types, row);
    calls_mix_all(in, 10);
    memset(in, 0, sizeof in);
    CALL(MPI_Ineighbor_allgather, out, 1, MPI_INT, in, 1, MPI_INT, row, &r[0]);
    CALL(MPI_Ineighbor_allgatherv, out, 1, MPI_INT, in + 2, counts, places, MPI_INT, row, &r[1]);
    CALL(MPI_Ineighbor_alltoall, out, 1, MPI_INT, in + 4, 1, MPI_INT, row, &r[2]);
    CALL(MPI_Ineighbor_alltoallv, out, counts, places, MPI_INT, in + 6, counts, places, MPI_INT, row, &r[3]);
    CALL(MPI_Ineighbor_alltoallw, out, counts, bytes, types, in + 8, counts, bytes, types, row, &r[4]);
    CALL(MPI_Waitall, 5, r, MPI_STATUSES_IGNORE);
    calls_mix_all(in, 10);
}

static void graphs(void)
{
    MPI_Comm graph;
    int next = (calls_rank + 1) % calls_size, previous = (calls_rank + calls_size - 1) % calls_size;
    int in, out, weighted, source, target, weight_in = 0, weight_out = 0, one = 1;
    CALL(MPI_Dist_graph_create_adjacent, MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
         MPI_INFO_NULL, 0, &graph);
    CALL(MPI_Dist_graph_neighbors_count, graph, &in, &out, &weighted);
    CALL(MPI_Dist_graph_neighbors, graph, 1, &source, MPI_UNWEIGHTED, 1, &target, MPI_UNWEIGHTED);
    MIX(in, out, weighted != 0, source, target);
    CALL(MPI_Comm_free, &graph);
    CALL(MPI_Dist_graph_create, MPI_COMM_WORLD, 1, &calls_rank, &one, &next, &one, MPI_INFO_NULL, 0, &graph);
    CALL(MPI_Dist_graph_neighbors, graph, 1, &source, &weight_in, 1, &target, &weight_out);
    MIX(source, target, weight_in, weight_out);
    CALL(MPI_Comm_free, &graph);
    int *index = (int *)malloc((size_t)calls_size * sizeof *index);
    int *edges = (int *)malloc((size_t)calls_size * sizeof *edges);
    int nodes, count, list[4], rank;
    for (int r = 0; r < calls_size; r++) {
        index[r] = r + 1;
        edges[r] = (r + 1) % calls_size;
    }
    CALL(MPI_Graph_create, MPI_COMM_WORLD, calls_size, index, edges, 0, &graph);
    CALL(MPI_Graphdims_get, graph, &nodes, &count);
    CALL(MPI_Graph_neighbors_count, graph, calls_rank, &in);
    CALL(MPI_Graph_neighbors, graph, calls_rank, 1, list);
    CALL(MPI_Graph_map, MPI_COMM_WORLD, calls_size, index, edges, &rank);
    CALL(MPI_Graph_get, graph, calls_size, calls_size, index, edges);
    MIX(nodes, count, in, list[0], rank, edges[calls_size - 1]);
    CALL(MPI_Comm_free, &graph);
    free(index);
    free(edges);
}

void calls_neighbours(void)
{
    MPI_Comm row = make_row(), part;
    exchange(row);
    int keep = 1, size;
    CALL(MPI_Cart_sub, row, &keep, &part);
    CALL(MPI_Comm_size, part, &size);
    calls_mix(size);
    CALL(MPI_Comm_free, &part);
    CALL(MPI_Comm_free, &row);
    graphs();
    calls_section("neighbours");
}
