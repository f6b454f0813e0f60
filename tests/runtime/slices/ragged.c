/* SPDX-License-Identifier: BSD-3-Clause */
/* Units of unequal bytes, forced to move in random order: a sparse matrix times a vector has the serial answer's bits
 * after every move; failures on any rank leave all ranks as they were. */
#include "tests/runtime/slices/slices.h"

enum { ROWS = 90, MOVES = 30 };

/* A matrix of unequal rows, some of them empty, one longer than all others; and text of 3 bytes an element. */
typedef struct matrix {
    hs_layout *layout;
    int64_t *row, *column, *letter;
    double *value, *x;
    char *text;
} matrix;

static int64_t length_of(int64_t u)
{
    return u == ROWS / 3 ? 2000 : u % 5 == 0 ? 0 : (u * u) % 23;
}

static int64_t column_of(int64_t u, int64_t k)
{
    return (u * 31 + k * 17) % ROWS;
}

static double value_of(int64_t u, int64_t k)
{
    return 1.0 / (double)(3 + u + 7 * k);
}

static double x_of(int64_t u)
{
    return sin((double)u);
}

static double product(int64_t n, const int64_t *column, const double *value)
{
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += value[k] * x_of(column[k]);
    return sum;
}

static double serial_answer(int64_t u)
{
    double sum = 0;
    for (int64_t k = 0; k < length_of(u); k++)
        sum += value_of(u, k) * x_of(column_of(u, k));
    return sum;
}

static void check(const matrix *m)
{
    hs_slice slice = hs_layout_slice(m->layout);
    REQUIRE(m->row[0] == 0 && m->letter[0] == 0);
    for (int64_t i = 0; i < slice.count; i++) {
        int64_t u = slice.first + i, first = m->row[i], n = m->row[i + 1] - first;
        double answer = product(n, m->column + first, m->value + first), serial = serial_answer(u);
        REQUIRE(n == length_of(u) && memcmp(&answer, &serial, sizeof answer) == 0);
        REQUIRE(m->letter[i + 1] - m->letter[i] == u % 4);
        for (int64_t b = 3 * m->letter[i]; b < 3 * m->letter[i + 1]; b++)
            REQUIRE(m->text[b] == (char)(u + b - 3 * m->letter[i]));
        REQUIRE(m->x[i] == x_of(u));
    }
}

static void fill(matrix *m)
{
    hs_slice slice = hs_layout_slice(m->layout);
    for (int64_t i = 0; i < slice.count; i++) {
        int64_t u = slice.first + i;
        for (int64_t k = 0; k < length_of(u); k++) {
            m->column[m->row[i] + k] = column_of(u, k);
            m->value[m->row[i] + k] = value_of(u, k);
        }
        for (int64_t b = 3 * m->letter[i]; b < 3 * m->letter[i + 1]; b++)
            m->text[b] = (char)(u + b - 3 * m->letter[i]);
    }
    for (int64_t i = -1; i <= slice.count && slice.count > 0; i++)
        m->x[i] = x_of(slice.first + i);
}

static void make(hs_context *context, matrix *m)
{
    int64_t length[ROWS], letters[ROWS];
    REQUIRE(hs_layout_create(context, ROWS, 1, HS_FIXED, &m->layout) == HS_OK);
    hs_slice slice = hs_layout_slice(m->layout);
    for (int64_t i = 0; i < slice.count; i++) {
        length[i] = length_of(slice.first + i);
        letters[i] = (slice.first + i) % 4;
    }
    REQUIRE(hs_layout_add_offsets(m->layout, length, &m->row) == HS_OK);
    REQUIRE(hs_layout_add_array(m->layout, sizeof *m->x, 1, (void **)&m->x) == HS_OK);
    REQUIRE(hs_layout_add_ragged(m->layout, sizeof *m->column, &m->row, (void **)&m->column) == HS_OK);
    REQUIRE(hs_layout_add_offsets(m->layout, letters, &m->letter) == HS_OK);
    REQUIRE(hs_layout_add_ragged(m->layout, 3, &m->letter, (void **)&m->text) == HS_OK);
    REQUIRE(hs_layout_add_ragged(m->layout, sizeof *m->value, &m->row, (void **)&m->value) == HS_OK);
    fill(m);
    check(m);
}

static void end(matrix *m)
{
    hs_layout_free(m->layout);
    REQUIRE(!m->row && !m->column && !m->value && !m->letter && !m->text && !m->x);
}

static void random_moves(hs_context *context)
{
    matrix m;
    hs__random random = {31};
    int64_t count[MOST_RANKS];
    make(context, &m);
    for (int k = 0; k < MOVES; k++) {
        random_slices(&random, context->size, ROWS, count);
        REQUIRE(hs__move(m.layout, count) == HS_OK);
        check(&m);
    }
    end(&m);
}

/* ---- Failures ---- */

static hs_status move_and_check(void *argument)
{
    const matrix *m = argument;
    hs_status status = move_reversed(m->layout);
    check(m);
    return status;
}

static void memory_runs_out(hs_context *context)
{
    matrix m;
    make(context, &m);
    REQUIRE(fail_in_turn("a move of units with offsets", move_and_check, &m) > 10);
    end(&m);
}

/* Offsets that the program has changed are told, and nothing is lost. */
static void changed_offsets(hs_context *context)
{
    static const int64_t by[3] = {-1, 100000, 1};
    matrix m;
    int64_t count[64] = {ROWS};
    make(context, &m);
    int64_t units = hs_layout_slice(m.layout).count, changed[3] = {0, units / 2, units};
    for (int k = 0; k < 3; k++) {
        int64_t *place = &m.row[changed[k]], kept = *place;
        *place += context->rank == context->size - 1 ? by[k] : 0;
        REQUIRE(hs__move(m.layout, count) == HS_ERR_ARG);
        REQUIRE(context->rank < context->size - 1 || text_has(context, "changed offsets 0"));
        *place = kept;
        check(&m);
    }
    REQUIRE(hs__move(m.layout, count) == HS_OK);
    check(&m);
    end(&m);
}

static void bad_arguments(hs_context *context)
{
    hs_layout *layout;
    int64_t *offset, *other = NULL, length[ROWS] = {0};
    void *data = NULL;
    int last = context->rank == context->size - 1;
    REQUIRE(hs_layout_create(context, ROWS, 0, HS_FIXED, &layout) == HS_OK);
    length[1] = last ? -4 : 0;
    REQUIRE(hs_layout_add_offsets(layout, length, &offset) == HS_ERR_ARG &&
            (!last || text_has(context, "-4 elements")));
    length[0] = length[1] = INT64_MAX / 2 + 1;
    REQUIRE(hs_layout_add_offsets(layout, length, &offset) == HS_ERR_ARG && text_has(context, "2^63"));
    REQUIRE(hs_layout_add_offsets(layout, length, NULL) == HS_ERR_ARG);
    REQUIRE(hs_layout_add_offsets(layout, last ? NULL : length, &offset) == HS_ERR_ARG);
    REQUIRE(!last || text_has(context, "hs_layout_add_offsets: elements is NULL"));
    length[0] = length[1] = 1;
    REQUIRE(hs_layout_add_offsets(layout, length, &offset) == HS_OK);
    REQUIRE(hs_layout_add_offsets(layout, length, &offset) == HS_ERR_ARG && text_has(context, "that of offsets 0"));
    REQUIRE(hs_layout_add_ragged(layout, 0, &offset, &data) == HS_ERR_ARG);
    REQUIRE(hs_layout_add_ragged(layout, 8, &other, &data) == HS_ERR_ARG && text_has(context, "hs_layout_add_offsets"));
    REQUIRE(hs_layout_add_ragged(layout, 8, &offset, NULL) == HS_ERR_ARG);
    if (context->size > 1)
        REQUIRE(hs_layout_add_ragged(layout, last ? 8 : 9, &offset, &data) == HS_ERR_MISMATCH);
    REQUIRE(hs_layout_add_ragged(layout, INT64_MAX / 2, &offset, &data) == HS_ERR_NOMEM && data == NULL);
    REQUIRE(hs_layout_add_ragged(layout, 8, &offset, &data) == HS_OK && data != NULL);
    REQUIRE(hs_layout_add_ragged(layout, 4, &offset, &data) == HS_ERR_ARG);
    REQUIRE(text_has(context, "hs_layout_add_ragged: data is that of array 0 already"));
    hs_layout_free(layout);
}

/* ---- hs_balance() ---- */

/* A step costs what its elements do; the first rank is slow. What moved is counted in bytes, alike on all ranks. */
static void balanced(hs_context *context)
{
    matrix m;
    hs_layout_stats stats;
    double weight[ROWS];
    make(context, &m);
    hs_slice slice = hs_layout_slice(m.layout);
    for (int64_t i = 0; i < slice.count; i++)
        weight[i] = (double)(1 + length_of(slice.first + i));
    REQUIRE(hs_layout_weights(m.layout, weight) == HS_OK);
    for (int k = 0; k < 60; k++) {
        slice = hs_layout_slice(m.layout);
        step_in_time(m.layout, (double)(slice.count + m.row[slice.count]) * (context->rank == 0 ? 3 : 1));
        check(&m);
    }
    hs_layout_get_stats(m.layout, &stats);
    REQUIRE(context->size == 1 || (stats.moves >= 1 && stats.moved_units >= 1));
    int64_t bytes = stats.moved_bytes, least, most;
    REQUIRE(bytes >= stats.moved_units * (int64_t)(3 * sizeof(int64_t)) && bytes < 1000000);
    MPI_Allreduce(&bytes, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&bytes, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE(least == most);
    end(&m);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    hs_context *context = start_balanced();
    random_moves(context);
    memory_runs_out(context);
    changed_offsets(context);
    bad_arguments(context);
    balanced(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return 0;
}
