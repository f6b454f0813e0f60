/* SPDX-License-Identifier: BSD-3-Clause */
/* The volumes of an earlier run, from its report: doc/report.schema.json. */
#include "runtime/reorder/recorded_traffic.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/status.h"
#include <jansson.h>
#include <stdlib.h>

/* What rank `from` sent, added to matrix row [ranks]. */
static int add_rank(const json_t *rank, int ranks, double *row)
{
    size_t i, k;
    json_t *comm, *sent;
    json_array_foreach(json_object_get(rank, "communicators"), i, comm)
    {
        json_array_foreach(json_object_get(comm, "sent"), k, sent)
        {
            json_t *world = json_object_get(sent, "world");
            json_int_t to = json_integer_value(world), bytes = json_integer_value(json_object_get(sent, "bytes"));
            if (!json_is_integer(world)) /* a rank of another program */
                continue;
            if (to < 0 || to >= ranks || bytes < 0)
                return -1;
            row[to] += (double)bytes;
        }
    }
    return 0;
}

static hs_status add_ranks(const json_t *report, int ranks, double *matrix, const char *path, hs_error *error)
{
    const json_t *list = json_object_get(report, "ranks");
    if (!json_is_array(list))
        return hs_error_set(error, HS_ERR_PARSE, 0, "%.150s is no report of this library", path);
    if (json_array_size(list) != (size_t)ranks)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%.150s tells of %zu ranks, here are %d", path,
                            json_array_size(list), ranks);
    for (int r = 0; r < ranks; r++)
        if (add_rank(json_array_get(list, (size_t)r), ranks, matrix + (size_t)r * (size_t)ranks) != 0)
            return hs_error_set(error, HS_ERR_PARSE, 0, "%.150s: rank %d sent to a rank that there is not", path, r);
    return HS_OK;
}

static hs_status compress(const double *matrix, int ranks, int64_t **first, int **to, double **bytes)
{
    size_t n = (size_t)ranks, edges = 0;
    for (size_t i = 0; i < n * n; i++)
        edges += matrix[i] > 0;
    int64_t *begin = hs__array_new(n + 1, sizeof *begin);
    int *end = hs__array_new(edges, sizeof *end);
    double *volume = hs__array_new(edges, sizeof *volume);
    if (!begin || !end || !volume) {
        free(begin);
        free(end);
        free(volume);
        return HS_ERR_NOMEM;
    }
    edges = 0;
    for (size_t r = 0; r < n; r++) {
        for (size_t q = 0; q < n; q++)
            if (matrix[r * n + q] > 0) {
                end[edges] = (int)q;
                volume[edges++] = matrix[r * n + q];
            }
        begin[r + 1] = (int64_t)edges;
        HS_ASSERT(begin[r + 1] >= begin[r]);
    }
    *first = begin;
    *to = end;
    *bytes = volume;
    return HS_OK;
}

hs_status hs__traffic_read(const char *path, int ranks, int64_t **first, int **to, double **bytes, hs_error *error)
{
    json_error_t reason;
    json_t *report = json_load_file(path, 0, &reason);
    double *matrix = hs__array_new((size_t)ranks, (size_t)ranks * sizeof *matrix);
    hs_status status = HS_OK;
    if (!report && reason.line > 0)
        status = hs_error_set(error, HS_ERR_PARSE, reason.line, "%.100s:%d: not JSON: %.100s", path, reason.line,
                              reason.text);
    else if (!report)
        status = hs_error_set(error, HS_ERR_IO, 0, "%.200s", reason.text);
    else
        status = matrix ? add_ranks(report, ranks, matrix, path, error) : HS_ERR_NOMEM;
    if (status == HS_OK)
        status = compress(matrix, ranks, first, to, bytes);
    if (status == HS_ERR_NOMEM)
        hs__error_status(error, status);
    free(matrix);
    json_decref(report);
    return status;
}
