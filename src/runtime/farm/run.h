/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_FARM_RUN_H
#define HS_RUNTIME_FARM_RUN_H

/* The messages of hs_farm_run(). To a worker: an order, then its items; an order for no items ends the run. To the
 * root: a report when an installment is computed; after the end, the results of each installment in the order sent.
 *
 * A worker that has no memory reports -1 items, and the root then stops the others; a root that has none stops them all.
 * All ranks agree on the status after that, and nothing collective works any more: messages may be under way. */

#include "runtime/farm/farm.h"
#include "runtime/farm/pieces.h"
#include "util/clock.h"

enum { HS__ORDER_TAG = 1011, HS__ITEMS_TAG, HS__REPORT_TAG, HS__RESULTS_TAG, HS__STOP_TAG };

typedef struct hs__farm_order {
    int64_t first, count; /* count 0: no more */
} hs__farm_order;

typedef struct hs__farm_report {
    double items, seconds; /* computed since the last report; items -1: this rank cannot go on */
} hs__farm_report;

/** How many items are computed between two polls for messages: so many that a poll costs little, and so few that
 * messages do not wait long. */
typedef struct hs__batch {
    int64_t items;
} hs__batch;

/** Compute the next items of a range, at most one batch.
 * @return how many; *seconds is what they took */
int64_t hs__batch_run(hs__batch *batch, const hs_farm_job *job, const hs__items *items, int64_t item_at,
                      const hs__items *results, int64_t result_at, int64_t first, int64_t count, double *seconds);

/** Check that all ranks have the same job, of items and results that can be moved. Collective: agrees on status.
 * @param[in] status  what the caller has found so far, and told the context */
hs_status hs__farm_check_job(hs_farm *farm, const hs_farm_job *job, int operation, int64_t extra, hs_status status);

/** Time items on all ranks, as hs_farm_sample() does, when the job is checked. Collective.
 * @param[in] operation  the call that errors name */
hs_status hs__farm_sample(hs_farm *farm, const hs_farm_job *job, hs__operation operation, int items, double seconds);

/** Both sides of the run; the status is this rank's. */
hs_status hs__farm_serve(hs_farm *farm, const hs_farm_job *job, hs_farm_report *report);
hs_status hs__farm_work(hs_farm *farm, const hs_farm_job *job);

#endif
