/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_STREAM_H
#define HS_RUNTIME_PROBE_STREAM_H

/* One rank's part of a round of flows, pings or bursts: all ranks of the round call their functions at about the same time. */

#include "runtime/base/peers.h"
#include "runtime/probe/window.h"
#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stddef.h>

enum { HS__STREAM_SENDERS = 16 };

/** What the receiver of a chunk answers. Without padding, which would be sent uninitialised. */
typedef struct hs__credit {
    double arrived; /* when, by the receiver's clock */
    double enough;  /* 1: it knows the rates */
} hs__credit;

/** What messages are sent from and received in. MPI may use it for as long as it likes when a stream was given up. */
typedef struct hs__stream_memory {
    char data[HS__WINDOW][HS__CHUNK_MAX], sent[HS__CHUNK_MAX];
    hs__credit credit, given[HS__WINDOW];
    int answer;
} hs__stream_memory;

typedef struct hs__stream {
    const hs__peers *peers;    /* borrowed */
    int peer;                  /* of pings and bursts */
    double slice;              /* seconds of a slice of time, see hs__flow */
    int most;                  /* slices to watch at most */
    double begin;              /* by this rank's clock, the first slice begins then; 0: with the first arrival */
    double expected;           /* bytes/s of what is sent, to begin with; 0: unknown */
    double latency;            /* seconds one way, as measured; 0 when unknown */
    hs__stream_memory *memory; /* borrowed */
} hs__stream;

/** Send chunks to one rank until it knows the sustained rate, and receive from several, whose `to` this one is, until theirs are
 * known, at the same time; stream->peer is not used.
 * @param to                  -1: send nothing
 * @param sender[senders]     0 <= senders <= HS__STREAM_SENDERS
 * @param[out] rate[senders]  bytes/s of each. @return HS_OK; HS_ERR_MPI; HS_ERR_TIMEOUT */
hs_status hs__stream_run(const hs__stream *stream, int to, const int *sender, int senders, double *rate);

/** Send, receive so many bytes, the same on both sides, but no less than some 100 KB.
 * @return as hs__stream_run() */
hs_status hs__stream_burst_send(const hs__stream *stream, double bytes);
hs_status hs__stream_burst_receive(const hs__stream *stream, double bytes, double *rate);

/** Send 8 bytes to and fro and give half the median time; the peer calls hs__stream_echo(). */
hs_status hs__stream_ping(const hs__stream *stream, double *latency);
hs_status hs__stream_echo(const hs__stream *stream);

#endif
