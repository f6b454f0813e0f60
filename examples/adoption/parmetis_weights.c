/* SPDX-License-Identifier: BSD-3-Clause */
/* ParMETIS target weights by the speeds of the ranks' hosts: a ring of vertices, one part per rank.
 * mpicc parmetis_weights.c -lparmetis -lmetis $(pkg-config --cflags --libs heteroslice) */
#include <heteroslice/hs_runtime.h>
#include <parmetis.h>
#include <stdio.h>
#include <stdlib.h>

/* Scotch's replacement for ParMETIS has the functions without the types. */
#ifdef SCOTCH_PARMETIS_VERSION
typedef SCOTCH_Num idx_t;
typedef float real_t;
#endif

enum { OWN = 500 }; /* initial number of vertices of a rank */

/* Rank r begins with vertices r OWN to (r + 1) OWN - 1. part: [OWN], the new part of each of them. */
static int cut_ring(MPI_Comm comm, int rank, int size, real_t *targets, idx_t *part)
{
    idx_t n = (idx_t)size * OWN, parts = size, constraints = 1, flags = 0, numbering = 0, options[3] = {0}, cut;
    idx_t begin[OWN + 1], neighbours[2 * OWN], *first = malloc(((size_t)size + 1) * sizeof *first);
    real_t tolerance = (real_t)1.05;
    for (int r = 0; r <= size; r++)
        first[r] = (idx_t)r * OWN;
    for (int k = 0; k < OWN; k++) {
        idx_t vertex = first[rank] + k;
        begin[k] = 2 * k;
        neighbours[2 * k] = (vertex + n - 1) % n;
        neighbours[2 * k + 1] = (vertex + 1) % n;
    }
    begin[OWN] = 2 * OWN;
    int code = ParMETIS_V3_PartKway(first, begin, neighbours, NULL, NULL, &flags, &numbering, &constraints, &parts,
                                    targets, &tolerance, options, &cut, part, &comm);
    free(first);
    return code == METIS_OK ? 0 : 1;
}

static void print_parts(MPI_Comm comm, int rank, int size, const idx_t *part)
{
    for (int p = 0; p < size; p++) {
        int mine = 0, all;
        for (int k = 0; k < OWN; k++)
            mine += part[k] == p;
        MPI_Reduce(&mine, &all, 1, MPI_INT, MPI_SUM, 0, comm);
        if (rank == 0)
            printf("part %d: %d of %d\n", p, all, size * OWN);
    }
}

int main(int argc, char **argv)
{
    int rank, size, code = 1;
    idx_t part[OWN];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    float *weights = malloc((size_t)size * sizeof *weights);
    real_t *targets = malloc((size_t)size * sizeof *targets);
    if (weights && targets && hs_weights(MPI_COMM_WORLD, weights) == HS_OK) {
        for (int r = 0; r < size; r++)
            targets[r] = weights[r];
        code = cut_ring(MPI_COMM_WORLD, rank, size, targets, part);
    }
    if (code == 0)
        print_parts(MPI_COMM_WORLD, rank, size, part);
    free(weights);
    free(targets);
    MPI_Finalize();
    return code;
}
