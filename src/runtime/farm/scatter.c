/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_scatter() and hs_gather(): the planned messages, one after another. */
#include "runtime/base/parked_buffer.h"
#include "runtime/farm/farm.h"
#include "runtime/farm/pieces.h"
#include "runtime/watch/library.h"
#include "util/array.h"
#include "util/clock.h"
#include <limits.h>
#include <stdlib.h>

enum { ITEMS_TAG = 1001, RESULTS_TAG, ANNOUNCE_TAG };

/* What ranks must agree on before items move. */
static hs_status begin(hs_farm *farm, hs_status status, int64_t item_bytes)
{
    static const char *const names[HS__RECORD_VALUES] = {"bytes an item", "a plan for n"};
    if (farm->plan.n < 0)
        status =
            hs__context_fail(farm->context, HS_ERR_STATE, "hs_scatter: there is no plan, or an earlier call failed");
    hs__record record = {HS__OP_SCATTER, status, {item_bytes, farm->plan.n}, {0}};
    return hs__agree(farm->context, &record, names);
}

static int64_t first_of(const hs_farm *farm, int rank)
{
    int64_t first = 0;
    for (int r = 0; r < rank; r++)
        first += farm->plan.count[r];
    return first;
}

/* Wait for a rank's messages; name the rank in the error text when it stays silent. */
static hs_status wait_for(hs_farm *farm, hs__pieces *pieces, int peer, const char *what)
{
    double seconds = hs__farm_time_limit(farm);
    hs_status status = hs__farm_wait(farm, seconds, (int)pieces->count, pieces->request);
    pieces->count = 0;
    if (status == HS_ERR_TIMEOUT) {
        farm->context->peers.broken = 1;
        hs__context_fail(farm->context, status, "rank %d %s for %.3g s", peer, what, seconds);
        hs__context_log(farm->context, HS__LOG_ERROR, "%s", farm->context->error);
    }
    return status;
}

/* Make room for the requests of all messages with the root, before any rank waits for them. */
static hs_status reserve(const hs_farm *farm, hs__pieces *pieces, const hs__items *items)
{
    int64_t most = farm->plan.n < 0 ? 0 : farm->plan.count[farm->rank];
    for (int r = 0; farm->rank == farm->root && farm->plan.n >= 0 && r < farm->size; r++)
        most = farm->plan.count[r] > most ? farm->plan.count[r] : most;
    return hs__pieces_reserve(pieces, items, most);
}

static hs_status send_all(hs_farm *farm, hs__pieces *pieces, const hs__items *items)
{
    hs_status status = HS_OK;
    for (int k = 0; k < farm->size && status == HS_OK; k++) {
        int r = farm->plan.send[k];
        if (r == farm->root || farm->plan.count[r] == 0)
            continue;
        status = hs__pieces_post(pieces, HS__SEND, HS__WHOLE, items, first_of(farm, r), farm->plan.count[r], r,
                                 ITEMS_TAG, farm->context->internal);
        if (status == HS_OK)
            status = wait_for(farm, pieces, r, "took no items");
    }
    return status;
}

static hs_status receive_mine(hs_farm *farm, hs__pieces *pieces, const hs__items *mine)
{
    hs_status status = hs__pieces_post(pieces, HS__RECEIVE, HS__WHOLE, mine, 0, farm->plan.count[farm->rank],
                                       farm->root, ITEMS_TAG, farm->context->internal);
    return status == HS_OK ? wait_for(farm, pieces, farm->root, "sent no items") : status;
}

/* A clock that stands still in the thread's calls of MPI and of this library: where the program waits in one, ranks would look as
 * slow as the one that they wait for. */
static int64_t computing_ns(void)
{
    hs__monitor_times times;
    hs__monitor_read(&times);
    return hs__clock_ns() - times.transfer_ns - times.wait_ns - times.library_ns;
}

static const hs__items_names mine_names = {"mine", "mine_type"}, item_names = {"items", "item_type"},
                             result_names = {"results", "result_type"};

/* This rank's part, and what the root has of all ranks. */
static hs_status check_items(const hs_farm *farm, hs__items *mine, hs__items *all, hs__items_names names,
                             hs_error *error)
{
    MPI_Comm comm = farm->context->internal;
    int planned = farm->plan.n >= 0;
    hs_status status = hs__items_given(mine, planned ? farm->plan.count[farm->rank] : 0, mine_names, comm, error);
    if (status == HS_OK && farm->rank == farm->root)
        status = hs__items_given(all, farm->plan.n, names, comm, error);
    return status;
}

hs_status hs_scatter(hs_farm *farm, const void *items, MPI_Datatype item_type, void *mine, MPI_Datatype mine_type)
{
    HS__RETURN_IF_NULL(farm);
    int is_root = farm->rank == farm->root;
    hs__items here = {.data = mine, .type = mine_type}, all = {.data = (char *)items, .type = item_type};
    hs__pieces pieces = {0};
    hs_status status = hs__context_begin(farm->context, __func__);
    if (status != HS_OK)
        return status;
    hs__monitor_enter();
    hs_error bad = {0};
    status = check_items(farm, &here, &all, item_names, &bad);
    if (status != HS_OK)
        hs__context_fail(farm->context, status, "hs_scatter: %s", bad.text);
    if (status == HS_OK && is_root && all.bytes != here.bytes)
        status =
            hs__context_fail(farm->context, HS_ERR_MISMATCH, "hs_scatter: item_type has %lld bytes, mine_type %lld",
                             (long long)all.bytes, (long long)here.bytes);
    if (status == HS_OK)
        status = reserve(farm, &pieces, &here);
    status = begin(farm, status, here.bytes);
    if (status == HS_OK && is_root)
        status = send_all(farm, &pieces, &all);
    if (status == HS_OK && is_root)
        status = hs__items_copy(&all, first_of(farm, farm->root), &here, farm->plan.count[farm->root],
                                farm->context->internal);
    if (status == HS_OK && !is_root)
        status = receive_mine(farm, &pieces, &here);
    if (status != HS_OK && !farm->context->error[0])
        hs__context_fail(farm->context, status, "hs_scatter: %s", hs_status_text(status));
    hs__pieces_free(&pieces);
    hs__monitor_leave();
    farm->scattered_ns = status == HS_OK ? computing_ns() : 0;
    return status;
}

/* Every rank's seconds of computing per item become what the next plan counts with. */
static hs_status learn(hs_farm *farm, hs_status own, double seconds)
{
    int64_t count = farm->plan.count[farm->rank];
    if (farm->context->peers.broken)
        return own;
    hs__record record = {HS__OP_GATHER, own, {0}, {count > 0 && seconds > 0 ? seconds / (double)count : 0}};
    hs_status status = hs__farm_agree(farm, hs__farm_time_limit(farm), &record);
    if (status != HS_OK)
        return status;
    double shown = 0, known = 0; /* of the ranks that computed: what their items cost now and before */
    for (int r = 0; r < farm->size; r++) {
        double now = farm->context->gathering.all[r].time[0];
        shown += now;
        known += now > 0 ? farm->cycle_time[r] : 0;
    }
    for (int r = 0; r < farm->size && shown > 0; r++) {
        double now = farm->context->gathering.all[r].time[0];
        farm->cycle_time[r] = now > 0 ? now : farm->cycle_time[r] * shown / known;
    }
    farm->timed |= shown > 0;
    return HS_OK;
}

/* What a rank sends before its results: bytes of one result, and its status. */
typedef struct announcement {
    int64_t bytes;
    int32_t status;
} announcement;

/* Receive results of another size and drop them, since their sender waits for that.
 * @return HS_ERR_MISMATCH; HS_ERR_TIMEOUT */
static hs_status drop(hs_farm *farm, const hs__items *results, int rank, int64_t bytes)
{
    int64_t most = hs__piece_items(bytes, HS__WHOLE);
    hs_status status = HS_OK;
    for (int64_t left = farm->plan.count[rank]; left > 0 && status != HS_ERR_TIMEOUT; left -= most) {
        MPI_Request request;
        int64_t size = (left < most ? left : most) * bytes;
        char *room = size <= INT_MAX ? hs__array_new((size_t)size, 1) : NULL; /* without it MPI calls them truncated */
        PMPI_Irecv(room, room ? (int)size : 0, MPI_BYTE, rank, RESULTS_TAG, farm->context->internal, &request);
        status = hs__farm_wait(farm, hs__farm_time_limit(farm), 1, &request);
        hs__park_buffer(room, status == HS_ERR_TIMEOUT);
    }
    if (status == HS_ERR_TIMEOUT)
        return status;
    return hs__context_fail(farm->context, HS_ERR_MISMATCH,
                            "hs_gather: rank %d returns %lld bytes a result, result_type has %lld", rank,
                            (long long)bytes, (long long)results->bytes);
}

static hs_status receive_announcement(hs_farm *farm, int rank, announcement *theirs)
{
    MPI_Request request;
    hs__pieces one = {.request = &request, .count = 1};
    if (PMPI_Irecv(theirs, sizeof *theirs, MPI_BYTE, rank, ANNOUNCE_TAG, farm->context->internal, &request) !=
        MPI_SUCCESS)
        return HS_ERR_MPI;
    hs_status status = wait_for(farm, &one, rank, "returned no results");
    if (status == HS_ERR_TIMEOUT) {
        PMPI_Cancel(&request);
        PMPI_Request_free(&request);
    }
    return status;
}

static hs_status collect_from(hs_farm *farm, hs__pieces *pieces, const hs__items *results, int r)
{
    announcement theirs = {0};
    hs_status status = receive_announcement(farm, r, &theirs);
    if (status != HS_OK || theirs.status != HS_OK)
        return status; /* a rank that has no results to send says why when all agree */
    if (theirs.bytes != results->bytes)
        return drop(farm, results, r, theirs.bytes);
    status = hs__pieces_post(pieces, HS__RECEIVE, HS__WHOLE, results, first_of(farm, r), farm->plan.count[r], r,
                             RESULTS_TAG, farm->context->internal);
    return status == HS_OK ? wait_for(farm, pieces, r, "returned no results") : status;
}

/* Continue after results of the wrong size, so that all ranks return the same status. */
static hs_status collect_all(hs_farm *farm, hs__pieces *pieces, const hs__items *results)
{
    hs_status first = HS_OK;
    for (int k = 0; k < farm->size && first != HS_ERR_TIMEOUT; k++) {
        int r = farm->plan.collect[k];
        if (r == farm->root || farm->plan.count[r] == 0)
            continue;
        hs_status status = collect_from(farm, pieces, results, r);
        if (first == HS_OK || status == HS_ERR_TIMEOUT)
            first = status;
    }
    return first;
}

static hs_status return_mine(hs_farm *farm, hs__pieces *pieces, const hs__items *mine, hs_status own)
{
    int64_t count = farm->plan.count[farm->rank];
    announcement own_results = {mine->bytes, own};
    if (count == 0)
        return own;
    if (PMPI_Send(&own_results, sizeof own_results, MPI_BYTE, farm->root, ANNOUNCE_TAG, farm->context->internal) !=
        MPI_SUCCESS)
        return HS_ERR_MPI;
    if (own != HS_OK)
        return own;
    hs_status status =
        hs__pieces_post(pieces, HS__SEND, HS__WHOLE, mine, 0, count, farm->root, RESULTS_TAG, farm->context->internal);
    return status == HS_OK ? wait_for(farm, pieces, farm->root, "took no results") : status;
}

/* No exchange at the start: a rank that is ready returns its results while others compute. */
hs_status hs_gather(hs_farm *farm, const void *mine, MPI_Datatype mine_type, void *results, MPI_Datatype result_type)
{
    fenv_t program;
    HS__RETURN_IF_NULL(farm);
    int is_root = farm->rank == farm->root;
    double seconds = farm->scattered_ns > 0 ? 1e-9 * (double)(computing_ns() - farm->scattered_ns) : 0;
    hs__items here = {.data = (char *)mine, .type = mine_type}, all = {.data = results, .type = result_type};
    hs__pieces pieces = {0};
    hs_status status = hs__context_begin(farm->context, __func__);
    if (status == HS_OK && farm->plan.n < 0)
        status =
            hs__context_fail(farm->context, HS_ERR_STATE, "hs_gather: there is no plan, or an earlier call failed");
    if (status != HS_OK)
        return status;
    hs__library_enter(&program);
    hs_error bad = {0};
    status = check_items(farm, &here, &all, result_names, &bad);
    if (status == HS_OK && is_root && here.bytes != all.bytes && farm->plan.count[farm->root] > 0)
        status =
            hs__context_fail(farm->context, HS_ERR_MISMATCH, "hs_gather: mine_type has %lld bytes, result_type %lld",
                             (long long)here.bytes, (long long)all.bytes);
    if (status == HS_OK)
        status = reserve(farm, &pieces, &here);
    if (status == HS_ERR_ARG || status == HS_ERR_NOMEM)
        all.bytes = -1; /* no results fit: they are taken and dropped */
    hs_status collected = is_root ? collect_all(farm, &pieces, &all) : return_mine(farm, &pieces, &here, status);
    if (bad.text[0]) /* not before: the results of others that are dropped were told meanwhile */
        hs__context_fail(farm->context, status, "hs_gather: %s", bad.text);
    if (status == HS_ERR_NOMEM)
        hs__context_fail(farm->context, status, "hs_gather: %s", hs_status_text(status));
    hs__pieces_free(&pieces);
    status = status == HS_OK || collected == HS_ERR_TIMEOUT ? collected : status;
    if (status == HS_OK && is_root) {
        all.data = hs__items_at(&all, first_of(farm, farm->root));
        status = hs__items_copy(&here, 0, &all, farm->plan.count[farm->root], farm->context->internal);
    }
    status = learn(farm, status, seconds);
    farm->scattered_ns = 0;
    hs__library_leave(&program);
    return status;
}
