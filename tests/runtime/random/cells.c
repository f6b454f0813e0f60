/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/runtime/random/random.h"

enum { MOST_UNITS = 200 };

/* Units of unequal bytes in the library's arrays and in a storage of the program, and the weights of the units. The
 * contents of an iteration follow from the unit alone, whoever held it before. */
struct cells {
    hs_layout *layout;
    int number;
    int64_t *offset;
    uint16_t *entry;                 /* u % 6 of each unit */
    unsigned char *held[MOST_UNITS]; /* the storage: its cells, NULL those of other ranks */
    int64_t size[MOST_UNITS];
};

static int64_t size_at(const cells *c, int64_t u, int64_t iteration)
{
    return u % 3 == 0 ? 0 : (u * 13 + c->number + iteration * 5) % 40;
}

static uint16_t value_at(const cells *c, int64_t u, int64_t k, int64_t iteration)
{
    return (uint16_t)hs__hash_spread((uint64_t)(((c->number * 1000 + u) * 100 + k) * 1000 + iteration));
}

static hs_status bytes(void *owner, int64_t first, int64_t count, int64_t *said)
{
    const cells *c = owner;
    memcpy(said, c->size + first, (size_t)count * sizeof *said);
    return HS_OK;
}

static int64_t pack(void *owner, int64_t first, int64_t count, const int64_t *said, void *buffer)
{
    const cells *c = owner;
    unsigned char *at = buffer;
    for (int64_t u = first; u < first + count; at += said[u++ - first])
        memcpy(at, c->held[u], (size_t)said[u - first]);
    return at - (unsigned char *)buffer;
}

static int64_t unpack(void *owner, int64_t first, int64_t count, const int64_t *said, const void *buffer)
{
    cells *c = owner;
    const unsigned char *at = buffer;
    for (int64_t u = first; u < first + count; at += said[u++ - first]) {
        RIGHT(c->held[u] == NULL);
        c->size[u] = said[u - first];
        c->held[u] = malloc((size_t)c->size[u] + 1);
        RIGHT(c->held[u] != NULL);
        memcpy(c->held[u], at, (size_t)c->size[u]);
    }
    return at - (const unsigned char *)buffer;
}

static void drop(void *owner, int64_t first, int64_t count)
{
    cells *c = owner;
    for (int64_t u = first; u < first + count; u++) {
        free(c->held[u]);
        c->held[u] = NULL;
    }
}

static void fill(cells *c, int64_t iteration)
{
    hs_slice slice = hs_layout_slice(c->layout);
    for (int64_t u = slice.first, i = 0; i < slice.count; u++, i++) {
        c->size[u] = size_at(c, u, iteration);
        c->held[u] = realloc(c->held[u], (size_t)c->size[u] + 1);
        RIGHT(c->held[u] != NULL);
        for (int64_t b = 0; b < c->size[u]; b++)
            c->held[u][b] = (unsigned char)value_at(c, u, b, iteration);
        for (int64_t k = c->offset[i]; k < c->offset[i + 1]; k++)
            c->entry[k] = value_at(c, u, k - c->offset[i], iteration);
    }
}

cells *cells_new(hs_layout *layout, int number, int64_t iteration)
{
    cells *c = calloc(1, sizeof *c);
    int64_t length[MOST_UNITS];
    RIGHT(c != NULL);
    c->layout = layout;
    c->number = number;
    hs_slice slice = hs_layout_slice(layout);
    for (int64_t i = 0; i < slice.count; i++)
        length[i] = (slice.first + i) % 6;
    RIGHT(hs_layout_add_offsets(layout, length, &c->offset) == HS_OK);
    RIGHT(hs_layout_add_ragged(layout, sizeof *c->entry, &c->offset, (void **)&c->entry) == HS_OK);
    fill(c, iteration);
    const hs_storage storage = {.owner = c, .bytes = bytes, .pack = pack, .unpack = unpack, .remove = drop};
    RIGHT(hs_layout_add_storage(layout, &storage) == HS_OK);
    return c;
}

void cells_check(const cells *c, int64_t iteration)
{
    hs_slice slice = hs_layout_slice(c->layout);
    int64_t wrong = 0, held = 0;
    for (int64_t u = 0; u < MOST_UNITS; u++)
        held += c->held[u] != NULL;
    for (int64_t u = slice.first, i = 0; i < slice.count; u++, i++) {
        RIGHT(c->held[u] && c->size[u] == size_at(c, u, iteration) && c->offset[i + 1] - c->offset[i] == u % 6);
        for (int64_t b = 0; b < c->size[u]; b++)
            wrong += c->held[u][b] != (unsigned char)value_at(c, u, b, iteration);
        for (int64_t k = c->offset[i]; k < c->offset[i + 1]; k++)
            wrong += c->entry[k] != value_at(c, u, k - c->offset[i], iteration);
    }
    RIGHT(held == slice.count && wrong == 0);
}

void cells_step(cells *c, int64_t iteration)
{
    cells_check(c, iteration - 1);
    fill(c, iteration);
}

void cells_weigh(hs_layout *layout, int64_t round)
{
    double weight[MOST_UNITS];
    hs_slice slice = hs_layout_slice(layout);
    for (int64_t i = 0; i < slice.count; i++)
        weight[i] = (double)((slice.first + i) * 7 % (3 + round % 5));
    RIGHT(hs_layout_weights(layout, weight) == HS_OK);
}

void cells_free(cells *c)
{
    RIGHT(c->offset == NULL && c->entry == NULL);
    drop(c, 0, MOST_UNITS);
    free(c);
}
