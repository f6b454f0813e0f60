/* SPDX-License-Identifier: BSD-3-Clause */
/* A program's own MPI_Scatterv and MPI_Gatherv, with counts by the speeds and links of the ranks' hosts.
 * mpicc mpi_scatterv.c $(pkg-config --cflags --libs heteroslice) */
#include <heteroslice/hs_scatter.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 1000 };

/* Every item is squared by the rank that gets it; the root checks. */
static int square_all(const int *counts, const int *displs, int rank, int size)
{
    double *item = NULL, *mine = malloc((size_t)counts[rank] * sizeof *mine + 1);
    int wrong = 0;
    if (rank == 0)
        item = malloc(ITEMS * sizeof *item);
    for (int i = 0; rank == 0 && i < ITEMS; i++)
        item[i] = i;
    MPI_Scatterv(item, counts, displs, MPI_DOUBLE, mine, counts[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < counts[rank]; i++)
        mine[i] *= mine[i];
    MPI_Gatherv(mine, counts[rank], MPI_DOUBLE, item, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < ITEMS; i++)
        wrong += item[i] != (double)i * i;
    for (int r = 0; rank == 0 && r < size; r++)
        printf("rank %d: %d items from %d\n", r, counts[r], displs[r]);
    free(item);
    free(mine);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, size, code = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc((size_t)size * sizeof *counts), *displs = malloc((size_t)size * sizeof *displs);
    /* Optional: without it counts follow only the speeds. */
    hs_farm_params params = {.item_bytes = sizeof(double), .item_work = 1e6};
    if (counts && displs && hs_farm_attach(MPI_COMM_WORLD, &params, NULL) == HS_OK &&
        hs_scatter_counts(MPI_COMM_WORLD, ITEMS, counts, displs, NULL) == HS_OK)
        code = square_all(counts, displs, rank, size) != 0;
    free(counts);
    free(displs);
    MPI_Finalize();
    return code;
}
