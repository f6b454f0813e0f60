/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's program for the installed planning library: reads a platform and slices units over its hosts. */
#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_slices.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double cycle_time[] = {1, 2}, comm_time[] = {0, 0}, step_time;
    int64_t count[2];
    hs_platform *platform;
    hs_error error;
    if (hs_platform_read(argc > 1 ? argv[1] : "", &platform, &error) != HS_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    hs_platform_free(platform);
    if (hs_slices_compute(cycle_time, comm_time, 2, 30, 1, HS_STEP_SERIAL, count, &step_time) != HS_OK)
        return 1;
    printf("%lld %lld %g\n", (long long)count[0], (long long)count[1], step_time);
    return 0;
}
