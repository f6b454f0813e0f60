/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells on their way between ranks: what hs_layout_add_storage() asks of a program. */
#include "particles.h"
#include <stdlib.h>
#include <string.h>

static hs_status bytes(void *owner, int64_t first, int64_t count, int64_t *said)
{
    const domain *d = owner;
    for (int64_t i = 0; i < count; i++)
        said[i] = d->cell[first + i].count * (int64_t)sizeof(particle);
    return HS_OK;
}

static int64_t pack(void *owner, int64_t first, int64_t count, const int64_t *said, void *buffer)
{
    const domain *d = owner;
    char *at = buffer;
    for (int64_t i = 0; i < count; at += said[i++])
        if (said[i] > 0)
            memcpy(at, d->cell[first + i].particle, (size_t)said[i]);
    return at - (char *)buffer;
}

static int64_t unpack(void *owner, int64_t first, int64_t count, const int64_t *said, const void *buffer)
{
    domain *d = owner;
    const char *at = buffer;
    for (int64_t i = 0; i < count; at += said[i++]) {
        bag *b = &d->cell[first + i];
        b->particle = malloc((size_t)said[i] + 1);
        if (!b->particle)
            return HS_ERR_NOMEM; /* the library has the range removed */
        memcpy(b->particle, at, (size_t)said[i]);
        b->count = b->capacity = said[i] / (int64_t)sizeof(particle);
    }
    return at - (const char *)buffer;
}

static void drop(void *owner, int64_t first, int64_t count)
{
    domain *d = owner;
    for (int64_t c = first; c < first + count; c++) {
        free(d->cell[c].particle);
        free(d->next[c].particle);
        d->cell[c] = d->next[c] = (bag){NULL, 0, 0};
    }
}

hs_storage domain_storage(domain *d)
{
    return (hs_storage){.owner = d, .bytes = bytes, .pack = pack, .unpack = unpack, .remove = drop};
}
