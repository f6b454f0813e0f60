/* SPDX-License-Identifier: BSD-3-Clause */
/* An unmodified program with equal parts: halo stencil ROWS COLUMNS ITERATIONS, a Jacobi sweep of a fixed grid divided
 * into equal slices of rows; halo grid BYTES ITERATIONS, messages of BYTES to the four neighbours of a two-dimensional
 * MPI_Cart_create(reorder = 1), without computing. Rank 0 prints seconds an iteration and a checksum that does not
 * depend on the placement of ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sweep(const double *restrict old, double *restrict new, int rows, int columns)
{
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j < columns - 1; j++) {
            const double *c = old + (size_t)i * (size_t)columns + j;
            new[(size_t)i * (size_t)columns + (size_t)j] = 0.25 * (c[-1] + c[1] + c[-columns] + c[columns]);
        }
}

static double stencil(int all_rows, int columns, int iterations)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = all_rows / size + (rank < all_rows % size), up = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    size_t cells = (size_t)(rows + 2) * (size_t)columns;
    double *old = calloc(cells, sizeof *old), *new = calloc(cells, sizeof *new), sum = 0, total;
    if (rank == 0)
        for (int j = 0; j < columns; j++)
            old[j] = new[j] = 1;
    for (int k = 0; k < iterations; k++) {
        MPI_Request request[4];
        double *last = old + (size_t)rows * (size_t)columns;
        MPI_Irecv(old, columns, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(last + columns, columns, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Isend(old + columns, columns, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &request[2]);
        MPI_Isend(last, columns, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &request[3]);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        sweep(old, new, rows, columns);
        double *swap = old;
        old = new;
        new = swap;
    }
    for (size_t c = (size_t)columns; c < cells - (size_t)columns; c++)
        sum += (double)(long long)(old[c] * 1e9); /* whole numbers: the same sum in every order */
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    free(old);
    free(new);
    return total;
}

static double grid(int bytes, int iterations)
{
    int size, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, to[4];
    MPI_Comm cart;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart);
    MPI_Comm_rank(cart, &rank);
    for (int d = 0; d < 2; d++)
        MPI_Cart_shift(cart, d, 1, &to[2 * d], &to[2 * d + 1]);
    char *out = calloc(4, (size_t)bytes), *in = calloc(4, (size_t)bytes);
    double sum = 0, total;
    for (int k = 0; k < iterations; k++) {
        MPI_Request request[8];
        for (int d = 0; d < 4; d++) {
            size_t at = (size_t)d * (size_t)bytes;
            memset(out + at, rank + k, (size_t)bytes);
            MPI_Irecv(in + at, bytes, MPI_BYTE, to[d], d ^ 1, cart, &request[d]);
            MPI_Isend(out + at, bytes, MPI_BYTE, to[d], d, cart, &request[4 + d]);
        }
        MPI_Waitall(8, request, MPI_STATUSES_IGNORE);
        for (int d = 0; d < 4; d++)
            if (to[d] != MPI_PROC_NULL)
                sum += (unsigned char)in[(size_t)d * (size_t)bytes] + d * rank;
    }
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, cart);
    MPI_Bcast(&total, 1, MPI_DOUBLE, 0, cart);
    MPI_Comm_free(&cart);
    free(out);
    free(in);
    return total;
}

int main(int argc, char **argv)
{
    int rank, is_grid = argc > 1 && strcmp(argv[1], "grid") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < (is_grid ? 4 : 5))
        MPI_Abort(MPI_COMM_WORLD, 2);
    int iterations = atoi(argv[is_grid ? 3 : 4]);
    double checksum = is_grid ? grid(atoi(argv[2]), 1) : stencil(atoi(argv[2]), atoi(argv[3]), 2);
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime();
    checksum = is_grid ? grid(atoi(argv[2]), iterations) : stencil(atoi(argv[2]), atoi(argv[3]), iterations);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f,%.0f\n", (MPI_Wtime() - begun) / iterations, checksum);
    MPI_Finalize();
    return 0;
}
