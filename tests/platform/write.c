/* SPDX-License-Identifier: BSD-3-Clause */
/* A written file is read as the same platform, which is written as the same text again. */
#include "platform/platform.h"
#include "tests/comma_locale.h"
#include "tests/unit.h"
#include <dirent.h>
#include <unistd.h>

static char folder[] = "/tmp/hs-write-XXXXXX";
static char first[64], second[64];

static int enter(void **state)
{
    if (!mkdtemp(folder))
        return -1;
    snprintf(first, sizeof first, "%s/first", folder);
    snprintf(second, sizeof second, "%s/second", folder);
    return 0;
}

static int leave(void **state)
{
    unlink(first);
    unlink(second);
    return rmdir(folder);
}

static void check_same_function(const hs_speed_function *a, const hs_speed_function *b)
{
    assert_int_equal(a->points, b->points);
    for (int i = 0; i < a->points; i++) {
        CHECK_CLOSE(a->point[i].size, b->point[i].size, 0);
        CHECK_CLOSE(a->point[i].speed, b->point[i].speed, 0);
    }
    CHECK_CLOSE(a->max_size, b->max_size, 0);
}

static void check_same_parts(const hs_platform *a, const hs_platform *b)
{
    assert_int_equal(hs_platform_hosts(a), hs_platform_hosts(b));
    assert_int_equal(hs_platform_routers(a), hs_platform_routers(b));
    assert_int_equal(hs_platform_links(a), hs_platform_links(b));
    assert_int_equal(a->zone_count, b->zone_count);
    assert_string_equal(a->comment ? a->comment : "none", b->comment ? b->comment : "none");
    for (size_t v = 0; v < a->node_count; v++) {
        assert_string_equal(a->nodes[v].id, b->nodes[v].id);
        assert_int_equal(a->nodes[v].zone, b->nodes[v].zone);
        assert_int_equal(a->nodes[v].vertex, b->nodes[v].vertex);
        assert_int_equal(a->nodes[v].cores, b->nodes[v].cores);
        CHECK_CLOSE(a->nodes[v].speed, b->nodes[v].speed, 0);
        check_same_function(&a->nodes[v].by_size, &b->nodes[v].by_size);
    }
    for (size_t l = 0; l < a->link_count; l++) {
        assert_string_equal(a->links[l].id, b->links[l].id);
        assert_int_equal(a->links[l].sharing, b->links[l].sharing);
        assert_int_equal(a->links[l].twin, b->links[l].twin);
        assert_int_equal(a->links[l].at_least, b->links[l].at_least);
        CHECK_CLOSE(a->links[l].bandwidth, b->links[l].bandwidth, 0);
        CHECK_CLOSE(a->links[l].latency, b->links[l].latency, 0);
    }
}

static void check_same_routes(const hs_platform *a, const hs_platform *b)
{
    hs_route from_a = {0}, from_b = {0};
    for (int v = 0; v < (int)a->node_count; v++)
        for (int u = 0; u < (int)a->node_count; u++) {
            hs_status status = hs_platform_route(a, v, u, &from_a);
            assert_int_equal(hs_platform_route(b, v, u, &from_b), status);
            assert_int_equal(from_a.count, from_b.count);
            for (size_t i = 0; i < from_a.count; i++)
                assert_int_equal(from_a.links[i], from_b.links[i]);
        }
    hs_route_free(&from_a);
    hs_route_free(&from_b);
}

static void check_same_text(void)
{
    FILE *a = fopen(first, "r"), *b = fopen(second, "r");
    int c;
    do {
        c = getc(a);
        assert_int_equal(c, getc(b));
    } while (c != EOF);
    fclose(a);
    fclose(b);
}

static void check_back_and_forth(const hs_platform *p)
{
    hs_platform *back = NULL;
    hs_error error = {0, ""};
    if (hs_platform_write(p, first, &error) != HS_OK || hs_platform_read(first, &back, &error) != HS_OK) {
        fprintf(stderr, "%d: %s\n", error.line, error.text);
        fail();
    }
    check_same_parts(p, back);
    check_same_routes(p, back);
    assert_int_equal(hs_platform_write(back, second, NULL), HS_OK);
    check_same_text();
    hs_platform_free(back);
}

static void all_files(void **state)
{
    char path[4096 + 256];
    snprintf(path, sizeof path, "%s/tests/platforms", getenv("HS_TEST_SRCDIR"));
    DIR *directory = opendir(path);
    assert_non_null(directory);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        hs_platform *p;
        hs_error error = {0, ""};
        if (!strstr(entry->d_name, ".xml"))
            continue;
        snprintf(path, sizeof path, "%s/tests/platforms/%s", getenv("HS_TEST_SRCDIR"), entry->d_name);
        if (hs_platform_read(path, &p, &error) != HS_OK) {
            fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
            fail();
        }
        check_back_and_forth(p);
        hs_platform_free(p);
        files++;
    }
    closedir(directory);
    assert_true(files >= 12);
}

static void built_in_memory(void **state)
{
    hs_platform *p;
    int up;
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "<&\"'> x", 1.0 / 3, 3, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "y", 1e-100, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "z", 1e100, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "off", 0, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_router(p, "r", NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_duplex(p, "d", 12.5e6, 1e-7 / 3, &up, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "f", 123456789.125, 0.25, HS_FATPIPE, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "g", 1e6, 0, HS_SHARED, NULL, NULL), HS_OK);
    hs_platform_set_link_at_least(p, up + 1);
    hs_platform_set_link_at_least(p, 3);
    static const hs_speed_point point[] = {{1e6 / 3, 4e9}, {0x1p30, 1e9 / 7}};
    assert_int_equal(hs_platform_set_host_speed_function(p, 0, &(hs_speed_function){point, 2, 0x1p34}, NULL), HS_OK);
    assert_int_equal(hs_platform_set_host_speed_function(p, 2, &(hs_speed_function){NULL, 0, 12345}, NULL), HS_OK);
    assert_true(hs_platform_link_at_least(p, up) && !hs_platform_link_at_least(p, 2));
    assert_int_equal(hs_platform_add_route(p, 0, 1, (int[]){up, 2, up + 1}, 3, 1, NULL), HS_OK);
    assert_int_equal(hs_platform_add_route(p, 1, 2, (int[]){up + 1}, 1, 0, NULL), HS_OK);
    assert_int_equal(hs_platform_add_route(p, 2, 1, (int[]){2, 2}, 2, 0, NULL), HS_OK);
    check_back_and_forth(p);
    hs_platform_free(p);
}

static void readable(void **state)
{
    hs_platform *p;
    int link;
    char line[256];
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "a", 8e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "b", 8.5e9, 2, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "l", 12.5e6, 50 * 1e-6, HS_SHARED, &link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_edge(p, 0, 1, link, NULL), HS_OK);
    hs_platform_set_link_at_least(p, link);
    assert_int_equal(hs_platform_add_link(p, "slow", 56e3, 25 * 1e-9, HS_SHARED, &link, NULL), HS_OK);
    assert_int_equal(hs_platform_write(p, first, NULL), HS_OK);
    hs_platform_free(p);
    static const char *const expected[] = {"<?xml version=\"1.0\"?>\n",
                                           "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n",
                                           "<platform version=\"4.1\">\n",
                                           "  <zone id=\"platform\" routing=\"Floyd\">\n",
                                           "    <host id=\"a\" speed=\"8Gf\"/>\n",
                                           "    <host id=\"b\" speed=\"8.5Gf\" core=\"2\"/>\n",
                                           "    <link id=\"l\" bandwidth=\"12.5MBps\" latency=\"50us\">\n",
                                           "      <prop id=\"bandwidth\" value=\"at least\"/>\n",
                                           "    </link>\n",
                                           "    <link id=\"slow\" bandwidth=\"56kBps\" latency=\"25ns\"/>\n",
                                           "    <route src=\"a\" dst=\"b\">\n",
                                           "      <link_ctn id=\"l\"/>\n",
                                           "    </route>\n",
                                           "  </zone>\n",
                                           "</platform>\n"};
    FILE *stream = fopen(first, "r");
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(fgets(line, sizeof line, stream), expected[i]);
    fclose(stream);
}

static void the_same_in_every_locale(void **state)
{
    comma_locale_begin();
    built_in_memory(state);
    readable(state);
    comma_locale_end();
}

/* What a file says of itself stands before its first zone; other comments are lost. */
static void a_comment_is_kept(void **state)
{
    static const struct {
        const char *before, *inside, *kept;
    } rows[] = {
        {"<!-- not this -->", "<!--\n  measured\n today, a - b \n--><!-- nor this -->", "measured\n today, a - b"},
        {"", "<!---->", ""},
        {"<!-- licence -->", "<config id=\"General\"/><!-- too late -->", NULL},
        {"", "", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs_platform *p;
        FILE *file = fopen(first, "w");
        fprintf(file, "%s<platform version=\"4.1\">%s<zone id=\"z\" routing=\"Full\"><!-- nor this -->", rows[i].before,
                rows[i].inside);
        fputs("<host id=\"a\" speed=\"1Gf\"/></zone></platform>", file);
        fclose(file);
        assert_int_equal(hs_platform_read(first, &p, NULL), HS_OK);
        if (rows[i].kept)
            assert_string_equal(p->comment, rows[i].kept);
        else
            assert_null(p->comment);
        check_back_and_forth(p);
        hs_platform_free(p);
    }
}

static void refused(void **state)
{
    hs_platform *p;
    hs_error error;
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "busy", 1, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_write(p, "/nonexistent/folder/file", &error), HS_ERR_IO);
    hs_platform_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_files),         cmocka_unit_test(built_in_memory),
                                       cmocka_unit_test(readable),          cmocka_unit_test(the_same_in_every_locale),
                                       cmocka_unit_test(a_comment_is_kept), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, enter, leave);
}
