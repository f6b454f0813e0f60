/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_SCATTER_CATALOGUE_H
#define HS_APPS_SCATTER_CATALOGUE_H

/* The items are records of sources and stations: depth and distance, then the samples of a seismogram. A result is the
 * travel time and the ray parameter, then samples corrected for the spreading of the wave front. */

#include "rays.h"
#include <heteroslice/hs_status.h>
#include <stdint.h>

/* Of an item and of a result. */
enum { RECORD_MIN_BYTES = 2 * sizeof(double), RECORD_MAX_BYTES = 1 << 30 };

typedef struct catalogue {
    int64_t n;
    int64_t record_bytes; /* a multiple of 8, RECORD_MIN_BYTES to RECORD_MAX_BYTES */
    double *record;       /* n records; owned */
} catalogue;

/** Generate n records, the same ones every time. @return HS_OK; HS_ERR_NOMEM */
hs_status catalogue_make(int64_t n, int64_t record_bytes, catalogue *c);

/** Read a file that catalogue_write() wrote. @return HS_OK; HS_ERR_IO; HS_ERR_PARSE; HS_ERR_NOMEM */
hs_status catalogue_read(const char *path, catalogue *c, hs_error *error);

/** Write the records. The file appears whole or not at all. */
hs_status catalogue_write(const char *path, const catalogue *c, hs_error *error);

/** Write a line per record: number, depth, distance, time, ray parameter. The file appears whole or not at all. */
hs_status catalogue_write_results(const char *path, const catalogue *c, const double *result, int64_t result_bytes,
                                  hs_error *error);

void catalogue_free(catalogue *c);

/** Do the work: compute the results of `count` records. */
void catalogue_trace(const rays_model *model, int intervals, const double *record, int64_t record_bytes, double *result,
                     int64_t result_bytes, int64_t count);

/** A sum of hashes of results first .. first + count - 1, independent of the order of addition. */
uint64_t catalogue_checksum(const double *result, int64_t result_bytes, int64_t first, int64_t count);

#endif
