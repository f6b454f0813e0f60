/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_RESULT_H
#define HS_RUNTIME_PROBE_RESULT_H

#include <heteroslice/hs_probe.h>

struct hs_probe_result {
    int hosts, ranks;
    int *host_of;        /* host of each rank; owned */
    hs_probe_host *host; /* owned, with the names */
    hs_probe_link *link; /* by pair number, see hs__pair_number(); owned */
    hs_probe_kernel kernel;
    double time;
};

#endif
