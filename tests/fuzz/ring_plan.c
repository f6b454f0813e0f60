/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans as hs show --ring reads them, drawn over a platform of three hosts. */
#include "cli/platform/show_ring.h"
#include "tests/fuzz/fuzz.h"

static hs_platform *three_hosts(void)
{
    static hs_platform *platform;
    int host[3], link;
    if (platform)
        return platform;
    FUZZ_CHECK(hs_platform_create(HS_ROUTING_GRAPH, &platform) == HS_OK);
    for (int i = 0; i < 3; i++)
        FUZZ_CHECK(hs_platform_add_host(platform, (const char *[]){"a", "b", "c"}[i], 1e9, 1, &host[i], NULL) == HS_OK);
    for (int i = 0; i < 3; i++)
        FUZZ_CHECK(hs_platform_add_link(platform, (const char *[]){"ab", "bc", "ca"}[i], 1e8, 0, HS_SHARED, &link,
                                        NULL) == HS_OK &&
                   hs_platform_add_edge(platform, host[i], host[(i + 1) % 3], link, NULL) == HS_OK);
    return platform;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cli_ring_plan plan = {0};
    hs__drawing *drawing;
    hs_error error;
    char *text = NULL;
    size_t length = 0;
    if (cli_ring_plan_read(fuzz_file(data, size), three_hosts(), &plan, &error) != HS_OK) {
        fuzz_check_error(&error);
        return 0;
    }
    FILE *stream = open_memstream(&text, &length);
    FUZZ_CHECK(stream && hs__drawing_create(three_hosts(), &drawing) == HS_OK);
    cli_ring_plan_draw(&plan, drawing);
    hs__drawing_svg(drawing, stream);
    hs__drawing_dot(drawing, stream);
    fclose(stream);
    hs__drawing_free(drawing);
    cli_ring_plan_free(&plan);
    free(text);
    return 0;
}
