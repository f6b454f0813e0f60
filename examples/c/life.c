/* SPDX-License-Identifier: BSD-3-Clause */
/* The game of life on a torus: rows are the units that move between ranks. A glider must be back after 4 * SIZE generations; where
 * SIZE is below 5 it meets itself.
 *
 *     mpicc life.c $(pkg-config --cflags --libs heteroslice) -o life
 *     hs run -n 4 -- ./life 400
 */
#include <heteroslice/hs_runtime.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned char cell;

/* The library has said what is wrong. */
static hs_status require(hs_status status)
{
    if (status < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return status;
}

/* The glider at the beginning, in row r of the torus. */
static cell glider(int64_t r, int64_t column)
{
    static const char *const shape[] = {".#.", "..#", "###"};
    return r < 3 && column < 3 && shape[r][column] == '#';
}

static void generation(const cell *old, cell *new, int64_t rows, int64_t size)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < size; c++) {
            int64_t left = (c + size - 1) % size, right = (c + 1) % size;
            const cell *above = old + (r - 1) * size, *here = old + r * size, *below = old + (r + 1) * size;
            int around = above[left] + above[c] + above[right] + here[left] + here[right] + below[left] + below[c] + below[right];
            new[r * size + c] = around == 3 || (here[c] && around == 2);
        }
}

/* The rows of neighbours that border on this rank's slice, before and behind it. */
static void exchange(cell *grid, hs_slice slice, int64_t size, MPI_Comm comm)
{
    cell *end = grid + slice.count * size;
    MPI_Sendrecv(grid, (int)size, MPI_BYTE, slice.prev, 0, end, (int)size, MPI_BYTE, slice.next, 0, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(end - size, (int)size, MPI_BYTE, slice.next, 1, grid - size, (int)size, MPI_BYTE, slice.prev, 1, comm,
                 MPI_STATUS_IGNORE);
}

static int live(hs_context *context, int64_t size)
{
    hs_layout *layout;
    cell *old, *new;
    require(hs_layout_create(context, size, 1, HS_PERIODIC, &layout));
    require(hs_layout_add_array(layout, size, 1, (void **)&old));
    require(hs_layout_add_array(layout, size, 1, (void **)&new));
    hs_slice slice = hs_layout_slice(layout);
    for (int64_t i = 0; i < slice.count * size; i++)
        old[i] = glider(slice.first + i / size, i % size);
    for (int64_t k = 0; k < 4 * size; k++) {
        exchange(old, slice, size, hs_comm(context));
        generation(old, new, slice.count, size);
        cell *swap = old;
        old = new;
        new = swap;
        if (require(hs_balance(layout)) == HS_OK)
            slice = hs_layout_slice(layout);
    }
    int wrong = 0;
    for (int64_t i = 0; i < slice.count * size; i++)
        wrong |= old[i] != glider(slice.first + i / size, i % size);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, hs_comm(context));
    return wrong;
}

int main(int argc, char **argv)
{
    int rank;
    hs_context *context;
    MPI_Init(&argc, &argv);
    int64_t size = argc == 2 ? strtoll(argv[1], NULL, 10) : 0;
    if (size < 5) {
        fputs("usage: life SIZE (at least 5)\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    require(hs_init(MPI_COMM_WORLD, NULL, &context, NULL));
    int wrong = live(context, size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        puts(wrong ? "the glider is lost" : "the glider is back");
    hs_finalize(&context);
    MPI_Finalize();
    return wrong;
}
