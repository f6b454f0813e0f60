/* SPDX-License-Identifier: BSD-3-Clause */
/* What a byte takes between ranks, on a network where each rank's messages take as long as the test says: latency and the first
 * message, which opens a connection, count little, and the slowest rank counts. */
#include "runtime/session/link_rate.h"
#include "runtime/session/messages.h"
#include "tests/mpi.h"
#include <time.h>

enum { LATENCY_NS = 100000, CONNECTION_NS = 1000000000 };

static struct {
    int on; /* the clock stands still but for messages */
    int connected;
    int64_t now_ns;
    double byte_ns;
} net;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __real_PMPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int __wrap_PMPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!net.on || clock != CLOCK_MONOTONIC)
        return __real_clock_gettime(clock, now);
    now->tv_sec = net.now_ns / 1000000000;
    now->tv_nsec = net.now_ns % 1000000000;
    return 0;
}

int __wrap_PMPI_Isend(const void *data, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    int bytes;
    MPI_Type_size(type, &bytes);
    if (tag == HS__RATE_TAG) {
        net.now_ns += LATENCY_NS + (int64_t)(net.byte_ns * n * bytes) + (net.connected ? 0 : CONNECTION_NS);
        net.connected = 1;
    }
    return __real_PMPI_Isend(data, n, type, peer, tag, comm, request);
}

int main(int argc, char **argv)
{
    static const double byte_ns[] = {1, 10, 100, 1000};
    MPI_Init(&argc, &argv);
    hs_context *context = start_unbalanced(PATIENCE);
    for (size_t k = 0; k < sizeof byte_ns / sizeof *byte_ns; k++) {
        double byte_s = 0, slowest = byte_ns[k] * 1e-9 * world_size();
        net.byte_ns = byte_ns[k] * (1 + world_rank());
        net.on = 1;
        net.connected = 0;
        REQUIRE(hs__link_rate_measure(context, &byte_s) == HS_OK);
        net.on = 0;
        REQUIRE(fabs(byte_s / slowest - 1) < 0.05);
    }
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return 0;
}
