/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/kernels.h"
#include "runtime/probe/blas.h"
#include "util/array.h"
#include "util/clock.h"
#include <stdlib.h>
#include <string.h>

/* The stencil's two grids take 140 KB, at home in a second-level cache; the sweep is then bound by arithmetic and not
 * by memory. A product of 64 x 64 is the largest that OpenBLAS never spreads over threads. The stream's arrays take 4
 * MB each, so that the ranks of a host together exceed its last-level cache; a batch is a piece of them. */
enum {
    ROWS = 32,
    COLUMNS = 256,
    PITCH = COLUMNS + 2,
    SWEEPS = 8,
    ORDER = 64,
    PRODUCTS = 4,
    LENGTH = 1 << 19,
    PIECE = 1 << 15
};

/* Batches whose time is kept, and the part of them, one in QUANTILE, that may be faster than the speed reported. */
enum { KEPT = 1 << 14, QUANTILE = 100 };

struct hs__kernel {
    hs_probe_kernel kind;
    double *block;     /* owned */
    double *a, *b, *c; /* parts of `block`; the stencil swaps a and b */
    float took[KEPT];  /* CPU seconds of the last batches, in a ring */
    int batches;       /* timed so far */
    double work;       /* flop of a batch */
    size_t next;       /* stream: where the next piece begins */
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

/* Elements of each of the three arrays. */
static size_t length_of(hs_probe_kernel kernel)
{
    static const size_t length[HS_PROBE_KERNELS] = {(ROWS + 2) * PITCH, ORDER * ORDER, LENGTH};
    return length[kernel];
}

hs__kernel *hs__kernel_create(hs_probe_kernel kind)
{
    hs__kernel *kernel = hs__kernel_exists(kind) ? hs__array_new(1, sizeof *kernel) : NULL;
    if (!kernel)
        return NULL;
    size_t length = length_of(kind);
    kernel->kind = kind;
    kernel->a = kernel->block = hs__array_new(3 * length, sizeof *kernel->block);
    if (!kernel->block) {
        free(kernel);
        return NULL;
    }
    kernel->b = kernel->a + length;
    kernel->c = kernel->b + length;
    /* Constant data that every batch maps to a constant: no number ever gets too small or too large. */
    for (size_t i = 0; i < 3 * length; i++)
        kernel->block[i] = kind == HS_PROBE_DGEMM ? 1.0 / ORDER : 1;
    return kernel;
}

void hs__kernel_free(hs__kernel *kernel)
{
    if (!kernel)
        return;
    free(kernel->block);
    free(kernel);
}

static void sweep(double *restrict to, const double *restrict from)
{
    for (int i = 1; i <= ROWS; i++) {
        const double *above = from + (size_t)(i - 1) * PITCH, *row = above + PITCH, *below = row + PITCH;
        for (int j = 1; j <= COLUMNS; j++)
            to[(size_t)i * PITCH + (size_t)j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
    }
}

static double run_stencil(hs__kernel *kernel)
{
    for (int k = 0; k < SWEEPS; k++) {
        double *from = kernel->a;
        sweep(kernel->b, from);
        kernel->a = kernel->b;
        kernel->b = from;
    }
    return 4.0 * SWEEPS * ROWS * COLUMNS;
}

static double run_dgemm(hs__kernel *kernel)
{
    hs__product multiply = hs__blas_product();
    for (int k = 0; k < PRODUCTS; k++)
        multiply(ORDER, kernel->b, kernel->c, kernel->a);
    return 2.0 * PRODUCTS * ORDER * ORDER * ORDER;
}

static double run_stream(hs__kernel *kernel)
{
    double *restrict a = kernel->a + kernel->next;
    const double *restrict b = kernel->b + kernel->next, *restrict c = kernel->c + kernel->next;
    for (size_t i = 0; i < PIECE; i++)
        a[i] = b[i] + 0.5 * c[i];
    kernel->next = (kernel->next + PIECE) % LENGTH;
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
