/* SPDX-License-Identifier: BSD-3-Clause */
/* Platform files, which are also what a probe writes and hs run keeps. What is accepted can be used. */
#include "config.h"

#include "platform/draw.h"
#include "tests/fuzz/fuzz.h"
#include <heteroslice/hs_ring.h>
#include <unistd.h>

enum { FEW_HOSTS = 8, FEW_LINKS = 60 };

static void use_routes(const hs_platform *platform)
{
    int hosts = hs_platform_hosts(platform);
    for (int k = 0; k < 8; k++) {
        hs_route route = {0};
        if (hs_platform_route(platform, k % hosts, (k * 3 + 1) % hosts, &route) == HS_OK)
            FUZZ_CHECK(route.bandwidth > 0 && route.latency >= 0);
        hs_route_free(&route);
    }
}

static void draw(const hs_platform *platform)
{
    hs__drawing *drawing;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    FUZZ_CHECK(stream);
    if (hs__drawing_create(platform, &drawing) == HS_OK) {
        hs__drawing_svg(drawing, stream);
        hs__drawing_dot(drawing, stream);
        hs__drawing_free(drawing);
    }
    fclose(stream);
    free(text);
}

static void plan_ring(const hs_platform *platform)
{
    hs_ring_params params;
    hs_ring *ring = NULL;
    hs_error error;
    hs_ring_params_init(&params);
    params.work = 1e9;
    params.halo = 1e5;
    params.units = 1000;
    params.budget = 50;
    hs_status status = hs_ring_create(platform, &params, &ring, &error);
    if (status == HS_OK)
        FUZZ_CHECK(hs_ring_size(ring) >= 1);
    else
        fuzz_check_error(&error);
    hs_ring_free(ring);
}

static char written[] = "/tmp/hs-fuzz-XXXXXX";

static void remove_scratch(void)
{
    unlink(written);
}

/* A file that may be replaced, unlike one in memory. */
static const char *scratch(void)
{
    static int is_made;
    if (!is_made) {
        int file = mkstemp(written);
        FUZZ_CHECK(file >= 0 && close(file) == 0 && atexit(remove_scratch) == 0);
        is_made = 1;
    }
    return written;
}

/* It is written as a file that is read again as the same. */
static void write_again(const hs_platform *platform)
{
    hs_error error;
    hs_platform *again = NULL;
    const char *path = scratch();
    FUZZ_CHECK(hs_platform_write(platform, path, &error) == HS_OK);
    FUZZ_CHECK(hs_platform_read(path, &again, &error) == HS_OK);
    FUZZ_CHECK(hs_platform_hosts(again) == hs_platform_hosts(platform) &&
               hs_platform_links(again) == hs_platform_links(platform));
    hs_platform_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hs_platform *platform = NULL;
    hs_error error;
    if (hs_platform_read(fuzz_file(data, size), &platform, &error) != HS_OK) {
        fuzz_check_error(&error);
        FUZZ_CHECK(!platform);
        return 0;
    }
    FUZZ_CHECK(hs_platform_check(platform, &error) == HS_OK);
    use_routes(platform);
    if (hs_platform_hosts(platform) <= FEW_HOSTS && hs_platform_links(platform) <= FEW_LINKS &&
        hs_platform_routers(platform) <= FEW_LINKS) {
        draw(platform);
        plan_ring(platform);
        write_again(platform);
    }
    hs_platform_free(platform);
    return 0;
}
