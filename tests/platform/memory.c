/* SPDX-License-Identifier: BSD-3-Clause */
/* Whichever allocation of reading, routing, drawing, writing or generating fails, it says so and leaves nothing behind. */
#include "platform/draw.h"
#include "tests/platform/read.h"
#include "tests/short_of_memory.h"

static hs_status read_again(const void *path)
{
    hs_platform *p = NULL;
    hs_error error = {0, ""};
    hs_status status = hs_platform_read(path, &p, &error);
    assert_int_equal(p != NULL, status == HS_OK);
    assert_int_equal(error.text[0] != '\0', status != HS_OK);
    hs_platform_free(p);
    return status;
}

static void reading(void **state)
{
    static const char *const files[] = {"examples/two-switches.xml", "tests/platforms/cabinets.xml",
                                        "tests/platforms/long-edges.xml", "tests/platforms/old-spellings.xml",
                                        "tests/platforms/speeds-by-size.xml"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", getenv("HS_TEST_SRCDIR"), files[i]);
        assert_true(fail_each_allocation(read_again, path) > 20);
    }
}

static hs_status draw(const void *platform)
{
    hs__drawing *d = NULL;
    hs_status status = hs__drawing_create(platform, &d);
    assert_int_equal(d != NULL, status == HS_OK);
    FILE *nowhere = fopen("/dev/null", "w");
    if (status == HS_OK)
        status = hs__drawing_svg(d, nowhere);
    fclose(nowhere);
    hs__drawing_free(d);
    return status;
}

static void drawing(void **state)
{
    hs_platform *p = read_platform("tests/platforms/cabinets.xml");
    assert_true(fail_each_allocation(draw, p) > 10);
    hs_platform_free(p);
}

static hs_status generate(const void *seed)
{
    hs_platform *p = NULL;
    hs_status status = hs_platform_generate(9, 12, 25, *(const uint64_t *)seed, &p, NULL);
    assert_int_equal(p != NULL, status == HS_OK);
    hs_platform_free(p);
    return status;
}

static void generating(void **state)
{
    const uint64_t seed = 1;
    assert_true(fail_each_allocation(generate, &seed) > 20);
}

static hs_status share(const void *platform)
{
    hs_route route[2] = {{0}};
    double rate[2];
    hs_status status = hs_platform_route(platform, 0, 5, &route[0]);
    if (status == HS_OK)
        status = hs_platform_route(platform, 4, 1, &route[1]);
    const int *links[] = {route[0].links, route[1].links};
    const size_t counts[] = {route[0].count, route[1].count};
    if (status == HS_OK)
        status = hs_platform_maxmin(platform, links, counts, 2, rate);
    hs_route_free(&route[0]);
    hs_route_free(&route[1]);
    return status;
}

static void routing(void **state)
{
    hs_platform *p = read_platform("examples/two-switches.xml");
    assert_true(fail_each_allocation(share, p) > 3);
    hs_platform_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reading), cmocka_unit_test(drawing),
                                       cmocka_unit_test(generating), cmocka_unit_test(routing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
