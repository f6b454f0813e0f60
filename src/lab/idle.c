/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the ranks of a lab, so that waiting does not use up their quota.
 *
 * An MPI rank polls while it waits. A real host loses nothing by that, but an emulated one is stopped for the rest of
 * its period just when the message arrives. With mpi_yield_when_idle Open MPI polls for events (epoll_wait with timeout
 * 0) and calls sched_yield when there are none. This sched_yield sleeps until the same descriptor has an event, for at
 * most longest_wait, because some messages do not arrive through a socket. */
#include "config.h"

#include <dlfcn.h>
#include <heteroslice/hs_status.h>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const long shortest_wait = 20 * 1000, longest_wait = 5 * 1000 * 1000; /* nanoseconds */
static const long longest_gap = 50 * 1000; /* nanoseconds; calls closer together than this belong to one wait */

static __thread int events = -1;      /* the descriptor this thread polls */
static __thread int found;            /* whether it had events since the last call of sched_yield */
static __thread long wait_time;       /* length of the next sleep; doubles during one wait */
static __thread struct timespec last; /* when the last sleep ended */

HS_API int epoll_wait(int descriptor, struct epoll_event *list, int room, int timeout)
{
    static int (*next)(int, struct epoll_event *, int, int);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "epoll_wait");
    int count = next(descriptor, list, room, timeout);
    if (timeout == 0) {
        events = descriptor;
        found |= count > 0;
    }
    return count;
}

static long nanoseconds_since(const struct timespec *then, const struct timespec *now)
{
    return (now->tv_sec - then->tv_sec) * 1000000000L + now->tv_nsec - then->tv_nsec;
}

HS_API int sched_yield(void)
{
    struct timespec now;
    if (events < 0 || found) {
        found = 0;
        wait_time = 0;
        return (int)syscall(SYS_sched_yield);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (nanoseconds_since(&last, &now) > longest_gap || wait_time == 0) {
        wait_time = shortest_wait; /* no sleep yet: a rank that only tests while it computes does not call again soon */
        last = now;
        return (int)syscall(SYS_sched_yield);
    }
    if (wait_time < longest_wait)
        wait_time *= 2;
    struct pollfd ready = {.fd = events, .events = POLLIN};
    struct timespec timeout = {0, wait_time < longest_wait ? wait_time : longest_wait};
    ppoll(&ready, 1, &timeout, NULL);
    clock_gettime(CLOCK_MONOTONIC, &last);
    return 0;
}
