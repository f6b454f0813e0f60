/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/stats.h"
#include "runtime/probe/stream.h"
#include "util/clock.h"

enum { TAG_PING = 3, WARM_UP = 3, PINGS = WARM_UP + HS__SAMPLES_KEPT };

static const double PINGING = 0; /* seconds that a wait is expected to last */

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
