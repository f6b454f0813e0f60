/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "matrices.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of independent random vectors in the proof. */
enum { VECTORS = 8 };

static uint64_t mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

static double entry(const matrix_part *part, matrix_name name, int64_t i, int64_t j)
{
    int64_t used = part->n - part->padding;
    if (i >= used || j >= used)
        return 0;
    uint64_t bits = mix((uint64_t)(i * used + j) * 2 + (uint64_t)name + 0x9e3779b97f4a7c15u);
    return (double)(int64_t)(bits >> 11) * 0x1p-52 - 1;
}

void matrix_fill(const matrix_part *part, matrix_name name, double *data)
{
    for (int64_t j = 0; j < part->columns; j++)
        for (int64_t i = 0; i < part->rows; i++)
            data[i + j * part->ld] = entry(part, name, part->row[i], part->column[j]);
}

/* Component j of the VECTORS random vectors of signs. */
static void signs(int64_t j, double *x)
{
    uint64_t bits = mix((uint64_t)j * 0xd1342543de82ef95u + 1);
    for (int v = 0; v < VECTORS; v++)
        x[v] = bits >> v & 1 ? 1 : -1;
}

static void add(double *out, double factor, const double *in)
{
    for (int v = 0; v < VECTORS; v++)
        out[v] += factor * in[v];
}

/* y = B x, the contribution of this rank. */
static void times_signs(const matrix_part *part, double *y)
{
    double x[VECTORS];
    for (int64_t j = 0; j < part->columns; j++) {
        signs(part->column[j], x);
        for (int64_t i = 0; i < part->rows; i++)
            add(y + part->row[i] * VECTORS, entry(part, MATRIX_B, part->row[i], part->column[j]), x);
    }
}

/* d = C x - A y, the contribution of this rank. */
static void difference(const matrix_part *part, const double *c, const double *y, double *d)
{
    double x[VECTORS];
    for (int64_t j = 0; j < part->columns; j++) {
        signs(part->column[j], x);
        for (int64_t i = 0; i < part->rows; i++) {
            double *out = d + part->row[i] * VECTORS;
            add(out, c[i + j * part->ld], x);
            add(out, -entry(part, MATRIX_A, part->row[i], part->column[j]), y + part->column[j] * VECTORS);
        }
    }
}

static uint64_t hash(const matrix_part *part, const double *c)
{
    uint64_t sum = 0, bits;
    for (int64_t j = 0; j < part->columns; j++)
        for (int64_t i = 0; i < part->rows; i++) {
            memcpy(&bits, &c[i + j * part->ld], sizeof bits);
            sum += mix(bits ^ mix((uint64_t)(part->row[i] * part->n + part->column[j])));
        }
    return sum;
}

int matrix_prove(MPI_Comm comm, const matrix_part *part, const double *c, matrix_proof *proof)
{
    int64_t n = part->n, count = n * VECTORS;
    double *y = calloc((size_t)count, sizeof *y), *d = calloc((size_t)count, sizeof *d);
    int good = y && d;
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, comm);
    if (good) {
        times_signs(part, y);
        MPI_Allreduce(MPI_IN_PLACE, y, (int)count, MPI_DOUBLE, MPI_SUM, comm);
        difference(part, c, y, d);
        MPI_Allreduce(MPI_IN_PLACE, d, (int)count, MPI_DOUBLE, MPI_SUM, comm);
        *proof = (matrix_proof){.tolerance = 4 * DBL_EPSILON * (double)n * sqrt((double)n)};
        for (int64_t i = 0; i < count; i++) {
            double off = isnan(d[i]) ? INFINITY : fabs(d[i]);
            proof->error = fmax(proof->error, off);
        }
        uint64_t mine = hash(part, c);
        MPI_Allreduce(&mine, &proof->checksum, 1, MPI_UINT64_T, MPI_SUM, comm);
    }
    free(y);
    free(d);
    return good ? 0 : -1;
}
