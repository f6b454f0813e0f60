/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/runtime/random/random.h"

enum { MOST_ARRAYS = 3, MOST_UNITS = 200 };

typedef struct array {
    int64_t bytes, halo;    /* of a unit; units */
    unsigned char *data;    /* this rank's, as the library moves it */
    unsigned char *truth;   /* of all units, with halos: what one process would have; owned */
    unsigned char *scratch; /* room for as much; owned */
} array;

struct sliced {
    hs_context *context;
    hs_layout *layout;
    int64_t units, iteration;
    hs_edges edges;
    int arrays;
    array array[MOST_ARRAYS];
    cells *cells; /* NULL: there are none */
};

/* Byte b of unit u in the first iteration; beyond fixed edges too. */
static unsigned char start_value(int a, int64_t u, int64_t b)
{
    return (unsigned char)(u * 131 + b * 7 + a * 53 + 11);
}

/* Where unit u is in a buffer whose first unit is at data. */
static unsigned char *at(const array *x, unsigned char *data, int64_t u)
{
    return data + u * x->bytes;
}

static unsigned char *truth(const array *x, int64_t u)
{
    return at(x, x->truth, u + x->halo);
}

/* The same for one rank's slice and for all units: each unit from the one a halo before it and a halo behind it. */
static void compute(const array *x, unsigned char *data, int64_t count, int64_t iteration)
{
    memcpy(x->scratch, data - x->halo * x->bytes, (size_t)((count + 2 * x->halo) * x->bytes));
    unsigned char *old = x->scratch + x->halo * x->bytes;
    for (int64_t k = 0; k < count * x->bytes; k++)
        data[k] =
            (unsigned char)(3 * old[k - x->halo * x->bytes] + 5 * old[k] + 7 * old[k + x->halo * x->bytes] + iteration);
}

static void wrap_truth(const sliced *s, const array *x)
{
    size_t bytes = (size_t)(x->halo * x->bytes);
    if (s->edges == HS_FIXED)
        return;
    memcpy(truth(x, -x->halo), truth(x, s->units - x->halo), bytes);
    memcpy(truth(x, s->units), truth(x, 0), bytes);
}

static void add_array(sliced *s, int a, hs__random *random)
{
    static const int64_t bytes[] = {1, 3, 8, 40, 72};
    array *x = &s->array[a];
    int64_t halo = hs__random_below(random, 3);
    *x = (array){.bytes = one_of(random, bytes, 5), .halo = halo < s->units ? halo : 0};
    RIGHT(hs_layout_add_array(s->layout, x->bytes, x->halo, (void **)&x->data) == HS_OK);
    size_t all = (size_t)((s->units + 2 * x->halo) * x->bytes);
    x->truth = malloc(all);
    x->scratch = malloc(all);
    RIGHT(x->truth && x->scratch);
    for (int64_t u = -x->halo; u < s->units + x->halo; u++)
        for (int64_t b = 0; b < x->bytes; b++)
            truth(x, u)[b] = start_value(a, u, b);
    wrap_truth(s, x);
    hs_slice slice = hs_layout_slice(s->layout);
    if (slice.count > 0)
        memcpy(at(x, x->data, -x->halo), truth(x, slice.first - x->halo),
               (size_t)((slice.count + 2 * x->halo) * x->bytes));
}

sliced *sliced_new(hs_context *context, hs__random *random)
{
    sliced *s = calloc(1, sizeof *s);
    RIGHT(s != NULL);
    s->context = context;
    s->units = 1 + hs__random_below(random, MOST_UNITS);
    s->edges = hs__random_below(random, 2) ? HS_FIXED : HS_PERIODIC;
    RIGHT(hs_layout_create(context, s->units, s->units < 2 ? s->units : 2, s->edges, &s->layout) == HS_OK);
    s->arrays = (int)hs__random_below(random, MOST_ARRAYS + 1);
    for (int a = 0; a < s->arrays; a++)
        add_array(s, a, random);
    if (hs__random_below(random, 3) == 0)
        cells_weigh(s->layout, 0);
    return s;
}

static void exchange(const sliced *s, const array *x, hs_slice slice)
{
    MPI_Comm comm = hs_comm(s->context);
    int n = (int)(x->halo * x->bytes);
    MPI_Sendrecv(at(x, x->data, 0), n, MPI_BYTE, slice.prev, 1, at(x, x->data, slice.count), n, MPI_BYTE, slice.next, 1,
                 comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(at(x, x->data, slice.count - x->halo), n, MPI_BYTE, slice.next, 2, at(x, x->data, -x->halo), n,
                 MPI_BYTE, slice.prev, 2, comm, MPI_STATUS_IGNORE);
}

static void check(const array *x, hs_slice slice, int64_t halo)
{
    if (slice.count > 0)
        RIGHT(memcmp(at(x, x->data, -halo), truth(x, slice.first - halo),
                     (size_t)((slice.count + 2 * halo) * x->bytes)) == 0);
}

void sliced_step(sliced *s, double unit_s, hs__random *random)
{
    hs_slice slice = hs_layout_slice(s->layout);
    s->iteration++;
    for (int a = 0; a < s->arrays; a++) {
        array *x = &s->array[a];
        if (slice.count > 0)
            exchange(s, x, slice);
        compute(x, truth(x, 0), s->units, s->iteration);
        if (slice.count > 0)
            compute(x, x->data, slice.count, s->iteration);
        wrap_truth(s, x);
        check(x, slice, 0);
    }
    if (s->cells)
        cells_step(s->cells, s->iteration);
    hs_compute_begin(s->layout);
    random_compute(unit_s * (double)slice.count);
    hs_compute_end(s->layout);
    hs_status status = hs_balance(s->layout);
    RIGHT(status == HS_OK || status == HS_UNCHANGED);
    slice = hs_layout_slice(s->layout);
    for (int a = 0; a < s->arrays; a++)
        check(&s->array[a], slice, status == HS_OK ? s->array[a].halo : 0);
    if (s->arrays < MOST_ARRAYS && hs__random_below(random, 20) == 0)
        add_array(s, s->arrays++, random);
    if (s->cells)
        cells_check(s->cells, s->iteration);
    else if (hs__random_below(random, 10) == 0)
        s->cells = cells_new(s->layout, s->arrays, s->iteration);
    if (hs__random_below(random, 25) == 0)
        cells_weigh(s->layout, s->iteration);
}

int64_t sliced_free(sliced *s)
{
    hs_layout_stats stats;
    hs_layout_get_stats(s->layout, &stats);
    hs_layout_free(s->layout);
    if (s->cells)
        cells_free(s->cells);
    for (int a = 0; a < s->arrays; a++) {
        RIGHT(s->array[a].data == NULL);
        free(s->array[a].truth);
        free(s->array[a].scratch);
    }
    free(s);
    return stats.moves;
}
