/* SPDX-License-Identifier: BSD-3-Clause */
/* A flow of so many bytes, for a look at a link whose bandwidth is known about. The receiver says when it is ready: by then the
 * two are connected. Its rate is the slope of bytes over time from the first chunk on, as an arrival that is noticed late
 * hardly counts. */
#include "runtime/probe/stats.h"
#include "runtime/probe/stream.h"
#include "util/clock.h"
#include <math.h>

enum { TAG_BURST = 5, TAG_READY, LEAST_CHUNK = 4096, CHUNKS = 24 };
_Static_assert((int)CHUNKS >= (int)HS__WINDOW, "the window is full at the start");

static const double soon = 2e-3; /* that a wait is expected to last, at most */

/* Both sides come to the same sizes. */
static void divide(double bytes, int *chunk, int *count)
{
    bytes = fmin(bytes, 1e11);
    *chunk = (int)fmin(fmax(bytes / CHUNKS, LEAST_CHUNK), HS__CHUNK_MAX);
    *count = (int)fmax(ceil(bytes / *chunk), CHUNKS);
}

static hs_status wait_for(const hs__stream *stream, MPI_Request *request)
{
    return hs__peers_wait(stream->peers, soon, 1, request, NULL);
}

hs_status hs__stream_burst_send(const hs__stream *stream, double bytes)
{
    MPI_Request request[HS__WINDOW], ready;
    MPI_Comm comm = stream->peers->comm;
    int chunk, count;
    divide(bytes, &chunk, &count);
    if (PMPI_Irecv(&stream->memory->answer, 1, MPI_INT, stream->peer, TAG_READY, comm, &ready) != MPI_SUCCESS)
        return HS_ERR_MPI;
    hs_status status = wait_for(stream, &ready);
    for (int k = 0; k < count && status == HS_OK; k++) {
        MPI_Request *slot = &request[k % HS__WINDOW];
        if (k >= HS__WINDOW)
            status = wait_for(stream, slot);
        if (status == HS_OK &&
            PMPI_Isend(stream->memory->data[0], chunk, MPI_BYTE, stream->peer, TAG_BURST, comm, slot) != MPI_SUCCESS)
            status = HS_ERR_MPI;
    }
    return status == HS_OK ? hs__peers_wait(stream->peers, soon, HS__WINDOW, request, NULL) : status;
}

static hs_status post(const hs__stream *stream, int chunk, int slot, MPI_Request *request)
{
    int code = PMPI_Irecv(stream->memory->data[slot], chunk, MPI_BYTE, stream->peer, TAG_BURST, stream->peers->comm,
                          &request[slot]);
    return code == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

hs_status hs__stream_burst_receive(const hs__stream *stream, double bytes, double *rate)
{
    MPI_Request request[HS__WINDOW], ready;
    hs__line line = {0};
    int chunk, count;
    hs_status status = HS_OK;
    divide(bytes, &chunk, &count);
    for (int k = 0; k < HS__WINDOW && status == HS_OK; k++)
        status = post(stream, chunk, k, request);
    if (status == HS_OK && PMPI_Isend(&stream->memory->answer, 1, MPI_INT, stream->peer, TAG_READY, stream->peers->comm,
                                      &ready) != MPI_SUCCESS)
        status = HS_ERR_MPI;
    for (int k = 0; k < count && status == HS_OK; k++) {
        status = wait_for(stream, &request[k % HS__WINDOW]);
        hs__line_add(&line, hs__clock_wall(), (double)chunk * k);
        if (status == HS_OK && k + HS__WINDOW < count)
            status = post(stream, chunk, k % HS__WINDOW, request);
    }
    if (status == HS_OK)
        status = wait_for(stream, &ready);
    if (status == HS_OK)
        *rate = hs__line_slope(&line);
    return status;
}
