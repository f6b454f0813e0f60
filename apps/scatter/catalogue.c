/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalogue.h"
#include "util/array.h"
#include "util/file.h"
#include "util/random.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RADIAN = 57.295779513082323;
static const char magic[16] = "hs-rays 1\n";

/* The header of a file. */
typedef struct head {
    char magic[16];
    int64_t n, record_bytes;
} head;

hs_status catalogue_make(int64_t n, int64_t record_bytes, catalogue *c)
{
    int64_t width = record_bytes / 8;
    double *record = hs__array_new((size_t)n, (size_t)record_bytes);
    if (!record)
        return HS_ERR_NOMEM;
    for (int64_t i = 0; i < n; i++) {
        hs__random random = {(uint64_t)i};
        double *at = record + i * width;
        at[0] = 600.0 * hs__random_unit(&random) * hs__random_unit(&random);
        at[1] = (30.0 + 60.0 * hs__random_unit(&random)) / RADIAN;
        for (int64_t k = 2; k < width; k++)
            at[k] = 2.0 * hs__random_unit(&random) - 1.0;
    }
    *c = (catalogue){n, record_bytes, record};
    return HS_OK;
}

static hs_status read_from(FILE *file, const char *path, catalogue *c, hs_error *error)
{
    head h;
    if (fread(&h, sizeof h, 1, file) != 1 || memcmp(h.magic, magic, sizeof magic) != 0)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%s: not a catalogue of rays", path);
    if (h.n < 0 || h.record_bytes < RECORD_MIN_BYTES || h.record_bytes > RECORD_MAX_BYTES || h.record_bytes % 8 != 0 ||
        h.n > INT64_MAX / h.record_bytes)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%s: %" PRId64 " records of %" PRId64 " bytes make no sense", path,
                            h.n, h.record_bytes);
    double *record = malloc((size_t)(h.n * h.record_bytes) + 1);
    if (!record)
        return hs_error_set(error, HS_ERR_NOMEM, 0, "%s: out of memory", path);
    size_t found = fread(record, (size_t)h.record_bytes, (size_t)h.n, file);
    if ((int64_t)found != h.n || fgetc(file) != EOF) {
        free(record);
        return hs_error_set(error, HS_ERR_PARSE, 0, "%s: %" PRId64 " records were promised, %s", path, h.n,
                            (int64_t)found != h.n ? "the file ends before" : "there is more");
    }
    *c = (catalogue){h.n, h.record_bytes, record};
    return HS_OK;
}

hs_status catalogue_read(const char *path, catalogue *c, hs_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return hs_error_set(error, HS_ERR_IO, 0, "%s: %s", path, strerror(errno));
    hs_status status = read_from(file, path, c, error);
    fclose(file);
    return status;
}

hs_status catalogue_write(const char *path, const catalogue *c, hs_error *error)
{
    hs__file *file;
    head h = {.n = c->n, .record_bytes = c->record_bytes};
    memcpy(h.magic, magic, sizeof magic);
    hs_status status = hs__file_create(path, &file, error);
    if (status != HS_OK)
        return status;
    fwrite(&h, sizeof h, 1, hs__file_stream(file));
    fwrite(c->record, (size_t)c->record_bytes, (size_t)c->n, hs__file_stream(file));
    return hs__file_commit(file, error);
}

hs_status catalogue_write_results(const char *path, const catalogue *c, const double *result, int64_t result_bytes,
                                  hs_error *error)
{
    hs__file *file;
    hs_status status = hs__file_create(path, &file, error);
    if (status != HS_OK)
        return status;
    fputs("record\tdepth_km\tdistance_deg\ttime_s\tparameter_s_per_rad\n", hs__file_stream(file));
    for (int64_t i = 0; i < c->n; i++) {
        const double *at = c->record + i * (c->record_bytes / 8), *out = result + i * (result_bytes / 8);
        fprintf(hs__file_stream(file), "%" PRId64 "\t%.3f\t%.4f\t%.6f\t%.6f\n", i, at[0], at[1] * RADIAN, out[0],
                out[1]);
    }
    return hs__file_commit(file, error);
}

void catalogue_free(catalogue *c)
{
    free(c->record);
    *c = (catalogue){0};
}

void catalogue_trace(const rays_model *model, int intervals, const double *record, int64_t record_bytes, double *result,
                     int64_t result_bytes, int64_t count)
{
    int64_t width = record_bytes / 8, results = result_bytes / 8;
    for (int64_t i = 0; i < count; i++) {
        const double *at = record + i * width;
        double *out = result + i * results;
        out[0] = rays_trace(model, at[0], at[1], intervals, &out[1]);
        for (int64_t k = 2; k < results; k++) /* the wave front grows with the distance */
            out[k] = width > 2 ? at[2 + (k - 2) % (width - 2)] * sin(at[1]) * out[0] : 0.0;
    }
}

uint64_t catalogue_checksum(const double *result, int64_t result_bytes, int64_t first, int64_t count)
{
    uint64_t sum = 0;
    int64_t width = result_bytes / 8;
    for (int64_t k = 0; k < count * width; k++) {
        uint64_t bits;
        memcpy(&bits, result + k, sizeof bits);
        bits = (bits ^ (uint64_t)(first * width + k)) * 0x9e3779b97f4a7c15u;
        sum += (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9u;
    }
    return sum;
}
