/* SPDX-License-Identifier: BSD-3-Clause */
/* Topologies that MPI may reorder, in correct use: rank v of the new communicator is vertex v. So the output does not
 * depend on the order. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

/* Every vertex prints what it receives from its neighbours. */
static void tell(MPI_Comm comm, const char *what, int in)
{
    int vertex, size, heard[MOST] = {0};
    char text[256];
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(comm, &vertex);
    MPI_Comm_size(comm, &size);
    int value = 100 + vertex;
    MPI_Neighbor_allgather(&value, 1, MPI_INT, heard, 1, MPI_INT, comm);
    int length = snprintf(text, sizeof text, "%s: vertex %d of %d hears", what, vertex, size);
    for (int k = 0; k < in; k++)
        length += snprintf(text + length, sizeof text - (size_t)length, " %d", heard[k]);
    snprintf(text + length, sizeof text - (size_t)length, "\n");
    fputs(text, stdout); /* the line in one piece, which puts() and MPICH's launcher would not keep */
}

static void grid(int rows, int columns, int periodic)
{
    int dims[2] = {rows, columns}, periods[2] = {periodic, 0}, place[2], got[2], got_periods[2];
    MPI_Comm comm, row;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &comm);
    tell(comm, "grid", 4);
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Cart_get(comm, 2, got, got_periods, place);
    MPI_Cart_sub(comm, (int[]){0, 1}, &row);
    int sum, mine = 10 * place[0] + place[1], rank;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, row);
    MPI_Comm_rank(row, &rank);
    printf("grid: %d x %d, %d %d: cell %d %d is %d in a row of sum %d\n", got[0], got[1], got_periods[0],
           got_periods[1], place[0], place[1], rank, sum);
    MPI_Comm_free(&row);
    MPI_Comm_free(&comm);
}

static void graph(int size)
{
    int index[MOST], edges[2 * MOST];
    MPI_Comm comm;
    for (int v = 0; v < size; v++) {
        index[v] = 2 * (v + 1);
        edges[2 * v] = (v + 1) % size;
        edges[2 * v + 1] = (v + size - 1) % size;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 1, &comm);
    tell(comm, "graph", 2);
    MPI_Comm_free(&comm);
}

/* A ring and a chord from vertex 0, told by the first rank alone or by every rank of itself. */
static void distributed(int rank, int size, int adjacent, int weighted)
{
    int sources[3], targets[3], in = 0, out = 0, far = size / 2, source[MOST], target[MOST], n, ins, outs, flag;
    int weights[3] = {7, 5, 1}, degree[MOST], node[MOST], all[3 * MOST], all_weights[3 * MOST];
    MPI_Comm comm;
    if (adjacent) {
        sources[in++] = (rank + size - 1) % size;
        targets[out++] = (rank + 1) % size;
        if (rank == far)
            sources[in++] = 0;
        if (rank == 0)
            targets[out++] = far;
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, weighted ? weights : MPI_UNWEIGHTED, out, targets,
                                       weighted ? weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &comm);
    } else {
        int edges = 0;
        for (int v = 0; v < size; v++) {
            node[v] = v;
            degree[v] = v == 0 ? 2 : 1;
            all_weights[edges] = 7;
            all[edges++] = (v + 1) % size;
            all_weights[edges] = 5;
            if (v == 0)
                all[edges++] = far;
        }
        n = rank == 0 ? size : 0;
        MPI_Dist_graph_create(MPI_COMM_WORLD, n, node, degree, all, weighted ? all_weights : MPI_UNWEIGHTED,
                              MPI_INFO_NULL, 1, &comm);
    }
    MPI_Dist_graph_neighbors_count(comm, &ins, &outs, &flag);
    MPI_Comm_rank(comm, &rank);
    int in_weights[MOST] = {0}, out_weights[MOST] = {0};
    MPI_Dist_graph_neighbors(comm, ins, source, flag ? in_weights : MPI_UNWEIGHTED, outs, target,
                             flag ? out_weights : MPI_UNWEIGHTED);
    printf("distributed: vertex %d: %d in, %d out, %s, last target %d %d\n", rank, ins, outs,
           flag ? "weighted" : "unweighted", target[outs - 1], out_weights[outs - 1]);
    tell(comm, "distributed", ins);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int rank, size, moved = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grid(2, size / 2, 0);
    grid(size / 2, 2, 1);
    grid(1, size - 1, 0);
    graph(size);
    for (int kind = 0; kind < 4; kind++)
        distributed(rank, size, kind / 2, kind % 2);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &moved, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d of %d: %d\n", rank, size, moved);
    MPI_Finalize();
    return 0;
}
