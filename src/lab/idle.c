/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the ranks of a lab, so that waiting does not use up their quota.
 *
 * An MPI rank polls while it waits. A real host loses nothing by that, but an emulated one is stopped for the rest of
 * its period just when the message arrives. With mpi_yield_when_idle Open MPI polls for events (epoll_wait with timeout
 * 0) and calls sched_yield when there are none. This sched_yield sleeps until the same descriptor has an event, for at
 * most longest_wait, because some messages do not arrive through a socket. */
#include "config.h"

#include "util/backoff.h"
#include "util/clock.h"
#include <dlfcn.h>
#include <heteroslice/hs_status.h>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SAME_WAIT = 50 * 1000,       /* nanoseconds: calls closer together than this belong to one wait */
    EXPECTED = 10 * 1000 * 1000, /* nanoseconds that a wait may well take: it begins with sleeps of 1 ms at most */
};

/* The wait of this thread. */
static __thread struct {
    int watched;         /* the descriptor it looks at; 0: none, since it is never that of an event queue */
    int found;           /* that had events since the last call of sched_yield */
    int64_t begun, last; /* nanoseconds: the first call of this wait, 0: none; the end of the last sleep */
} self;

HS_API int epoll_wait(int descriptor, struct epoll_event *list, int room, int timeout)
{
    static int (*next)(int, struct epoll_event *, int, int);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "epoll_wait");
    int count = next(descriptor, list, room, timeout);
    if (timeout == 0) {
        self.watched = descriptor;
        self.found |= count > 0;
    }
    return count;
}

static int let_others_run(int64_t begun)
{
    self.found = 0;
    self.begun = self.last = begun;
    return (int)syscall(SYS_sched_yield);
}

HS_API int sched_yield(void)
{
    if (self.watched == 0 || self.found)
        return let_others_run(0);
    int64_t now = hs__clock_ns(), waited = now - self.begun;
    if (self.begun == 0 || now - self.last > SAME_WAIT)
        return let_others_run(now); /* who only tests, in the midst of computing, does not come again soon */
    struct pollfd ready = {.fd = self.watched, .events = POLLIN};
    struct timespec longest = {0, (long)hs__backoff_nap_ns(waited > EXPECTED ? waited : EXPECTED)};
    ppoll(&ready, 1, &longest, NULL);
    self.last = hs__clock_ns();
    return 0;
}
