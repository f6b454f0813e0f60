/* SPDX-License-Identifier: BSD-3-Clause */
/* Units in containers of the program, moved beside arrays of every kind: forced moves in random order; each callback fails
 * or misstates on each rank at each of its calls, and memory runs out, with every unit where it was. */
#include "tests/runtime/slices/slices.h"

enum { UNITS = 70, STORAGES = 2, MOVES = 30 };

/* What a callback does instead of its duty, once. */
typedef enum fault_kind {
    NO_FAULT,
    FAILS,
    FAILS_HALFWAY,
    RETURNS_NONSENSE,
    RETURNS_LEAST, /* of which an int has nothing left */
    TOO_FEW,
    TOO_MANY,
    OVERRUNS,
    FAULTS
} fault_kind;
typedef enum call_kind { BYTES, PACK, UNPACK, CALLBACKS } call_kind;

/* The cells of one storage; those that this rank does not hold are NULL. */
typedef struct bag {
    int number;
    unsigned char *cell[UNITS];
    int64_t size[UNITS], said[UNITS]; /* what it has, and what the library was told */
} bag;

typedef struct things {
    hs_layout *layout;
    bag bags[STORAGES];
    int round;               /* cells grow and shrink from one round to the next */
    double *x;               /* with a halo */
    int64_t *offset, *entry; /* u % 5 entries a unit */
} things;

/* The one fault that is to come, on this rank: the nth call of a callback, of both storages together. */
static struct {
    fault_kind fault;
    call_kind callback;
    int left;
    char storage[32], units[64]; /* what the message names, once it has come */
} coming;

static fault_kind is_due(call_kind callback, const bag *g, int64_t first, int64_t count)
{
    if (coming.fault == NO_FAULT || coming.callback != callback || coming.left-- != 0)
        return NO_FAULT;
    snprintf(coming.storage, sizeof coming.storage, "storage %d: ", g->number);
    snprintf(coming.units, sizeof coming.units, " units %lld to %lld ", (long long)first,
             (long long)(first + count - 1));
    return coming.fault;
}

static int64_t size_of(int number, int64_t u, int round)
{
    return u == UNITS / 3 ? 5000 : u % 4 == 0 ? 0 : 1 + (u * (7 + number) + round * 11) % 90;
}

static unsigned char byte_of(int number, int64_t u, int64_t b)
{
    return (unsigned char)(u * 131 + b * 7 + number * 53 + 11);
}

static void fill_cell(bag *g, int64_t u, int round)
{
    g->size[u] = size_of(g->number, u, round);
    g->cell[u] = realloc(g->cell[u], (size_t)g->size[u] + 1);
    for (int64_t b = 0; b < g->size[u]; b++)
        g->cell[u][b] = byte_of(g->number, u, b);
}

/* ---- Callbacks ---- */

static hs_status bag_bytes(void *owner, int64_t first, int64_t count, int64_t *bytes)
{
    bag *g = owner;
    fault_kind due = is_due(BYTES, g, first, count);
    REQUIRE(count > 0);
    for (int64_t i = 0; i < count; i++) {
        REQUIRE(g->cell[first + i] != NULL);
        bytes[i] = g->size[first + i];
    }
    if (due == RETURNS_NONSENSE || due == RETURNS_LEAST)
        bytes[count / 2] = due == RETURNS_LEAST ? INT64_MIN : -7;
    if (due == TOO_FEW)
        bytes[0] += 8; /* pack writes less: where the unit leaves */
    if (due == TOO_MANY || due == OVERRUNS)
        for (int64_t i = 0; i < count; i++)
            bytes[i] -= bytes[i] > 0;
    memcpy(g->said + first, bytes, (size_t)count * sizeof *bytes);
    return due == FAILS || due == FAILS_HALFWAY ? HS_ERR_IO : HS_OK;
}

static int64_t bag_pack(void *owner, int64_t first, int64_t count, const int64_t *bytes, void *buffer)
{
    const bag *g = owner;
    fault_kind due = is_due(PACK, g, first, count);
    char *at = buffer;
    REQUIRE(count > 0);
    REQUIRE(memcmp(bytes, g->said + first, (size_t)count * sizeof *bytes) == 0);
    if (due == FAILS)
        return HS_ERR_IO;
    for (int64_t u = first; u < first + count; u++) {
        REQUIRE(g->cell[u] != NULL);
        memcpy(at, g->cell[u], (size_t)g->size[u]);
        at += g->size[u];
    }
    int64_t written = at - (char *)buffer;
    if (due == OVERRUNS)
        at[0] = 'x';
    return due == FAILS_HALFWAY      ? HS_ERR_IO
           : due == RETURNS_NONSENSE ? INT64_MAX
           : due == RETURNS_LEAST    ? INT64_MIN
           : due == TOO_FEW          ? written - 1
           : due == TOO_MANY         ? written + 1
                                     : written;
}

static int64_t bag_unpack(void *owner, int64_t first, int64_t count, const int64_t *bytes, const void *buffer)
{
    bag *g = owner;
    fault_kind due = is_due(UNPACK, g, first, count);
    const char *at = buffer;
    REQUIRE(count > 0);
    int64_t end = due == FAILS ? first : due == FAILS_HALFWAY ? first + count / 2 : first + count;
    for (int64_t u = first; u < end; at += bytes[u++ - first]) {
        REQUIRE(g->cell[u] == NULL);
        g->size[u] = bytes[u - first];
        g->cell[u] = malloc((size_t)g->size[u] + 1);
        memcpy(g->cell[u], at, (size_t)g->size[u]);
    }
    int64_t read = at - (const char *)buffer;
    return end < first + count || due == FAILS_HALFWAY || due == FAILS ? HS_ERR_IO
           : due == RETURNS_NONSENSE || due == OVERRUNS                ? INT64_MAX
           : due == RETURNS_LEAST                                      ? INT64_MIN
           : due == TOO_FEW                                            ? read - 1
           : due == TOO_MANY                                           ? read + 1
                                                                       : read;
}

static void bag_remove(void *owner, int64_t first, int64_t count)
{
    bag *g = owner;
    REQUIRE(count > 0);
    for (int64_t u = first; u < first + count; u++) {
        free(g->cell[u]);
        g->cell[u] = NULL;
    }
}

/* ---- A layout of everything ---- */

static hs_storage storage_of(bag *g)
{
    return (hs_storage){.owner = g, .bytes = bag_bytes, .pack = bag_pack, .unpack = bag_unpack, .remove = bag_remove};
}

static void check_arrays(const things *t, hs_slice slice)
{
    int64_t halo = slice.count > 0;
    for (int64_t i = -halo; i < slice.count + halo; i++)
        REQUIRE(t->x[i] == (double)((slice.first + i + UNITS) % UNITS));
    for (int64_t i = 0; i < slice.count; i++) {
        REQUIRE(t->offset[i + 1] - t->offset[i] == (slice.first + i) % 5);
        for (int64_t k = t->offset[i]; k < t->offset[i + 1]; k++)
            REQUIRE(t->entry[k] == (slice.first + i) * 10 + k - t->offset[i]);
    }
}

/* Just the units of the slice are there, with the contents that they always had. */
static void check(const things *t)
{
    hs_slice slice = hs_layout_slice(t->layout);
    for (int n = 0; n < STORAGES; n++)
        for (int64_t u = 0; u < UNITS; u++) {
            const bag *g = &t->bags[n];
            int held = u >= slice.first && u < slice.first + slice.count;
            REQUIRE(held == (g->cell[u] != NULL));
            REQUIRE(!held || g->size[u] == size_of(n, u, t->round));
            for (int64_t b = 0; held && b < g->size[u]; b++)
                REQUIRE(g->cell[u][b] == byte_of(n, u, b));
        }
    check_arrays(t, slice);
}

static void next_round(things *t)
{
    hs_slice slice = hs_layout_slice(t->layout);
    t->round++;
    for (int n = 0; n < STORAGES; n++)
        for (int64_t i = 0; i < slice.count; i++)
            fill_cell(&t->bags[n], slice.first + i, t->round);
}

static void make(hs_context *context, things *t)
{
    int64_t entries[UNITS];
    *t = (things){0};
    REQUIRE(hs_layout_create(context, UNITS, 1, HS_PERIODIC, &t->layout) == HS_OK);
    hs_slice slice = hs_layout_slice(t->layout);
    for (int64_t i = 0; i < slice.count; i++)
        entries[i] = (slice.first + i) % 5;
    for (int n = 0; n < STORAGES; n++)
        t->bags[n].number = n;
    next_round(t);
    for (int n = 0; n < STORAGES; n++) {
        hs_storage storage = storage_of(&t->bags[n]);
        REQUIRE(hs_layout_add_storage(t->layout, &storage) == HS_OK);
        if (n == 0)
            REQUIRE(hs_layout_add_array(t->layout, sizeof *t->x, 1, (void **)&t->x) == HS_OK);
    }
    REQUIRE(hs_layout_add_offsets(t->layout, entries, &t->offset) == HS_OK);
    REQUIRE(hs_layout_add_ragged(t->layout, sizeof *t->entry, &t->offset, (void **)&t->entry) == HS_OK);
    for (int64_t i = -1; i <= slice.count && slice.count > 0; i++)
        t->x[i] = (double)((slice.first + i + UNITS) % UNITS);
    for (int64_t i = 0; i < slice.count; i++)
        for (int64_t k = t->offset[i]; k < t->offset[i + 1]; k++)
            t->entry[k] = (slice.first + i) * 10 + k - t->offset[i];
    check(t);
}

static void end(things *t)
{
    hs_layout_free(t->layout);
    for (int n = 0; n < STORAGES; n++)
        bag_remove(&t->bags[n], 0, UNITS);
}

/* ---- Tests ---- */

static void random_moves(hs_context *context)
{
    things t;
    hs__random random = {17};
    int64_t count[MOST_RANKS];
    make(context, &t);
    for (int k = 0; k < MOVES; k++) {
        next_round(&t);
        random_slices(&random, context->size, UNITS, count);
        REQUIRE(hs__move(t.layout, count) == HS_OK);
        check(&t);
    }
    end(&t);
}

static hs_status move_and_check(void *argument)
{
    const things *t = argument;
    hs_status status = move_reversed(t->layout);
    check(t);
    return status;
}

static void memory_runs_out(hs_context *context)
{
    things t;
    make(context, &t);
    REQUIRE(fail_in_turn("a move of storages", move_and_check, &t) > 20);
    end(&t);
}

/* Slices of which each move changes several: the first ranks have few units, the last many. */
static void uneven(const things *t)
{
    int64_t count[MOST_RANKS] = {0}, left = UNITS;
    int size = t->layout->context->size;
    for (int r = 0; r < size - 1; r++)
        left -= count[r] = UNITS / (2 * size) + r;
    count[size - 1] = left;
    REQUIRE(hs__move(t->layout, count) == HS_OK);
}

/* One fault in a move. @return whether the fault came */
static int faulty_move(things *t, int victim, call_kind callback, int nth, fault_kind fault)
{
    int came, expected = fault == FAILS || fault == FAILS_HALFWAY ? HS_ERR_IO : HS_ERR_ARG;
    coming.fault = t->layout->context->rank == victim ? fault : NO_FAULT;
    coming.callback = callback;
    coming.left = nth;
    hs_status status = move_and_check(t);
    came = coming.fault != NO_FAULT && coming.left < 0;
    coming.fault = NO_FAULT;
    if (came && status != HS_OK) {
        REQUIRE(text_has(t->layout->context, coming.storage));
        REQUIRE(callback == BYTES || text_has(t->layout->context, coming.units));
    }
    MPI_Bcast(&came, 1, MPI_INT, victim, hs_comm(t->layout->context));
    REQUIRE(same_everywhere(status));
    /* A size that is misstated matters where the unit leaves. */
    REQUIRE(status == HS_OK || (came && (int)status == expected));
    REQUIRE(status != HS_OK || !came || (callback == BYTES && fault >= TOO_FEW));
    return came;
}

/* Every callback fails on every rank at each of its calls, in every way; the same move goes well afterwards. */
static void faults(hs_context *context)
{
    things t;
    int came = 0;
    make(context, &t);
    uneven(&t);
    for (int victim = 0; victim < context->size; victim++)
        for (call_kind callback = BYTES; callback < CALLBACKS; callback++)
            for (fault_kind fault = FAILS; fault < FAULTS; fault++)
                for (int nth = 0; faulty_move(&t, victim, callback, nth, fault); nth++)
                    came++;
    REQUIRE(came > 0);
    REQUIRE(move_and_check(&t) == HS_OK);
    end(&t);
}

static void bad_arguments(hs_context *context)
{
    things t;
    hs_storage storage;
    char failing[64], negative[64];
    make(context, &t);
    int last = context->rank == context->size - 1;
    hs_slice own = hs_layout_slice(t.layout);
    snprintf(failing, sizeof failing, "bytes of units %lld to %lld returned", (long long)own.first,
             (long long)(own.first + own.count - 1));
    snprintf(negative, sizeof negative, "said -7 for unit %lld,", (long long)(own.first + own.count / 2));
    for (int k = 0; k < 4; k++) {
        storage = storage_of(&t.bags[0]);
        void *missing[] = {&storage.bytes, &storage.pack, &storage.unpack, &storage.remove};
        if (last)
            memset(missing[k], 0, sizeof storage.bytes);
        REQUIRE(hs_layout_add_storage(t.layout, &storage) == HS_ERR_ARG && (!last || text_has(context, "NULL")));
    }
    storage = storage_of(&t.bags[0]);
    REQUIRE(hs_layout_add_storage(t.layout, last ? NULL : &storage) == HS_ERR_ARG);
    storage.reserved[7] = last;
    REQUIRE(hs_layout_add_storage(t.layout, &storage) == HS_ERR_ARG);
    storage.reserved[7] = 0;
    for (fault_kind fault = FAILS; fault <= RETURNS_NONSENSE; fault += RETURNS_NONSENSE - FAILS) {
        coming.fault = last ? fault : NO_FAULT;
        coming.callback = BYTES;
        coming.left = 0;
        REQUIRE(hs_layout_add_storage(t.layout, &storage) == (fault == FAILS ? HS_ERR_IO : HS_ERR_ARG));
        REQUIRE(!last || text_has(context, fault == FAILS ? failing : negative));
        coming.fault = NO_FAULT;
    }
    REQUIRE(t.layout->storage_count == STORAGES);
    end(&t);
}

/* A step costs what its cells have in bytes, and the first rank is slow; cells change all the time. */
static void balanced(hs_context *context)
{
    things t;
    hs_layout_stats stats;
    make(context, &t);
    for (int k = 0; k < 60; k++) {
        double weight[UNITS], sum = 0;
        next_round(&t);
        hs_slice slice = hs_layout_slice(t.layout);
        for (int64_t i = 0; i < slice.count; i++)
            sum += weight[i] = (double)(10 + t.bags[0].size[slice.first + i]);
        if (k % 10 == 0)
            REQUIRE(hs_layout_weights(t.layout, weight) == HS_OK);
        step_in_time(t.layout, sum * (context->rank == 0 ? 3 : 1));
        check(&t);
    }
    hs_layout_get_stats(t.layout, &stats);
    REQUIRE(context->size == 1 || (stats.moves > 0 && stats.moved_bytes > stats.moved_units));
    end(&t);
}

/* Without arrays, a storage alone is something that would have to move, at the price of its bytes: weights do not cut
 * the slices anew. */
static void alone(hs_context *context)
{
    static bag g;
    hs_layout *layout;
    double weight[UNITS], bytes = 0;
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    hs_slice slice = hs_layout_slice(layout);
    for (int64_t i = 0; i < slice.count; i++)
        fill_cell(&g, slice.first + i, 0);
    hs_storage storage = storage_of(&g);
    REQUIRE(hs_layout_add_storage(layout, &storage) == HS_OK);
    for (int64_t u = 0; u < UNITS; u++)
        bytes += (double)size_of(0, u, 0);
    REQUIRE(layout->balancer.kind->unit_bytes(layout) == bytes / UNITS);
    for (int64_t i = 0; i < slice.count; i++)
        weight[i] = slice.first + i < UNITS / 2 ? 9 : 1;
    REQUIRE(hs_layout_weights(layout, weight) == HS_OK);
    REQUIRE(hs_layout_slice(layout).first == slice.first && hs_layout_slice(layout).count == slice.count);
    REQUIRE(move_reversed(layout) == HS_OK);
    slice = hs_layout_slice(layout);
    for (int64_t u = 0; u < UNITS; u++)
        REQUIRE((u >= slice.first && u < slice.first + slice.count) == (g.cell[u] != NULL));
    hs_layout_free(layout);
    bag_remove(&g, 0, UNITS);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    hs_context *context = start_balanced();
    random_moves(context);
    memory_runs_out(context);
    faults(context);
    bad_arguments(context);
    balanced(context);
    alone(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return 0;
}
