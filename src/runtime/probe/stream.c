/* SPDX-License-Identifier: BSD-3-Clause */
/* A flow with a window: the receiver answers each chunk with a credit, and the sender has at most WINDOW chunks under
 * way. Chunks are sized so that the window lasts some 16 ms beside the latency: long enough to keep the link busy while
 * either side sleeps or its CPU quota is spent, short enough to leave little in the queues when the receiver has seen
 * enough. It says so in its credits; the sender ends with WINDOW empty messages, which meet the receives still posted.
 *
 * Small chunks are sent at once by every MPI library. Large ones need an exchange before, in which both sides must take
 * part, so no one sleeps long where they are used; that is on fast networks, whose hosts can afford it. */
#include "runtime/probe/stream.h"
#include "runtime/probe/stats.h"
#include "util/assert.h"
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

static hs_status wait_for(const hs__stream *stream, MPI_Request *request, int chunk)
{
    return hs__peers_wait(stream->peers, streaming(chunk), 1, request, NULL);
}

static hs_status send(const hs__stream *stream, int chunk, MPI_Request *request)
{
    int code = PMPI_Isend(stream->memory->data, chunk, MPI_BYTE, stream->peer, TAG_DATA, stream->peers->comm, request);
    return code == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

static hs_status send_end(const hs__stream *stream)
{
    hs_status status = HS_OK;
    for (int k = 0; k < HS__STREAM_WINDOW && status == HS_OK; k++) {
        MPI_Request request;
        status = send(stream, 0, &request);
        if (status == HS_OK)
            status = wait_for(stream, &request, 0);
    }
    return status;
}

/* Wait for the credit of the oldest chunk, and until it is sent. */
static hs_status take_credit(const hs__stream *stream, int chunk, MPI_Request *sent, int *enough)
{
    MPI_Request credit;
    int *answer = &stream->memory->answer[0];
    if (PMPI_Irecv(answer, 1, MPI_INT, stream->peer, TAG_CREDIT, stream->peers->comm, &credit) != MPI_SUCCESS)
        return HS_ERR_MPI;
    hs_status status = wait_for(stream, &credit, chunk);
    if (status == HS_OK)
        *enough |= *answer;
    return status == HS_OK ? wait_for(stream, sent, chunk) : status;
}

hs_status hs__stream_send(const hs__stream *stream)
{
    MPI_Request request[HS__STREAM_WINDOW];
    int size[HS__STREAM_WINDOW], under_way = 0, enough = 0, sent = 0;
    outflow flow = {.chunk = FIRST_CHUNK, .adapted = hs__clock_wall()};
    while (under_way > 0 || !enough) {
        for (; under_way < HS__STREAM_WINDOW && !enough; under_way++, sent++) {
            int slot = sent % HS__STREAM_WINDOW;
            size[slot] = flow.chunk;
            if (send(stream, flow.chunk, &request[slot]) != HS_OK)
                return HS_ERR_MPI;
        }
        int oldest = (sent - under_way) % HS__STREAM_WINDOW;
        hs_status status = take_credit(stream, flow.chunk, &request[oldest], &enough);
        if (status != HS_OK)
            return status;
        under_way--;
        adapt_chunk(stream, &flow, size[oldest]);
    }
    return send_end(stream);
}

typedef struct inflow {
    MPI_Request data[HS__STREAM_WINDOW], credit[HS__STREAM_WINDOW];
} inflow;

/* From the peer, or from whoever sends where there are several senders. */
static hs_status post(const hs__stream *stream, inflow *posted, int slot)
{
    int code = PMPI_Irecv(stream->memory->data[slot], HS__STREAM_CHUNK, MPI_BYTE, stream->peer, TAG_DATA,
                          stream->peers->comm, &posted->data[slot]);
    return code == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

/* Wait for the message in a slot. *bytes is the length of the message before and becomes that of this one.
 * @param[out] sender  its rank; may be NULL */
static hs_status take(const hs__stream *stream, inflow *posted, int slot, int *bytes, int *sender)
{
    MPI_Status received;
    hs_status status = hs__peers_wait(stream->peers, streaming(*bytes), 1, &posted->data[slot], &received);
    if (status == HS_OK && PMPI_Get_count(&received, MPI_BYTE, bytes) != MPI_SUCCESS)
        status = HS_ERR_MPI;
    if (status == HS_OK && sender)
        *sender = received.MPI_SOURCE;
    return status;
}

static hs_status give_credit(const hs__stream *stream, inflow *posted, int slot, int sender, int enough)
{
    int *answer = &stream->memory->answer[slot];
    hs_status status = wait_for(stream, &posted->credit[slot], 0);
    if (status != HS_OK)
        return status;
    *answer = enough;
    int code = PMPI_Isend(answer, 1, MPI_INT, sender, TAG_CREDIT, stream->peers->comm, &posted->credit[slot]);
    return code == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

static void begin_flow(const hs__stream *stream, hs__flow *flow)
{
    hs__flow_begin(flow, fmax(stream->slice, window_lasts(stream)), stream->most);
    if (stream->begin > 0)
        hs__flow_add(flow, stream->begin, 0);
}

/* What has arrived from several senders. */
typedef struct gathering {
    int senders, known;                /* known: how many sustained rates are */
    const int *sender;                 /* borrowed */
    hs__flow flow[HS__STREAM_SENDERS]; /* of each sender */
    int is_known[HS__STREAM_SENDERS];
    double heard[HS__STREAM_SENDERS]; /* when */
} gathering;

/* Takes in a message. A sender that is missing would not show in waits that others' messages end.
 * @return HS_OK; HS_ERR_TIMEOUT */
static hs_status note(gathering *g, int sender, int bytes, double timeout)
{
    double now = hs__clock_wall();
    for (int k = 0; k < g->senders; k++) {
        if (g->sender[k] == sender) {
            g->heard[k] = now;
            if (!g->is_known[k])
                g->known += g->is_known[k] = hs__flow_add(&g->flow[k], now, bytes);
        }
        if (!g->is_known[k] && now - g->heard[k] > timeout)
            return HS_ERR_TIMEOUT;
    }
    return HS_OK;
}

/* Take messages until all senders have ended. */
static hs_status take_all(const hs__stream *stream, inflow *posted, gathering *g)
{
    int bytes = 0, ends = 0, sender = 0;
    hs_status status = HS_OK;
    for (int slot = 0; ends < HS__STREAM_WINDOW * g->senders && status == HS_OK;
         slot = (slot + 1) % HS__STREAM_WINDOW) {
        status = take(stream, posted, slot, &bytes, &sender);
        if (status == HS_OK && bytes == 0) {
            ends++;
            if (ends <= HS__STREAM_WINDOW * (g->senders - 1))
                status = post(stream, posted, slot);
            continue;
        }
        if (status == HS_OK)
            status = note(g, sender, bytes, stream->peers->timeout);
        if (status == HS_OK)
            status = give_credit(stream, posted, slot, sender, g->known == g->senders);
        if (status == HS_OK)
            status = post(stream, posted, slot);
    }
    return status;
}

hs_status hs__stream_gather(const hs__stream *stream, const int *sender, int senders, double *rate)
{
    HS_ASSERT(senders >= 1 && senders <= HS__STREAM_SENDERS);
    inflow posted;
    hs_status status = HS_OK;
    hs__stream any = *stream;
    gathering g = {.senders = senders, .sender = sender};
    any.peer = senders == 1 ? sender[0] : MPI_ANY_SOURCE;
    for (int k = 0; k < senders; k++) {
        g.heard[k] = hs__clock_wall();
        begin_flow(stream, &g.flow[k]);
    }
    for (int k = 0; k < HS__STREAM_WINDOW && status == HS_OK; k++) {
        posted.credit[k] = MPI_REQUEST_NULL;
        status = post(&any, &posted, k);
    }
    if (status == HS_OK)
        status = take_all(&any, &posted, &g);
    for (int k = 0; k < HS__STREAM_WINDOW && status == HS_OK; k++)
        status = wait_for(stream, &posted.credit[k], 0);
    for (int k = 0; k < senders && status == HS_OK; k++)
        rate[k] = hs__flow_rate(&g.flow[k]);
    return status;
}

hs_status hs__stream_receive(const hs__stream *stream, double *rate)
{
    return hs__stream_gather(stream, &stream->peer, 1, rate);
}

/* Wait until the send in a slot is done, then send the next chunk from there, of no bytes when there are enough. */
static hs_status send_next(const hs__stream *stream, MPI_Request *request, int chunk)
{
    hs_status status = wait_for(stream, request, chunk);
    return status == HS_OK ? send(stream, chunk, request) : status;
}

/* Take the message in a slot, and make room for another one unless it was empty. */
static hs_status take_next(const hs__stream *stream, inflow *posted, int slot, hs__flow *flow, int *bytes)
{
    hs_status status = take(stream, posted, slot, bytes, NULL);
    if (status != HS_OK || *bytes == 0)
        return status;
    hs__flow_add(flow, hs__clock_wall(), *bytes);
    return post(stream, posted, slot);
}

hs_status hs__stream_exchange(const hs__stream *stream, double expected_rate, double seconds, double *rate)
{
    inflow posted;
    MPI_Request out[HS__STREAM_WINDOW];
    hs__flow flow;
    int bytes = 0, ends = 0, empty = 0;
    double wanted = expected_rate * window_lasts(stream) / HS__STREAM_WINDOW, begin = hs__clock_wall();
    int chunk = (int)fmin(fmax(wanted, FIRST_CHUNK), HS__STREAM_CHUNK);
    hs_status status = HS_OK;
    begin_flow(stream, &flow);
    for (int k = 0; k < HS__STREAM_WINDOW && status == HS_OK; k++) {
        status = post(stream, &posted, k);
        if (status == HS_OK)
            status = send(stream, chunk, &out[k]);
    }
    for (int slot = 0; status == HS_OK && (ends < HS__STREAM_WINDOW || empty < HS__STREAM_WINDOW);
         slot = (slot + 1) % HS__STREAM_WINDOW) {
        int enough = hs__clock_wall() - begin > seconds;
        if (ends < HS__STREAM_WINDOW) {
            status = take_next(stream, &posted, slot, &flow, &bytes);
            ends += status == HS_OK && bytes == 0;
        }
        if (empty < HS__STREAM_WINDOW && status == HS_OK)
            status = send_next(stream, &out[slot], enough ? 0 : chunk);
        empty += enough && empty < HS__STREAM_WINDOW;
    }
    for (int k = 0; k < HS__STREAM_WINDOW && status == HS_OK; k++)
        status = wait_for(stream, &out[k], chunk);
    if (status == HS_OK)
        *rate = hs__flow_rate(&flow);
    return status;
}

static hs_status pass(const hs__stream *stream, int sends)
{
    MPI_Request request;
    char *ball = stream->memory->data[0];
    MPI_Comm comm = stream->peers->comm;
    int code = sends ? PMPI_Isend(ball, 8, MPI_BYTE, stream->peer, TAG_PING, comm, &request)
                     : PMPI_Irecv(ball, 8, MPI_BYTE, stream->peer, TAG_PING, comm, &request);
    return code == MPI_SUCCESS ? hs__peers_wait(stream->peers, PINGING, 1, &request, NULL) : HS_ERR_MPI;
}

/* To and fro, whoever begins. */
static hs_status pass_twice(const hs__stream *stream, int sends)
{
    hs_status status = pass(stream, sends);
    return status == HS_OK ? pass(stream, !sends) : status;
}

hs_status hs__stream_ping(const hs__stream *stream, double *latency)
{
    hs__samples trips = {0};
    hs_status status = HS_OK;
    for (int k = 0; k < PINGS && status == HS_OK; k++) {
        double begin = hs__clock_wall();
        status = pass_twice(stream, 1);
        if (k >= WARM_UP)
            hs__samples_add(&trips, hs__clock_wall() - begin);
    }
    if (status == HS_OK)
        *latency = hs__samples_median(&trips) / 2;
    return status;
}

hs_status hs__stream_echo(const hs__stream *stream)
{
    hs_status status = HS_OK;
    for (int k = 0; k < PINGS && status == HS_OK; k++)
        status = pass_twice(stream, 0);
    return status;
}
