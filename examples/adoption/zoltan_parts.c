/* SPDX-License-Identifier: BSD-3-Clause */
/* Zoltan part sizes by the speeds of the ranks' hosts: set them before Zoltan_LB_Partition().
 * mpicc zoltan_parts.c -lzoltan $(pkg-config --cflags --libs heteroslice) */
#include <heteroslice/hs_runtime.h>
#include <stdlib.h>
#include <zoltan.h>

/** One part a rank. @return ZOLTAN_OK; ZOLTAN_FATAL */
int set_part_sizes(struct Zoltan_Struct *zoltan, MPI_Comm comm)
{
    int rank, size, part, first = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    float *weights = malloc((size_t)size * sizeof *weights);
    int code = ZOLTAN_FATAL;
    if (weights && hs_weights(comm, weights) == HS_OK) {
        part = rank;
        code = Zoltan_LB_Set_Part_Sizes(zoltan, 1, 1, &part, &first, &weights[rank]);
    }
    free(weights);
    return code;
}

int main(int argc, char **argv)
{
    float version;
    MPI_Init(&argc, &argv);
    int code = Zoltan_Initialize(argc, argv, &version);
    struct Zoltan_Struct *zoltan = code == ZOLTAN_OK ? Zoltan_Create(MPI_COMM_WORLD) : NULL;
    code = zoltan ? set_part_sizes(zoltan, MPI_COMM_WORLD) : ZOLTAN_FATAL;
    /* here: the query functions of the program's mesh, then Zoltan_LB_Partition() */
    Zoltan_Destroy(&zoltan);
    MPI_Finalize();
    return code == ZOLTAN_OK ? 0 : 1;
}
