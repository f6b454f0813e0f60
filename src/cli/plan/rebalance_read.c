/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads layout files. Sizes and indices must be integers; the planner checks that they form a layout. */
#include "cli/plan/rebalance.h"
#include "util/assert.h"
#include "util/printable.h"
#include "util/status.h"
#include <limits.h>
#include <string.h>

typedef struct reader {
    cli_layout *layout;
    int column, rectangle; /* position for error texts; -1: none yet */
    hs_error *error;
} reader;

/* Set the error to "column 2, rectangle 0: what". */
static hs_status complain(const reader *r, const char *what)
{
    if (r->column < 0)
        return hs_error_set(r->error, HS_ERR_PARSE, 0, "%s", what);
    if (r->rectangle < 0)
        return hs_error_set(r->error, HS_ERR_PARSE, 0, "column %d: %s", r->column, what);
    return hs_error_set(r->error, HS_ERR_PARSE, 0, "column %d, rectangle %d: %s", r->column, r->rectangle, what);
}

/* Names are written to terminals and drawings. A host whose name is no text has none. */
static hs_status check_names(const reader *r, const json_t *names)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (name && !hs__is_printable(name))
            return complain(r, "the name of a host in \"hosts\" holds a control character");
    }
    return HS_OK;
}

static hs_status read_integer(const reader *r, const json_t *object, const char *key, int64_t *value)
{
    char text[80];
    const json_t *item = json_object_get(object, key);
    if (json_is_integer(item)) {
        *value = json_integer_value(item);
        return HS_OK;
    }
    snprintf(text, sizeof text, item ? "\"%s\" must be an integer (blocks)" : "no \"%s\"", key);
    return complain(r, text);
}

static hs_status read_rectangle(reader *r, const json_t *rectangle, int place)
{
    cli_layout *l = r->layout;
    int64_t host = 0;
    hs_status status = read_integer(r, rectangle, "host", &host);
    if (status == HS_OK && (host < 0 || host > INT_MAX))
        return complain(r, "\"host\" must be an index of at least 0");
    l->host[place] = (int)host;
    if (status == HS_OK)
        status = read_integer(r, rectangle, "height", &l->height[place]);
    int has_delta = json_object_get(rectangle, "delta") != NULL;
    if (status == HS_OK && place > 0 && has_delta != l->has_delta)
        return complain(r, "either all rectangles have a \"delta\" or none");
    l->has_delta = has_delta;
    return status == HS_OK && has_delta ? read_integer(r, rectangle, "delta", &l->delta[place]) : status;
}

static hs_status read_columns(reader *r, const json_t *columns)
{
    cli_layout *l = r->layout;
    int place = 0;
    for (r->column = 0; r->column < l->columns; r->column++) {
        r->rectangle = -1;
        const json_t *column = json_array_get(columns, (size_t)r->column);
        const json_t *rectangles = json_object_get(column, "rectangles");
        hs_status status = read_integer(r, column, "width", &l->width[r->column]);
        if (status == HS_OK && json_array_size(rectangles) == 0)
            status = complain(r, "no \"rectangles\"");
        for (size_t k = 0; status == HS_OK && k < json_array_size(rectangles); k++) {
            r->rectangle = (int)k;
            status = read_rectangle(r, json_array_get(rectangles, k), place++);
        }
        if (status != HS_OK)
            return status;
        l->first[r->column + 1] = place;
    }
    HS_ASSERT(place >= l->columns);
    return HS_OK;
}

static hs_status read_document(const json_t *root, cli_layout *layout, hs_error *error)
{
    reader r = {layout, -1, -1, error};
    const json_t *inner = json_object_get(root, "layout"), *holder = inner ? inner : root,
                 *columns = json_object_get(holder, "columns");
    size_t places = 0, n = json_array_size(columns);
    if (n == 0)
        return complain(&r,
                        json_object_get(root, "rectangles") ? "a layout must consist of columns" : "no \"columns\"");
    for (size_t c = 0; c < n; c++)
        places += json_array_size(json_object_get(json_array_get(columns, c), "rectangles"));
    if (places > INT_MAX || n > INT_MAX)
        return complain(&r, "too many rectangles");
    layout->columns = (int)n;
    layout->names = json_incref(json_object_get(holder, "hosts"));
    layout->first = hs__pool_new(&layout->pool, n + 1, sizeof *layout->first);
    layout->width = hs__pool_new(&layout->pool, n, sizeof *layout->width);
    layout->host = hs__pool_new(&layout->pool, places, sizeof *layout->host);
    layout->height = hs__pool_new(&layout->pool, places, sizeof *layout->height);
    layout->delta = hs__pool_new(&layout->pool, places, sizeof *layout->delta);
    if (hs__pool_status(&layout->pool) != HS_OK)
        return hs__error_status(error, HS_ERR_NOMEM);
    hs_status status = check_names(&r, layout->names);
    return status == HS_OK ? read_columns(&r, columns) : status;
}

hs_status cli_layout_read(const char *path, cli_layout *layout, hs_error *error)
{
    cli_layout made = {0};
    json_t *root = cli_read_json(path, error);
    if (!root)
        return HS_ERR_PARSE;
    hs_status status = read_document(root, &made, error);
    json_decref(root);
    if (status == HS_OK)
        *layout = made;
    else
        cli_layout_free(&made);
    return status;
}

void cli_layout_free(cli_layout *layout)
{
    json_decref(layout->names);
    hs__pool_free(&layout->pool);
    *layout = (cli_layout){0};
}

hs_column_layout cli_layout_view(const cli_layout *l)
{
    return (hs_column_layout){l->columns, l->first, l->width, l->host, l->height};
}
