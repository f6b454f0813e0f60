/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_BLAS_H
#define HS_RUNTIME_PROBE_BLAS_H

/** c = a b for square row-major matrices of the given order, all different. */
typedef void (*hs__product)(int order, const double *a, const double *b, double *c);

/** OpenBLAS's product; NULL when it is not there. Loaded when it is first asked for, and for this library alone: it
 * starts threads as soon as it is in a process, and its names would stand before those of the BLAS a program brings. */
hs__product hs__blas_product(void);

#endif
