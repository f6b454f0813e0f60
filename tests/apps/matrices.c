/* SPDX-License-Identifier: BSD-3-Clause */
/* The proof of a product: a correct product passes, a wrong element is found at every position, and the checksum does not
 * depend on the partition. */
#include "apps/matmul/matrices.h"
#include "tests/mpi.h"

enum { N = 50 };

static double a[N * N], b[N * N], c[N * N], mine[N * N];

static void multiply(void)
{
    int64_t all[N];
    for (int i = 0; i < N; i++)
        all[i] = i;
    matrix_part part = {N, N, N, N, all, all, 0};
    matrix_fill(&part, MATRIX_A, a);
    matrix_fill(&part, MATRIX_B, b);
    for (int j = 0; j < N; j++)
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++)
                c[i + j * N] += a[i + k * N] * b[k + j * N];
}

/* Rows (by_rows) or columns are dealt out to the ranks. */
static matrix_proof prove(int by_rows, const double *whole)
{
    int64_t all[N], some[N], count = 0;
    matrix_proof proof;
    for (int i = 0; i < N; i++) {
        all[i] = i;
        if (i % world_size() == world_rank())
            some[count++] = i;
    }
    matrix_part part = {N, by_rows ? count : N, by_rows ? N : count, N, by_rows ? some : all, by_rows ? all : some, 0};
    for (int64_t j = 0; j < part.columns; j++)
        for (int64_t i = 0; i < part.rows; i++)
            mine[i + j * N] = whole[part.row[i] + part.column[j] * N];
    REQUIRE(matrix_prove(MPI_COMM_WORLD, &part, mine, &proof) == 0);
    return proof;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    multiply();
    for (int i = 0; i < N * N; i++)
        REQUIRE(a[i] >= -1 && a[i] < 1 && a[i] != b[i]);
    matrix_proof right = prove(1, c), same = prove(0, c);
    REQUIRE(right.error <= right.tolerance && same.error <= same.tolerance);
    REQUIRE(right.error > 0 && right.error > 1e-4 * right.tolerance); /* the tolerance is no idle one */
    REQUIRE(right.checksum == same.checksum);
    for (int k = 0; k < 20; k++) {
        double *element = &c[(k * 977 + 13) % (N * N)], kept = *element;
        *element += 1e-9;
        matrix_proof wrong = prove(k % 2, c);
        REQUIRE(wrong.error > wrong.tolerance && wrong.checksum != right.checksum);
        *element = k % 2 ? NAN : INFINITY;
        wrong = prove(k % 2, c);
        REQUIRE(!(wrong.error <= wrong.tolerance));
        *element = kept;
    }
    REQUIRE(prove(1, c).checksum == right.checksum);
    MPI_Finalize();
    return 0;
}
