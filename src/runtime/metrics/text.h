/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_METRICS_TEXT_H
#define HS_RUNTIME_METRICS_TEXT_H

#include <stdint.h>
#include <stdio.h>

/** What is known of a rank, all of it whole numbers. */
typedef enum hs__metric {
    HS__METRIC_RANK,
    HS__METRIC_PID,
    HS__METRIC_UPDATED_MS, /* when the rank wrote this: milliseconds since 1970 */
    HS__METRIC_COMPUTE_NS,
    HS__METRIC_TRANSFER_NS,
    HS__METRIC_WAIT_NS,
    HS__METRIC_LIBRARY_NS,
    HS__METRIC_CALLS,
    HS__METRIC_MOVES,
    HS__METRIC_MOVES_NS,
    HS__METRICS
} hs__metric;

typedef struct hs__metrics_row {
    int64_t value[HS__METRICS];
} hs__metrics_row;

/** Write n ranks' metrics as OpenMetrics text 1.0. node_exporter, which reads Prometheus's older format, would refuse
 * the type info and samples with a time of their own: there are none.
 * @param[in] program  its name, any bytes
 * @param[in] ranks    of the whole program, on all hosts */
void hs__metrics_write(FILE *out, const char *program, int ranks, const hs__metrics_row *rows, int n);

#endif
