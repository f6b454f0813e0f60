/* SPDX-License-Identifier: BSD-3-Clause */
/* A flow with a window: the receiver answers each chunk with a credit, and the sender has at most WINDOW chunks under
 * way. Chunks are sized so that the window lasts some 16 ms beside the latency: long enough to keep the link busy while
 * either side sleeps or its CPU quota is spent, short enough to leave little in the queues when the receiver has seen
 * enough. It says so in its credits; the sender ends with WINDOW empty messages, which meet the receives still posted.
 *
 * Small chunks are sent at once by every MPI library. Large ones need an exchange before, in which both sides must take
 * part, so no one sleeps long where they are used; that is on fast networks, whose hosts can afford it. */
#include "runtime/probe/stream.h"
#include "runtime/base/backoff.h"
#include "runtime/probe/stats.h"
#include "util/clock.h"
#include <math.h>

enum {
    TAG_DATA = 1,
    TAG_CREDIT,
    TAG_PING,
    FIRST_CHUNK = 1024,
    SMALL_CHUNK = 32 * 1024,
    WARM_UP = 3,
    PINGS = WARM_UP + HS__SAMPLES_KEPT
};

static const double window_time = 16e-3; /* seconds a window lasts, without the latency */
static const double growth_pause = 2e-3; /* seconds between changes of the chunk's size, at least */

/* Seconds that a wait is expected to last. Small chunks come seldom: naps are a little longer than one takes, so that
 * looking costs no quota. Large ones come often. */
static double streaming(int chunk)
{
    return chunk <= SMALL_CHUNK ? 12.5e-3 : 0.5e-3;
}

static const double PINGING = 0;

typedef struct outflow {
    int chunk;             /* bytes */
    double adapted, acked; /* time of the last change of chunk; bytes the receiver has got since */
} outflow;

static double window_lasts(const hs__stream *stream)
{
    return window_time + 4 * stream->latency;
}

/* Follow the rate of the credits, in steps of at most 4. */
static void adapt_chunk(const hs__stream *stream, outflow *flow, int arrived)
{
    double now = hs__clock_wall(), passed = now - flow->adapted;
    flow->acked += arrived;
    if (passed < growth_pause + 2 * stream->latency)
        return;
    double wanted = flow->acked / passed * window_lasts(stream) / HS__STREAM_WINDOW;
    if (wanted > 4.0 * flow->chunk)
        wanted = 4.0 * flow->chunk;
    if (wanted < flow->chunk / 4.0)
        wanted = flow->chunk / 4.0;
    flow->chunk = wanted > HS__STREAM_CHUNK ? HS__STREAM_CHUNK : wanted < FIRST_CHUNK ? FIRST_CHUNK : (int)wanted;
    flow->adapted = now;
    flow->acked = 0;
}

static hs_status send_end(const hs__stream *stream)
{
    for (int k = 0; k < HS__STREAM_WINDOW; k++) {
        MPI_Request request;
        if (PMPI_Isend(stream->memory, 0, MPI_BYTE, stream->peer, TAG_DATA, stream->comm, &request) != MPI_SUCCESS)
            return HS_ERR_MPI;
        hs_status status = hs__backoff_wait(&request, streaming(0), MPI_STATUS_IGNORE);
        if (status != HS_OK)
            return status;
    }
    return HS_OK;
}

hs_status hs__stream_send(const hs__stream *stream)
{
    MPI_Request request[HS__STREAM_WINDOW], credit;
    int size[HS__STREAM_WINDOW], under_way = 0, enough = 0, sent = 0;
    outflow flow = {.chunk = FIRST_CHUNK, .adapted = hs__clock_wall()};
    while (under_way > 0 || !enough) {
        for (; under_way < HS__STREAM_WINDOW && !enough; under_way++, sent++) {
            int slot = sent % HS__STREAM_WINDOW;
            size[slot] = flow.chunk;
            if (PMPI_Isend(stream->memory, flow.chunk, MPI_BYTE, stream->peer, TAG_DATA, stream->comm,
                           &request[slot]) != MPI_SUCCESS)
                return HS_ERR_MPI;
        }
        int answer, oldest = (sent - under_way) % HS__STREAM_WINDOW;
        if (PMPI_Irecv(&answer, 1, MPI_INT, stream->peer, TAG_CREDIT, stream->comm, &credit) != MPI_SUCCESS ||
            hs__backoff_wait(&credit, streaming(flow.chunk), MPI_STATUS_IGNORE) != HS_OK ||
            hs__backoff_wait(&request[oldest], streaming(flow.chunk), MPI_STATUS_IGNORE) != HS_OK)
            return HS_ERR_MPI;
        under_way--;
        enough |= answer;
        adapt_chunk(stream, &flow, size[oldest]);
    }
    return send_end(stream);
}

typedef struct inflow {
    MPI_Request data[HS__STREAM_WINDOW], credit[HS__STREAM_WINDOW];
    int answer[HS__STREAM_WINDOW];
} inflow;

static int post(const hs__stream *stream, inflow *posted, int slot)
{
    return PMPI_Irecv(stream->memory + (size_t)slot * HS__STREAM_CHUNK, HS__STREAM_CHUNK, MPI_BYTE, stream->peer,
                      TAG_DATA, stream->comm, &posted->data[slot]);
}

/* Wait for the message in a slot. *bytes is the length of the message before and becomes that of this one. */
static hs_status take(inflow *posted, int slot, int *bytes)
{
    MPI_Status status;
    if (hs__backoff_wait(&posted->data[slot], streaming(*bytes), &status) != HS_OK ||
        PMPI_Get_count(&status, MPI_BYTE, bytes) != MPI_SUCCESS)
        return HS_ERR_MPI;
    return HS_OK;
}

static hs_status give_credit(const hs__stream *stream, inflow *posted, int slot, int enough)
{
    if (hs__backoff_wait(&posted->credit[slot], streaming(0), MPI_STATUS_IGNORE) != HS_OK)
        return HS_ERR_MPI;
    posted->answer[slot] = enough;
    if (PMPI_Isend(&posted->answer[slot], 1, MPI_INT, stream->peer, TAG_CREDIT, stream->comm, &posted->credit[slot]) !=
        MPI_SUCCESS)
        return HS_ERR_MPI;
    return HS_OK;
}

static void begin_flow(const hs__stream *stream, hs__flow *flow)
{
    hs__flow_begin(flow, fmax(stream->slice, window_lasts(stream)), stream->most);
    if (stream->begin > 0)
        hs__flow_add(flow, stream->begin, 0);
}

hs_status hs__stream_receive(const hs__stream *stream, double *rate)
{
    inflow posted;
    hs__flow flow;
    int enough = 0, bytes = 0, slot = 0, ends = 0;
    begin_flow(stream, &flow);
    for (int k = 0; k < HS__STREAM_WINDOW; k++) {
        posted.credit[k] = MPI_REQUEST_NULL;
        if (post(stream, &posted, k) != MPI_SUCCESS)
            return HS_ERR_MPI;
    }
    for (; ends < HS__STREAM_WINDOW; slot = (slot + 1) % HS__STREAM_WINDOW) {
        if (take(&posted, slot, &bytes) != HS_OK)
            return HS_ERR_MPI;
        if (bytes == 0) {
            ends++;
            continue;
        }
        if (!enough)
            enough = hs__flow_add(&flow, hs__clock_wall(), bytes);
        if (give_credit(stream, &posted, slot, enough) != HS_OK || post(stream, &posted, slot) != MPI_SUCCESS)
            return HS_ERR_MPI;
    }
    for (int k = 0; k < HS__STREAM_WINDOW; k++)
        if (hs__backoff_wait(&posted.credit[k], streaming(0), MPI_STATUS_IGNORE) != HS_OK)
            return HS_ERR_MPI;
    *rate = hs__flow_rate(&flow);
    return HS_OK;
}

/* Wait until the send in a slot is done, then send the next chunk from there, of no bytes when there are enough. */
static hs_status send_next(const hs__stream *stream, MPI_Request *request, int chunk)
{
    if (hs__backoff_wait(request, streaming(chunk), MPI_STATUS_IGNORE) != HS_OK ||
        PMPI_Isend(stream->memory, chunk, MPI_BYTE, stream->peer, TAG_DATA, stream->comm, request) != MPI_SUCCESS)
        return HS_ERR_MPI;
    return HS_OK;
}

hs_status hs__stream_exchange(const hs__stream *stream, double expected_rate, double seconds, double *rate)
{
    inflow posted;
    MPI_Request out[HS__STREAM_WINDOW];
    hs__flow flow;
    int bytes = 0, ends = 0, empty = 0;
    double wanted = expected_rate * window_lasts(stream) / HS__STREAM_WINDOW, begin = hs__clock_wall();
    int chunk = (int)fmin(fmax(wanted, FIRST_CHUNK), HS__STREAM_CHUNK);
    begin_flow(stream, &flow);
    for (int k = 0; k < HS__STREAM_WINDOW; k++) {
        out[k] = MPI_REQUEST_NULL;
        if (post(stream, &posted, k) != MPI_SUCCESS || send_next(stream, &out[k], chunk) != HS_OK)
            return HS_ERR_MPI;
    }
    for (int slot = 0; ends < HS__STREAM_WINDOW || empty < HS__STREAM_WINDOW; slot = (slot + 1) % HS__STREAM_WINDOW) {
        int enough = hs__clock_wall() - begin > seconds;
        if (ends < HS__STREAM_WINDOW) {
            if (take(&posted, slot, &bytes) != HS_OK)
                return HS_ERR_MPI;
            ends += bytes == 0;
            if (bytes > 0)
                hs__flow_add(&flow, hs__clock_wall(), bytes);
            if (bytes > 0 && post(stream, &posted, slot) != MPI_SUCCESS)
                return HS_ERR_MPI;
        }
        if (empty < HS__STREAM_WINDOW && send_next(stream, &out[slot], enough ? 0 : chunk) != HS_OK)
            return HS_ERR_MPI;
        empty += enough && empty < HS__STREAM_WINDOW;
    }
    for (int k = 0; k < HS__STREAM_WINDOW; k++)
        if (hs__backoff_wait(&out[k], streaming(chunk), MPI_STATUS_IGNORE) != HS_OK)
            return HS_ERR_MPI;
    *rate = hs__flow_rate(&flow);
    return HS_OK;
}

static hs_status pass(const hs__stream *stream, int sends)
{
    MPI_Request request;
    int code = sends ? PMPI_Isend(stream->memory, 8, MPI_BYTE, stream->peer, TAG_PING, stream->comm, &request)
                     : PMPI_Irecv(stream->memory, 8, MPI_BYTE, stream->peer, TAG_PING, stream->comm, &request);
    return code == MPI_SUCCESS ? hs__backoff_wait(&request, PINGING, MPI_STATUS_IGNORE) : HS_ERR_MPI;
}

hs_status hs__stream_ping(const hs__stream *stream, double *latency)
{
    hs__samples trips = {0};
    for (int k = 0; k < PINGS; k++) {
        double begin = hs__clock_wall();
        if (pass(stream, 1) != HS_OK || pass(stream, 0) != HS_OK)
            return HS_ERR_MPI;
        if (k >= WARM_UP)
            hs__samples_add(&trips, hs__clock_wall() - begin);
    }
    *latency = hs__samples_median(&trips) / 2;
    return HS_OK;
}

hs_status hs__stream_echo(const hs__stream *stream)
{
    for (int k = 0; k < PINGS; k++)
        if (pass(stream, 0) != HS_OK || pass(stream, 1) != HS_OK)
            return HS_ERR_MPI;
    return HS_OK;
}
