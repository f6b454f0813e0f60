/* SPDX-License-Identifier: BSD-3-Clause */
/* What `ip` is told of namespaces and cables, by a stand-in that writes it down, and networks that cannot be built. No namespace
 * is made, so none can be entered, but where all names lead to the network of a child. */
#include "tests/unit.h"

#include "lab/lab.h"
#include "lab/process.h"
#include "tests/lab/own_network.h"
#include "util/path.h"

#define NAME "unit-none"
#define ADDRESS "address 02:00:00:00:00:01"

static char folder[] = "/tmp/hs-network-XXXXXX";
static char *path_before;

static int begin(void **state)
{
    path_before = strdup(getenv("PATH"));
    return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
    setenv("PATH", path_before, 1);
    free(path_before);
    hs__path_remove(folder);
    return 0;
}

/* From now on the tool appends its input to a file, says this and ends so. */
static void make_tool(const char *name, const char *says, int status)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\ncat >>%s/told\nprintf '%s' >&2\nexit %d\n", folder, says, status);
    fclose(file);
    chmod(path, 0700);
}

static void make_ip(const char *says, int status)
{
    char path[64], paths[256];
    snprintf(path, sizeof path, "%s/told", folder);
    unlink(path);
    snprintf(paths, sizeof paths, "%s:/usr/bin:/bin", folder);
    setenv("PATH", paths, 1);
    make_tool("ip", says, status);
}

/* Hosts a, b ... on a router. */
static hs_platform *star(int hosts)
{
    int router, link;
    hs_platform *platform;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    for (int h = 0; h < hosts; h++)
        assert_int_equal(hs_platform_add_host(platform, (char[]){(char)('a' + h), 0}, 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_router(platform, "r", &router, NULL), HS_OK);
    for (int h = 0; h < hosts; h++) {
        const char id[] = {'r', (char)('a' + h), 0};
        assert_int_equal(hs_platform_add_link(platform, id, 1e6, 0, HS_SHARED, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_edge(platform, h, router, link, NULL), HS_OK);
    }
    return platform;
}

static hs_status bring_up(int hosts, hs_error *error)
{
    hs_platform *platform = star(hosts);
    lab_cluster *lab;
    lab_topology *topology;
    assert_int_equal(lab_create(platform, NAME, 1, &lab, NULL), HS_OK);
    assert_int_equal(lab_topology_create(platform, &topology, NULL), HS_OK);
    hs_status status = lab_network_up(lab, topology, error);
    lab_topology_free(topology);
    lab_free(lab);
    hs_platform_free(platform);
    return status;
}

/* Why a lab of the star cannot be brought up. */
static hs_error why_not(int hosts)
{
    hs_error error;
    assert_int_equal(bring_up(hosts, &error), HS_ERR_SYSTEM);
    return error;
}

static void check_fails(const char *said)
{
    hs_error error = why_not(2);
    if (strncmp(error.text, said, strlen(said)) != 0)
        fail_msg("'%s' does not begin with '%s'", error.text, said);
}

static void namespaces_and_cables(void **state)
{
    static const char expected[] = "netns add hs." NAME ".h0\nnetns add hs." NAME ".h1\nnetns add hs." NAME ".r0\n"
                                   "link add c0 netns hs." NAME ".h0 txqueuelen 4000 " ADDRESS
                                   " type veth peer name c0 netns hs." NAME ".r0 txqueuelen 4000 " ADDRESS "\n"
                                   "link add c1 netns hs." NAME ".r0 txqueuelen 4000 " ADDRESS
                                   " type veth peer name c1 netns hs." NAME ".h1 txqueuelen 4000 " ADDRESS "\n";
    char path[64], told[1000] = "";
    make_ip("", 0);
    check_fails("");
    snprintf(path, sizeof path, "%s/told", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    told[fread(told, 1, sizeof told - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(told, expected);
}

/* The tool's own words, the first line of them. */
static void the_reason_is_the_tools(void **state)
{
    make_ip("RTNETLINK answers: File exists\nmore", 2);
    check_fails("RTNETLINK answers: File exists");
    make_ip("", 1);
    check_fails("ip or tc failed and did not say why");
}

static void namespaces_that_are_not_there(void **state)
{
    int found = 0;
    hs_error error;
    make_ip("", 0);
    check_fails("cannot enter namespace hs." NAME ".");
    assert_int_equal(lab_network_down(NAME, &found, &error), HS_OK);
    assert_int_equal(found, 0);
}

/* @return 0: stations of a lab forward packets in a network that did not before */
static int forward(void)
{
    static const char setting[] = "/proc/sys/net/ipv4/ip_forward";
    static const char *const netns[] = {"hs." NAME ".h0", "hs." NAME ".h1", "hs." NAME ".r0"};
    hs_error error;
    if (own_network_begin(netns, 3) != 0 || lab_write(setting, "0") != 0)
        return OWN_NETWORK_REFUSED;
    if (bring_up(2, &error) != HS_OK)
        return 1;
    FILE *file = fopen(setting, "r");
    return file && getc(file) == '1' ? 0 : 2;
}

static void stations_forward_packets(void **state)
{
    make_ip("", 0);
    make_tool("tc", "", 0);
    own_network_case(forward);
}

/* @return 0: a lab that is said to be down has no namespace */
static int stay(void)
{
    static const char *const netns[] = {"hs." NAME ".h0"};
    int found = 0;
    hs_error error;
    if (own_network_begin(netns, 1) != 0)
        return OWN_NETWORK_REFUSED;
    if (lab_network_down(NAME, &found, &error) != HS_ERR_SYSTEM)
        return 1;
    return found && strcmp(error.text, "it is in use") == 0 ? 0 : 2;
}

static void namespaces_that_stay(void **state)
{
    make_ip("it is in use", 1);
    own_network_case(stay);
}

/* More stations than are configured at a time: all of their children are waited for. */
static void no_child_is_left(void **state)
{
    make_ip("", 0);
    hs_error error = why_not(17);
    CHECK_ERROR_SAYS(&error, 0, "cannot enter namespace hs." NAME ".");
    assert_int_equal(lab_wait_child(-1), -1);
}

/* What can be seen in the platform is refused before anything is made. */
static void refused_before_anything_is_made(void **state)
{
    char path[LAB_PATH];
    hs_platform *platform = star(2), *slow;
    hs_error error;
    lab_cluster *lab = NULL;
    make_ip("", 1);
    lab_plan plan = {
        .platform = platform, .path = "star.xml", .name = NAME, .cpus = 1, .rate_scale = 1e-9, .network = 1};
    assert_int_equal(lab_up(&plan, &lab, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR_SAYS(&error, 0, "link 'ra' would carry 0.001 Bps: expected 1 to 8e+13 Bps");
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &slow), HS_OK);
    assert_int_equal(hs_platform_add_host(slow, "a", 0, 1, NULL, NULL), HS_OK);
    plan.platform = slow;
    assert_int_equal(lab_up(&plan, &lab, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR_SAYS(&error, 0, "host 'a' has speed 0");
    assert_null(lab);
    assert_int_equal(access(lab_directory(NAME, path), F_OK), -1);
    hs_platform_free(slow);
    hs_platform_free(platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(namespaces_and_cables),
        cmocka_unit_test(the_reason_is_the_tools),
        cmocka_unit_test(namespaces_that_are_not_there),
        cmocka_unit_test(refused_before_anything_is_made),
        cmocka_unit_test(no_child_is_left),
        cmocka_unit_test(namespaces_that_stay),
        cmocka_unit_test(stations_forward_packets),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
