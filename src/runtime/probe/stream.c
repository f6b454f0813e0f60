/* SPDX-License-Identifier: BSD-3-Clause */
/* Flows with a window: the receiver answers each chunk with a credit. When it has seen enough it says so in its credits; the
 * sender ends with as many empty messages as chunks may be under way, which meet the receives still posted.
 *
 * Small chunks are sent at once by every MPI library. Large ones need an exchange before, in which both sides must take
 * part, so no one sleeps long where they are used; that is on fast networks, whose hosts can afford it. */
#include "runtime/probe/stream.h"
#include "runtime/probe/stats.h"
#include "util/assert.h"
#include "util/clock.h"
#include <math.h>

enum { TAG_DATA = 1, TAG_CREDIT, SMALL_CHUNK = 32 * 1024 };

/* Seconds that a wait is expected to last. Small chunks come every other millisecond: naps are shorter, but not so short that
 * looking costs quota. Large ones come often. */
static double streaming(int chunk)
{
    return chunk <= SMALL_CHUNK ? 12.5e-3 : 0.5e-3;
}

/* What this rank sends, to one other; nothing when none is under way. */
typedef struct outflow {
    int to, enough; /* rank; it knows the rates */
    hs__window window;
    MPI_Request request[HS__WINDOW], credit; /* of chunk n at [n % HS__WINDOW] */
} outflow;

/* What arrives, from several. */
typedef struct inflow {
    int senders, known;                /* known: how many sustained rates are */
    const int *sender;                 /* borrowed */
    hs__flow flow[HS__STREAM_SENDERS]; /* of each sender */
    int is_known[HS__STREAM_SENDERS];
    double heard[HS__STREAM_SENDERS];                 /* when */
    MPI_Request data[HS__WINDOW], credit[HS__WINDOW]; /* by slot */
    int slot, ends, bytes;                            /* of the next message; empty ones so far; of the last one */
} inflow;

static hs_status wait_for(const hs__stream *stream, MPI_Request *request, int chunk)
{
    return hs__peers_wait(stream->peers, streaming(chunk), 1, request, NULL);
}

static hs_status send(const hs__stream *stream, int to, int bytes, MPI_Request *request)
{
    int code = PMPI_Isend(stream->memory->sent, bytes, MPI_BYTE, to, TAG_DATA, stream->peers->comm, request);
    return code == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

static hs_status send_end(const hs__stream *stream, int to)
{
    hs_status status = HS_OK;
    for (int k = 0; k < HS__WINDOW && status == HS_OK; k++) {
        MPI_Request request;
        status = send(stream, to, 0, &request);
        if (status == HS_OK)
            status = wait_for(stream, &request, 0);
    }
    return status;
}

/* Send as much as the window holds and expect the next credit, or end when the receiver has seen enough and all chunks. */
static hs_status send_more(const hs__stream *stream, outflow *out)
{
    hs__window *window = &out->window;
    while (window->under_way < HS__WINDOW && !out->enough) {
        MPI_Request *request = &out->request[window->sent % HS__WINDOW];
        if (send(stream, out->to, hs__window_send(window, hs__clock_wall()), request) != HS_OK)
            return HS_ERR_MPI;
    }
    if (window->under_way == 0)
        return send_end(stream, out->to);
    int code = PMPI_Irecv(&stream->memory->credit, sizeof(hs__credit), MPI_BYTE, out->to, TAG_CREDIT,
                          stream->peers->comm, &out->credit);
    return code == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

/* The receiver has got the oldest chunk. */
static hs_status take_credit(const hs__stream *stream, outflow *out)
{
    hs__window *window = &out->window;
    MPI_Request *oldest = &out->request[hs__window_oldest(window) % HS__WINDOW];
    hs_status status = wait_for(stream, oldest, window->size);
    if (status != HS_OK)
        return status;
    out->enough |= stream->memory->credit.enough > 0;
    hs__window_answered(window, stream->memory->credit.arrived, hs__clock_wall());
    return send_more(stream, out);
}

static hs_status begin_out(const hs__stream *stream, outflow *out, int to)
{
    *out = (outflow){.to = to, .credit = MPI_REQUEST_NULL};
    hs__window_begin(&out->window, stream->expected);
    return to >= 0 ? send_more(stream, out) : HS_OK;
}

/* From the sender, or from whoever sends where there are several. */
static hs_status post(const hs__stream *stream, inflow *in, int slot)
{
    int from = in->senders == 1 ? in->sender[0] : MPI_ANY_SOURCE;
    int code = PMPI_Irecv(stream->memory->data[slot], HS__CHUNK_MAX, MPI_BYTE, from, TAG_DATA, stream->peers->comm,
                          &in->data[slot]);
    return code == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

static hs_status give_credit(const hs__stream *stream, inflow *in, int slot, int sender)
{
    hs__credit *credit = &stream->memory->given[slot];
    hs_status status = wait_for(stream, &in->credit[slot], 0);
    if (status != HS_OK)
        return status;
    *credit = (hs__credit){.arrived = hs__clock_wall(), .enough = in->known == in->senders};
    int code = PMPI_Isend(credit, sizeof *credit, MPI_BYTE, sender, TAG_CREDIT, stream->peers->comm, &in->credit[slot]);
    return code == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

/* A sender that is missing would not show in waits that others' messages end. @return HS_OK; HS_ERR_TIMEOUT */
static hs_status note(inflow *in, int sender, double timeout)
{
    double now = hs__clock_wall();
    for (int k = 0; k < in->senders; k++) {
        if (in->sender[k] == sender) {
            in->heard[k] = now;
            if (!in->is_known[k])
                in->known += in->is_known[k] = hs__flow_add(&in->flow[k], now, in->bytes);
        }
        if (!in->is_known[k] && now - in->heard[k] > timeout)
            return HS_ERR_TIMEOUT;
    }
    return HS_OK;
}

/* The message in the next slot has arrived. A sender's end is as many empty ones as there are slots. */
static hs_status take_message(const hs__stream *stream, inflow *in, const MPI_Status *message)
{
    int slot = in->slot;
    in->slot = (slot + 1) % HS__WINDOW;
    if (PMPI_Get_count(message, MPI_BYTE, &in->bytes) != MPI_SUCCESS)
        return HS_ERR_MPI;
    if (in->bytes == 0)
        return ++in->ends <= HS__WINDOW * (in->senders - 1) ? post(stream, in, slot) : HS_OK;
    hs_status status = note(in, message->MPI_SOURCE, stream->peers->timeout);
    if (status == HS_OK)
        status = give_credit(stream, in, slot, message->MPI_SOURCE);
    return status == HS_OK ? post(stream, in, slot) : status;
}

static void begin_flow(const hs__stream *stream, hs__flow *flow)
{
    hs__flow_begin(flow, fmax(stream->slice, hs__window_queue + 4 * stream->latency), stream->most);
    if (stream->begin > 0)
        hs__flow_add(flow, stream->begin, 0);
}

static hs_status begin_in(const hs__stream *stream, inflow *in, const int *sender, int senders)
{
    hs_status status = HS_OK;
    *in = (inflow){.senders = senders, .sender = sender};
    for (int k = 0; k < senders; k++) {
        in->heard[k] = hs__clock_wall();
        begin_flow(stream, &in->flow[k]);
    }
    for (int k = 0; k < HS__WINDOW; k++)
        in->data[k] = in->credit[k] = MPI_REQUEST_NULL;
    for (int k = 0; k < HS__WINDOW && senders > 0 && status == HS_OK; k++)
        status = post(stream, in, k);
    return status;
}

/* Wait for the next message or credit, and go on. What was not served last is looked at first, so neither starves the other.
 * @param[in,out] turn  1: look at credits first */
static hs_status advance(const hs__stream *stream, outflow *out, inflow *in, int *turn)
{
    MPI_Request *wanted[2] = {&in->data[in->slot], &out->credit}, next[2] = {*wanted[*turn], *wanted[!*turn]};
    MPI_Status message;
    int one;
    double expected = streaming(in->bytes > out->window.size ? in->bytes : out->window.size);
    hs_status status = hs__peers_wait_one(stream->peers, expected, 2, next, &one, &message);
    if (status != HS_OK)
        return status;
    int is_credit = one ? !*turn : *turn;
    *wanted[is_credit] = MPI_REQUEST_NULL;
    *turn = !is_credit;
    return is_credit ? take_credit(stream, out) : take_message(stream, in, &message);
}

hs_status hs__stream_run(const hs__stream *stream, int to, const int *sender, int senders, double *rate)
{
    HS_ASSERT(senders >= 0 && senders <= HS__STREAM_SENDERS && (to >= 0 || senders > 0));
    outflow out;
    inflow in;
    int turn = 0;
    hs_status status = begin_in(stream, &in, sender, senders);
    if (status == HS_OK)
        status = begin_out(stream, &out, to);
    while (status == HS_OK && (out.window.under_way > 0 || in.ends < HS__WINDOW * senders))
        status = advance(stream, &out, &in, &turn);
    HS_ASSERT(status != HS_OK || (out.window.under_way == 0 && in.ends == HS__WINDOW * senders));
    if (status == HS_OK)
        status = hs__peers_wait(stream->peers, streaming(0), HS__WINDOW, in.credit, NULL);
    for (int k = 0; k < senders && status == HS_OK; k++)
        rate[k] = hs__flow_rate(&in.flow[k]);
    return status;
}
