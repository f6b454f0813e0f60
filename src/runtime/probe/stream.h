/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_STREAM_H
#define HS_RUNTIME_PROBE_STREAM_H

/* One rank's part of a round: the two ranks of a pair call the opposite functions at about the same time, or several send to one
 * that gathers. */

#include "runtime/base/peers.h"
#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stddef.h>

enum { HS__STREAM_WINDOW = 16, HS__STREAM_CHUNK = 1 << 19, HS__STREAM_SENDERS = 16 };

/** What messages are sent from and received in. MPI may use it for as long as it likes when a stream was given up. */
typedef struct hs__stream_memory {
    char data[HS__STREAM_WINDOW][HS__STREAM_CHUNK];
    int answer[HS__STREAM_WINDOW];
} hs__stream_memory;

typedef struct hs__stream {
    const hs__peers *peers; /* borrowed */
    int peer;
    double slice;              /* seconds of a slice of time, see hs__flow */
    int most;                  /* slices to watch at most */
    double begin;              /* by this rank's clock, the first slice begins then; 0: with the first arrival */
    double latency;            /* seconds one way, as measured; 0 when unknown */
    hs__stream_memory *memory; /* borrowed */
} hs__stream;

/** Send chunks until the receiver knows the sustained rate. @return HS_OK; HS_ERR_MPI; HS_ERR_TIMEOUT */
hs_status hs__stream_send(const hs__stream *stream);

/** Receive until the sustained rate is known. @return HS_OK with *rate in bytes/s; as hs__stream_send() */
hs_status hs__stream_receive(const hs__stream *stream, double *rate);

/** Receive from several ranks at once, whose peer this one is, until all sustained rates are known; stream->peer is not used.
 * @param sender[senders]     1 <= senders <= HS__STREAM_SENDERS
 * @param[out] rate[senders]  bytes/s of each. @return as hs__stream_send() */
hs_status hs__stream_gather(const hs__stream *stream, const int *sender, int senders, double *rate);

/** Send and receive at the same time, chunks of this size for so many seconds; the peer calls it too, with the same
 * values. @return HS_OK with *rate in bytes/s of what arrived; as hs__stream_send() */
hs_status hs__stream_exchange(const hs__stream *stream, double expected_rate, double seconds, double *rate);

/** Send, receive so many bytes, the same on both sides, but no less than some 100 KB.
 * @return as hs__stream_send(), hs__stream_receive() */
hs_status hs__stream_burst_send(const hs__stream *stream, double bytes);
hs_status hs__stream_burst_receive(const hs__stream *stream, double bytes, double *rate);

/** Send 8 bytes to and fro and give half the median time; the peer calls hs__stream_echo(). */
hs_status hs__stream_ping(const hs__stream *stream, double *latency);
hs_status hs__stream_echo(const hs__stream *stream);

#endif
