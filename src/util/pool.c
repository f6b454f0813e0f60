/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/pool.h"
#include "util/array.h"
#include <stdint.h>
#include <stdlib.h>

struct hs__pool_array {
    struct hs__pool_array *previous;
    _Alignas(max_align_t) char element[];
};

void *hs__pool_new(hs__pool *pool, size_t n, size_t size)
{
    struct hs__pool_array *array = NULL;
    if (n <= (SIZE_MAX - sizeof *array) / size)
        array = hs__array_new(n * size + sizeof *array, 1);
    if (!array) {
        pool->failed = 1;
        return NULL;
    }
    array->previous = pool->last;
    pool->last = array;
    return array->element;
}

hs_status hs__pool_status(const hs__pool *pool)
{
    return pool->failed ? HS_ERR_NOMEM : HS_OK;
}

hs_status hs__pool_complete(hs__pool *pool)
{
    hs_status status = hs__pool_status(pool);
    if (status != HS_OK)
        hs__pool_free(pool);
    return status;
}

void hs__pool_free(hs__pool *pool)
{
    for (struct hs__pool_array *array = pool->last, *previous; array; array = previous) {
        previous = array->previous;
        free(array);
    }
    *pool = (hs__pool){0};
}
