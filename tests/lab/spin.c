/* SPDX-License-Identifier: BSD-3-Clause */
/* spin SECONDS: prints how much arithmetic this process does per second of wall time. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: spin SECONDS\n", stderr);
        return 2;
    }
    double seconds = atof(argv[1]), begin = now(), blocks = 0;
    volatile double x = 1;
    do {
        for (int i = 0; i < 10000; i++)
            x = x * 1.0000001 + 1e-9;
        blocks++;
    } while (now() - begin < seconds);
    printf("%.1f\n", blocks / (now() - begin));
    return 0;
}
