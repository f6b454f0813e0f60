/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_WATCH_DRIFTS_H
#define HS_RUNTIME_WATCH_DRIFTS_H

/* What was found to have changed lastingly while the program ran, for its report. Any thread. */

#include <stdint.h>

enum { HS__MAX_DRIFTS = 64, HS__DRIFT_NAME = 64 };

typedef enum hs__drifted { HS__DRIFTED_HOST, HS__DRIFTED_MESSAGES, HS__DRIFTED_LINK } hs__drifted;

typedef struct hs__drift_note {
    hs__drifted what;
    int world;            /* the host's rank in MPI_COMM_WORLD, of messages and links the first rank of the context;
                                  -1: it is not in it */
    int64_t iteration;    /* with which it began */
    double before, after; /* seconds a unit of a host, seconds of a step by messages, bytes/s of a link */
    char link[HS__DRIFT_NAME]; /* its id, cut off; "": of something else */
} hs__drift_note;

/** Note a drift. The first HS__MAX_DRIFTS are kept. */
void hs__drifts_note(const hs__drift_note *drift);

/** Copy what was noted so far. @param[out] notes  [HS__MAX_DRIFTS] @return how many are copied */
int hs__drifts_noted(hs__drift_note *notes);

#endif
