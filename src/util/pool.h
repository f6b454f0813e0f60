/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_POOL_H
#define HS_UTIL_POOL_H

#include <heteroslice/hs_status.h>
#include <stddef.h>

/** Arrays that live and end together: those of an object, or the scratch memory of a function. Starts as {0}. */
typedef struct hs__pool {
    struct hs__pool_array *last;
    int failed; /* an array could not be had */
} hs__pool;

/** Return an array of n zeroed elements of size bytes that belongs to the pool, as hs__array_new(). NULL when memory is
 * out; the pool remembers that, so that one test of hs__pool_status() follows all allocations. */
void *hs__pool_new(hs__pool *pool, size_t n, size_t size);

/** HS_OK, or HS_ERR_NOMEM when an array could not be had. */
hs_status hs__pool_status(const hs__pool *pool);

/** HS_OK, or when an array could not be had free the others and return HS_ERR_NOMEM: the end of a constructor. */
hs_status hs__pool_complete(hs__pool *pool);

/** Free all arrays; the pool is empty then. */
void hs__pool_free(hs__pool *pool);

#endif
