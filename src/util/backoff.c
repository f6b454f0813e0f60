/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "util/backoff.h"
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* An event during a nap is noticed at its end, on average half a nap late. With naps of a twentieth of the wait so far the
 * delay is a fortieth of the wait, also in a chain of waits that depend on each other. */
enum { PART = 20 };

/* Nanoseconds. Falling asleep and waking up takes 20 to 45 us on a virtual machine whose core goes idle: with shorter
 * naps that is a good part of the wait. A rank that polls every 5 ms takes 0.1 % of a processor, so longer naps save
 * nothing. */
enum { SHORTEST = 100000, LONGEST = 5000000 };

/* By default the kernel may add 50 us to every nap. */
enum { TIMER_SLACK = 1000 };

int64_t hs__backoff_nap_ns(int64_t waited_ns)
{
    int64_t nap = waited_ns / PART;
    return nap < SHORTEST ? 0 : nap < LONGEST ? nap : LONGEST;
}

static void be_punctual(void)
{
    static __thread int is_punctual;
    if (!is_punctual)
        prctl(PR_SET_TIMERSLACK, (unsigned long)TIMER_SLACK);
    is_punctual = 1;
}

int hs__backoff_nap(int64_t waited_ns)
{
    struct timespec nap = {0, (long)hs__backoff_nap_ns(waited_ns)};
    if (nap.tv_nsec == 0)
        return 0;
    be_punctual();
    nanosleep(&nap, NULL);
    return 1;
}

void hs__backoff_pause(int64_t waited_ns)
{
    if (!hs__backoff_nap(waited_ns))
        syscall(SYS_sched_yield); /* by its number, since sched_yield() may be the function that calls this one */
}
