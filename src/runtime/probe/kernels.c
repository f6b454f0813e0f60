/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/kernels.h"
#include "runtime/probe/blas.h"
#include "util/array.h"
#include "util/clock.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* By itself a kernel stays where its name says. The stencil's two grids take 140 KB, at home in a second-level cache; the
 * sweep is then bound by arithmetic and not by memory. A product of 64 x 64 is the largest that OpenBLAS never spreads
 * over threads. The stream's arrays take 4 MB each, so that the ranks of a host together exceed its last-level cache.
 * With more data a batch is as long, and goes on where the last one ended. */
enum {
    ROWS = 32,
    COLUMNS = 256,
    PITCH = COLUMNS + 2,
    BATCH_ROWS = 8 * ROWS,
    ORDER = 64,
    SQUARE = ORDER * ORDER,
    PRODUCTS = 4,
    LENGTH = 1 << 19,
    PIECE = 1 << 15
};

/* Batches whose time is kept, and the part of them, one in QUANTILE, that may be faster than the speed reported. */
enum { KEPT = 1 << 14, QUANTILE = 100 };

struct hs__kernel {
    hs_probe_kernel kind;
    double *block;     /* owned */
    double *a, *b, *c; /* parts of `block`; the stencil swaps a and b, and has no c */
    size_t filled;     /* elements of each of them */
    size_t length;     /* of these, in use */
    size_t count;      /* rows, blocks on a side of the matrix, elements */
    size_t next;       /* row, product or element that the next batch begins with */
    float took[KEPT];  /* CPU seconds of the last batches, in a ring */
    int batches;       /* timed so far */
    double work;       /* flop of a batch */
};

const char *hs_probe_kernel_name(hs_probe_kernel kernel)
{
    static const char *const names[HS_PROBE_KERNELS] = {"stencil", "dgemm", "stream"};
    return (unsigned)kernel < HS_PROBE_KERNELS ? names[kernel] : NULL;
}

int hs__kernel_exists(hs_probe_kernel kernel)
{
    return (unsigned)kernel < HS_PROBE_KERNELS && (kernel != HS_PROBE_DGEMM || hs__blas_product());
}

static const size_t arrays[HS_PROBE_KERNELS] = {2, 3, 3};

/* Elements of each array of a kernel by itself. */
static const size_t own_length[HS_PROBE_KERNELS] = {(ROWS + 2) * PITCH, SQUARE, LENGTH};

/* Set arrays of this length for so many seconds, all at the same pace: memory is taken as it is written. Constant data
 * that every batch maps to a constant: no number ever gets too small or too large. @return the length reached */
static size_t fill(hs__kernel *kernel, size_t length, double seconds)
{
    double value = kernel->kind == HS_PROBE_DGEMM ? 1.0 / ORDER : 1, end = hs__clock_wall() + seconds;
    size_t done = 0;
    while (done < length && (done == 0 || hs__clock_wall() < end)) {
        size_t to = length - done < PIECE ? length : done + PIECE;
        for (size_t k = 0; k < arrays[kernel->kind]; k++)
            for (size_t i = done; i < to; i++)
                kernel->block[k * length + i] = value;
        done = to;
    }
    return done;
}

/* Whether arrays of so many elements are enough to compute with; then that is what the kernel does. */
static int use(hs__kernel *kernel, size_t length)
{
    size_t count = length;
    if (kernel->kind == HS_PROBE_STENCIL)
        count = length / PITCH > 2 ? length / PITCH - 2 : 0;
    else if (kernel->kind == HS_PROBE_DGEMM)
        count = (size_t)sqrt((double)(length / SQUARE));
    if (count == 0)
        return 0;
    kernel->count = count;
    kernel->next = 0;
    kernel->length = kernel->kind == HS_PROBE_STENCIL ? (count + 2) * PITCH
                     : kernel->kind == HS_PROBE_DGEMM ? count * count * SQUARE
                                                      : count;
    return 1;
}

static hs__kernel *create(hs_probe_kernel kind, size_t length, double seconds)
{
    hs__kernel *kernel = hs__array_new(1, sizeof *kernel);
    if (!kernel)
        return NULL;
    kernel->kind = kind;
    kernel->block = hs__array_new(arrays[kind] * length, sizeof *kernel->block);
    kernel->filled = kernel->block ? fill(kernel, length, seconds) : 0;
    if (!use(kernel, kernel->filled)) {
        hs__kernel_free(kernel);
        return NULL;
    }
    kernel->a = kernel->block;
    kernel->b = kernel->a + length;
    kernel->c = kernel->b + (arrays[kind] > 2 ? length : 0);
    return kernel;
}

/* Elements of each array. */
static size_t length_of(hs_probe_kernel kind, double bytes)
{
    return (size_t)(fmin(bytes, (double)(SIZE_MAX / 4)) / (double)(arrays[kind] * sizeof(double)));
}

hs__kernel *hs__kernel_create(hs_probe_kernel kind)
{
    return hs__kernel_exists(kind) ? create(kind, own_length[kind], INFINITY) : NULL;
}

hs__kernel *hs__kernel_create_sized(hs_probe_kernel kind, double bytes, double seconds)
{
    return hs__kernel_exists(kind) ? create(kind, length_of(kind, bytes), seconds) : NULL;
}

int hs__kernel_resize(hs__kernel *kernel, double bytes)
{
    size_t length = length_of(kernel->kind, bytes);
    return length <= kernel->filled && use(kernel, length);
}

double hs__kernel_bytes(const hs__kernel *kernel)
{
    return (double)(arrays[kernel->kind] * kernel->length * sizeof(double));
}

void hs__kernel_free(hs__kernel *kernel)
{
    if (!kernel)
        return;
    free(kernel->block);
    free(kernel);
}

/* Rows from `first` on, without the border. */
static void sweep(double *restrict to, const double *restrict from, size_t first, size_t rows)
{
    for (size_t i = first + 1; i <= first + rows; i++) {
        const double *above = from + (i - 1) * PITCH, *row = above + PITCH, *below = row + PITCH;
        for (size_t j = 1; j <= COLUMNS; j++)
            to[i * PITCH + j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
    }
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static double run_stencil(hs__kernel *kernel)
{
    for (size_t left = BATCH_ROWS, rows; left > 0; left -= rows) {
        double *from = kernel->a;
        rows = least(left, kernel->count - kernel->next);
        sweep(kernel->b, from, kernel->next, rows);
        kernel->next = (kernel->next + rows) % kernel->count;
        if (kernel->next > 0)
            continue;
        kernel->a = kernel->b;
        kernel->b = from;
    }
    return 4.0 * BATCH_ROWS * COLUMNS;
}

/* The product of two matrices of n x n blocks, k fastest: block (i, j) is what is computed last from (i, k) and (k, j). */
static double run_dgemm(hs__kernel *kernel)
{
    const size_t n = kernel->count;
    hs__product multiply = hs__blas_product();
    for (int p = 0; p < PRODUCTS; p++) {
        size_t i = kernel->next / (n * n), j = kernel->next / n % n, k = kernel->next % n;
        multiply(ORDER, kernel->b + (i * n + k) * SQUARE, kernel->c + (k * n + j) * SQUARE,
                 kernel->a + (i * n + j) * SQUARE);
        kernel->next = (kernel->next + 1) % (n * n * n);
    }
    return 2.0 * PRODUCTS * ORDER * ORDER * ORDER;
}

static double run_stream(hs__kernel *kernel)
{
    for (size_t left = PIECE, n; left > 0; left -= n) {
        double *restrict a = kernel->a + kernel->next;
        const double *restrict b = kernel->b + kernel->next, *restrict c = kernel->c + kernel->next;
        n = least(left, kernel->count - kernel->next);
        for (size_t i = 0; i < n; i++)
            a[i] = b[i] + 0.5 * c[i];
        kernel->next = (kernel->next + n) % kernel->count;
    }
    return 2.0 * PIECE;
}

double hs__kernel_run(hs__kernel *kernel)
{
    switch (kernel->kind) {
    case HS_PROBE_STENCIL:
        return run_stencil(kernel);
    case HS_PROBE_DGEMM:
        return run_dgemm(kernel);
    default:
        return run_stream(kernel);
    }
}

static int compare(const void *a, const void *b)
{
    float x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

void hs__kernel_time(hs__kernel *kernel, hs__kernel_history history, double seconds, hs__line *share)
{
    if (history == HS__KERNEL_ANEW)
        kernel->batches = 0;
    kernel->work = hs__kernel_run(kernel);
    int end = kernel->batches + 2;
    double cpu = hs__clock_cpu(), begin = hs__clock_wall(), now, before;
    do {
        hs__kernel_run(kernel);
        before = cpu;
        cpu = hs__clock_cpu();
        now = hs__clock_wall();
        kernel->took[kernel->batches++ % KEPT] = (float)(cpu - before);
        hs__line_add(share, now, cpu);
    } while (now - begin < seconds || kernel->batches < end);
}

double hs__kernel_speed(hs__kernel *kernel)
{
    int kept = kernel->batches < KEPT ? kernel->batches : KEPT;
    if (kept == 0)
        return 0;
    qsort(kernel->took, (size_t)kept, sizeof *kernel->took, compare);
    double took = (double)kernel->took[kept / QUANTILE];
    return took > 0 ? kernel->work / took : 0;
}

double hs__kernel_mean_speed(const hs__kernel *kernel)
{
    int kept = kernel->batches < KEPT ? kernel->batches : KEPT;
    double took = 0;
    for (int i = 0; i < kept; i++)
        took += (double)kernel->took[i];
    return took > 0 ? kept * kernel->work / took : 0;
}
