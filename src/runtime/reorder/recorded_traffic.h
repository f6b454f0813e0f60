/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_RECORDED_TRAFFIC_H
#define HS_RUNTIME_RECORDED_TRAFFIC_H

#include <heteroslice/hs_status.h>
#include <stdint.h>

/** Who sends how much to whom, by an earlier run's report. @param[out] first, to, bytes  as in hs_mapping_graph; the
 * caller frees them; written only on HS_OK */
hs_status hs__traffic_read(const char *path, int ranks, int64_t **first, int **to, double **bytes, hs_error *error);

#endif
