/* SPDX-License-Identifier: BSD-3-Clause */
/* unstopped SECONDS: computes until it had that much processor time at a stretch, without being stopped in between. */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile sig_atomic_t continued;

static void note(int signal)
{
    continued = signal;
}

static double used(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: unstopped SECONDS\n", stderr);
        return 2;
    }
    double begin = used();
    signal(SIGCONT, note);
    while (used() - begin < atof(argv[1]))
        if (continued) {
            continued = 0;
            begin = used();
        }
    return 0;
}
