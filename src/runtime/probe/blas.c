/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/probe/blas.h"
#include <stddef.h>
#ifdef HAVE_BLAS
#include <cblas.h>
#include <dlfcn.h>
#include <pthread.h>

static __typeof__(&cblas_dgemm) dgemm;

static void load(void)
{
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library)
        *(void **)&dgemm = dlsym(library, "cblas_dgemm");
}

static void multiply(int order, const double *a, const double *b, double *c)
{
    dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, order, order, order, 1, a, order, b, order, 0, c, order);
}

hs__product hs__blas_product(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return dgemm ? multiply : NULL;
}
#else
hs__product hs__blas_product(void)
{
    return NULL;
}
#endif
