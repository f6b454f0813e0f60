/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market files (Boisvert, Pozo, Remington, NISTIR 5935, 1996): a header line, comments, a line of sizes, and one
 * line an element. */
#include "matrix.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct element {
    int64_t row, column;
    double value;
} element;

typedef struct reader {
    const char *path;
    FILE *file;
    char *text; /* the line that is read */
    size_t size;
    int64_t line;
    int failed; /* errno of reading; 0 for none */
    int symmetric, pattern;
    int64_t rows, count; /* as the line of sizes says */
    element *elements;   /* with the mirrored ones; owned */
    int64_t stored;
    char *error;
    size_t error_size;
} reader;

static int refuse(reader *r, const char *format, ...)
{
    va_list list;
    int64_t line = r->line > 0 ? r->line : 1; /* an empty file has none */
    int n = snprintf(r->error, r->error_size, "%s:%" PRId64 ": ", r->path, line);
    va_start(list, format);
    if (n >= 0 && (size_t)n < r->error_size)
        vsnprintf(r->error + n, r->error_size - (size_t)n, format, list);
    va_end(list);
    return -1;
}

static int next_line(reader *r)
{
    if (getline(&r->text, &r->size, r->file) < 0) {
        r->failed = ferror(r->file) ? errno : 0;
        return 0;
    }
    r->line++;
    return 1;
}

/* The next line that is neither blank nor a comment. */
static int next_values(reader *r)
{
    while (next_line(r))
        if (r->text[0] != '%' && r->text[strspn(r->text, " \t\r\n")])
            return 1;
    return 0;
}

static int read_header(reader *r)
{
    char object[16], format[16], field[16], symmetry[24];
    if (!next_line(r) || sscanf(r->text, "%%%%MatrixMarket %15s %15s %15s %23s", object, format, field, symmetry) != 4)
        return refuse(r, "expected '%%%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
    if (strcasecmp(object, "matrix") != 0 || strcasecmp(format, "coordinate") != 0)
        return refuse(r, "'%s %s' is not supported, expected 'matrix coordinate'", object, format);
    r->pattern = strcasecmp(field, "pattern") == 0;
    if (!r->pattern && strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0)
        return refuse(r, "field '%s' is not supported, expected real, integer or pattern", field);
    r->symmetric = strcasecmp(symmetry, "symmetric") == 0;
    if (!r->symmetric && strcasecmp(symmetry, "general") != 0)
        return refuse(r, "symmetry '%s' is not supported, expected symmetric or general", symmetry);
    return 0;
}

static int read_sizes(reader *r)
{
    int64_t columns;
    int end = 0;
    if (!next_values(r) ||
        sscanf(r->text, "%" SCNd64 "%" SCNd64 "%" SCNd64 " %n", &r->rows, &columns, &r->count, &end) != 3 ||
        r->text[end])
        return refuse(r, "expected rows, columns and number of elements");
    if (r->rows < 1 || r->rows != columns || r->rows > 1000000000)
        return refuse(r, "%" PRId64 " x %" PRId64 " elements, expected a square of 1 to 1000000000", r->rows, columns);
    if (r->count < 0 || r->count > (int64_t)(PTRDIFF_MAX / 2 / (ptrdiff_t)sizeof(element)))
        return refuse(r, "%" PRId64 " elements are out of range", r->count);
    r->elements = malloc((size_t)(2 * r->count + 1) * sizeof *r->elements);
    return r->elements ? 0 : refuse(r, "no memory for %" PRId64 " elements", r->count);
}

static int read_element(reader *r)
{
    element e = {0, 0, 1};
    int place = 0, end = 0,
        got = sscanf(r->text, "%" SCNd64 "%" SCNd64 " %n%lf %n", &e.row, &e.column, &place, &e.value, &end);
    if (got != (r->pattern ? 2 : 3) || r->text[r->pattern ? place : end]) /* 2.5D-3 of Fortran is no 2.5 */
        return refuse(r, "expected row, column%s", r->pattern ? "" : " and value");
    if (e.row < 1 || e.row > r->rows || e.column < 1 || e.column > r->rows || !isfinite(e.value))
        return refuse(r, "element (%" PRId64 ", %" PRId64 ") is out of range", e.row, e.column);
    e.row--;
    e.column--;
    r->elements[r->stored++] = e;
    if (r->symmetric && e.row != e.column)
        r->elements[r->stored++] = (element){e.column, e.row, e.value};
    return 0;
}

static int read_elements(reader *r)
{
    for (int64_t k = 0; k < r->count; k++) {
        if (!next_values(r))
            return refuse(r, "the file ends after %" PRId64 " of %" PRId64 " elements", k, r->count);
        if (read_element(r) != 0)
            return -1;
    }
    return next_values(r) ? refuse(r, "more than %" PRId64 " elements, which the file announced", r->count) : 0;
}

static int by_place(const void *a, const void *b)
{
    const element *x = a, *y = b;
    int64_t rows = (x->row > y->row) - (x->row < y->row), columns = (x->column > y->column) - (x->column < y->column);
    return (int)(rows ? rows : columns);
}

static int build(reader *r, cg_matrix *m)
{
    qsort(r->elements, (size_t)r->stored, sizeof *r->elements, by_place);
    m->rows = r->rows;
    m->row = calloc((size_t)r->rows + 1, sizeof *m->row);
    m->column = malloc((size_t)(r->stored + 1) * sizeof *m->column);
    m->value = malloc((size_t)(r->stored + 1) * sizeof *m->value);
    if (!m->row || !m->column || !m->value)
        return refuse(r, "no memory for %" PRId64 " elements", r->stored);
    for (int64_t k = 0; k < r->stored; k++) {
        m->row[r->elements[k].row + 1]++;
        m->column[k] = r->elements[k].column;
        m->value[k] = r->elements[k].value;
    }
    for (int64_t i = 0; i < r->rows; i++)
        m->row[i + 1] += m->row[i];
    return 0;
}

int cg_matrix_read(const char *path, cg_matrix *matrix, char *error, size_t size)
{
    reader r = {.path = path, .file = fopen(path, "r"), .error = error, .error_size = size};
    cg_matrix m = {0};
    if (!r.file) {
        snprintf(error, size, "%s: %s", path, strerror(errno));
        return -1;
    }
    int code = read_header(&r) || read_sizes(&r) || read_elements(&r) || build(&r, &m) ? -1 : 0;
    if (r.failed) {
        snprintf(error, size, "%s: %s", path, strerror(r.failed));
        code = -1;
    }
    fclose(r.file);
    free(r.text);
    free(r.elements);
    if (code != 0)
        cg_matrix_free(&m);
    else
        *matrix = m;
    return code;
}
