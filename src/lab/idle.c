/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the ranks of a lab: waiting must not use up the quota.
 *
 * An MPI rank polls while it waits. On a real host that costs nothing anybody wants; under a quota it stops the host
 * for the rest of the period just when its message comes. With mpi_yield_when_idle Open MPI looks for events
 * (epoll_wait without a timeout) and, when there are none, calls sched_yield. Here that call sleeps until the same
 * descriptor has an event, for at most longest_wait: some of what a rank waits for does not come through a socket. */
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
static const long same_spell = 50 * 1000; /* calls closer together than this belong to one wait */

static __thread int events = -1;      /* the descriptor this thread looks at */
static __thread int found;            /* it had events since the last call of sched_yield */
static __thread long wait_time;       /* of the next sleep, doubled from sleep to sleep of one wait */
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
    if (nanoseconds_since(&last, &now) > same_spell || wait_time == 0) {
        wait_time = shortest_wait; /* who only tests, in the midst of computing, does not come again soon */
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
