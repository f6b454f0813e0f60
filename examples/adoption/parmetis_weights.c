/* SPDX-License-Identifier: BSD-3-Clause */
/* ParMETIS target weights by the speeds of the ranks' hosts.
 * mpicc parmetis_weights.c -lparmetis -lmetis $(pkg-config --cflags --libs heteroslice) */
#include <heteroslice/hs_runtime.h>
#include <parmetis.h>
#include <stdio.h>
#include <stdlib.h>

/* The ring of 2 vertices a rank, to have a graph. */
static int partition(MPI_Comm comm, int rank, int size, real_t *targets)
{
    idx_t n = 2 * size, parts = size, constraints = 1, flags = 0, numbering = 0, options[3] = {0}, cut, part[2];
    idx_t *first = malloc(((size_t)size + 1) * sizeof *first), begin[3] = {0, 2, 4}, neighbours[4];
    real_t tolerance = (real_t)1.05;
    for (int r = 0; r <= size; r++)
        first[r] = 2 * r;
    for (int k = 0; k < 2; k++) {
        neighbours[2 * k] = (2 * rank + k + n - 1) % n;
        neighbours[2 * k + 1] = (2 * rank + k + 1) % n;
    }
    int code = ParMETIS_V3_PartKway(first, begin, neighbours, NULL, NULL, &flags, &numbering, &constraints, &parts,
                                    targets, &tolerance, options, &cut, part, &comm);
    free(first);
    return code == METIS_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    int rank, size, code = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    float *weights = malloc((size_t)size * sizeof *weights);
    real_t *targets = malloc((size_t)size * sizeof *targets);
    if (weights && targets && hs_weights(MPI_COMM_WORLD, weights) == HS_OK) {
        for (int r = 0; r < size; r++)
            targets[r] = weights[r];
        code = partition(MPI_COMM_WORLD, rank, size, targets);
    }
    free(weights);
    free(targets);
    MPI_Finalize();
    return code;
}
