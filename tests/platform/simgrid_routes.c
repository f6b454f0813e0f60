/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares our routes with SimGrid's own, file by file: links in order, latency, bandwidth, host speeds and cores.
 *
 * usage: simgrid_routes [--pairs N] FILE ...   all pairs of hosts, or N random ones (seeded) when there are more
 *        simgrid_routes --answer FILE A B      what `hs show FILE --route A B --json` answered, on standard input
 * Prints one line a file; exit status 1 when a file disagrees or cannot be read, 77 when SimGrid fails over one. */
#include "util/random.h"
#include <heteroslice/hs_platform.h>
#include <jansson.h>
#include <math.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if SIMGRID_VERSION_MAJOR < 4
#include <xbt/dynar.h>
#endif

/* SimGrid gives a host without loopback its own virtual link; our route to oneself is empty then. */
static const char virtual_loopback[] = "__loopback__";

static int is_close(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* The links SimGrid takes from a to b; the array is the caller's. */
static const_sg_link_t *their_route(sg_host_t a, sg_host_t b, int *count)
{
#if SIMGRID_VERSION_MAJOR < 4
    xbt_dynar_t list = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(a, b, list);
    *count = (int)xbt_dynar_length(list);
    const_sg_link_t *links = calloc((size_t)*count + 1, sizeof *links);
    for (int i = 0; links && i < *count; i++)
        links[i] = xbt_dynar_get_as(list, i, sg_link_t);
    xbt_dynar_free(&list);
    return links;
#else
    return sg_host_get_route_links(a, b, count);
#endif
}

static void print_routes(const hs_platform *platform, const hs_route *ours, const_sg_link_t *theirs, int count)
{
    fprintf(stderr, "  ours:  ");
    for (size_t i = 0; i < ours->count; i++)
        fprintf(stderr, " %s", hs_platform_link_id(platform, ours->links[i]));
    fprintf(stderr, "\n  theirs:");
    for (int i = 0; i < count; i++)
        fprintf(stderr, " %s", sg_link_get_name(theirs[i]));
    fprintf(stderr, "\n");
}

static int routes_agree(const hs_platform *platform, const hs_route *ours, sg_host_t from, sg_host_t to,
                        const_sg_link_t *theirs, int count)
{
    if ((size_t)count != ours->count)
        return 0;
    for (int i = 0; i < count; i++)
        if (strcmp(sg_link_get_name(theirs[i]), hs_platform_link_id(platform, ours->links[i])) != 0)
            return 0;
    return is_close(ours->latency, sg_host_get_route_latency(from, to)) &&
           is_close(ours->bandwidth, sg_host_get_route_bandwidth(from, to));
}

/* 0 when the two agree about the pair. No route at all is an empty one in SimGrid's Full zones. */
static int compare_pair(const hs_platform *platform, int from, int to, hs_route *ours)
{
    sg_host_t a = sg_host_by_name(hs_platform_node_id(platform, from));
    sg_host_t b = sg_host_by_name(hs_platform_node_id(platform, to));
    hs_status status = hs_platform_route_listed(platform, from, to, ours);
    int differs, count;
    const_sg_link_t *theirs = their_route(a, b, &count);
    if (status == HS_ERR_UNREACHABLE)
        differs = count != 0;
    else if (status != HS_OK)
        differs = 1;
    else
        differs = !routes_agree(platform, ours, a, b, theirs, count);
    if (from == to && ours->count == 0 && count == 1 && strcmp(sg_link_get_name(theirs[0]), virtual_loopback) == 0)
        differs = 0;
    if (differs) {
        fprintf(stderr, "%s -> %s: %s\n", sg_host_get_name(a), sg_host_get_name(b), hs_status_text(status));
        print_routes(platform, ours, theirs, count);
    }
    free(theirs);
    return differs;
}

static int compare_hosts(const hs_platform *platform)
{
    int hosts = hs_platform_hosts(platform), differs = sg_host_count() != (size_t)hosts;
    for (int v = 0; v < hosts && !differs; v++) {
        sg_host_t host = sg_host_by_name(hs_platform_node_id(platform, v));
        differs = !host || sg_host_get_speed(host) != hs_platform_host_speed(platform, v) ||
                  sg_host_core_count(host) != hs_platform_host_cores(platform, v);
    }
    if (differs)
        fprintf(stderr, "hosts, speeds or cores differ\n");
    return differs;
}

static int compare_file(const char *path, int64_t pairs)
{
    hs_platform *platform;
    hs_error error;
    if (hs_platform_read(path, &platform, &error) != HS_OK) {
        printf("%s: refused: line %d: %s\n", path, error.line, error.text);
        return 1;
    }
    simgrid_load_platform(path);
    simgrid_run(); /* nothing runs, but this computes the routes */
    int64_t hosts = hs_platform_hosts(platform), all = hosts * hosts, n = pairs && pairs < all ? pairs : all;
    hs__random random = {1};
    hs_route route = {0};
    int differs = compare_hosts(platform);
    for (int64_t i = 0; i < n && !differs; i++) {
        int64_t pair = n == all ? i : hs__random_below(&random, all);
        if (pair / hosts != pair % hosts)
            differs = compare_pair(platform, (int)(pair / hosts), (int)(pair % hosts), &route);
    }
    hs_route_free(&route);
    hs_platform_free(platform);
    printf("%s: %s: %lld hosts, %lld pairs\n", path, differs ? "DIFFERS" : "agrees", (long long)hosts, (long long)n);
    return differs;
}

static void start_simgrid(char *program)
{
    int argc = 2;
    char *arguments[] = {program, "--log=root.thres:critical", NULL};
    simgrid_init(&argc, arguments);
}

/* 0 when the JSON object on standard input is SimGrid's answer. */
static int compare_answer(const char *path, const char *from, const char *to)
{
    simgrid_load_platform(path);
    simgrid_run();
    sg_host_t a = sg_host_by_name(from), b = sg_host_by_name(to);
    int count;
    const_sg_link_t *theirs = their_route(a, b, &count);
    json_error_t error;
    json_t *answer = json_loadf(stdin, 0, &error), *links = NULL;
    double latency, bandwidth;
    int differs = json_unpack_ex(answer, &error, JSON_STRICT, "{s:o,s:F,s:F}", "links", &links, "latency", &latency,
                                 "bandwidth", &bandwidth) != 0 ||
                  json_array_size(links) != (size_t)count;
    for (size_t i = 0; !differs && i < json_array_size(links); i++)
        differs = strcmp(json_string_value(json_array_get(links, i)), sg_link_get_name(theirs[i])) != 0;
    differs = differs || !is_close(latency, sg_host_get_route_latency(a, b)) ||
              !is_close(bandwidth, sg_host_get_route_bandwidth(a, b));
    printf("%s: %s to %s: the answer %s\n", path, from, to, differs ? "DIFFERS" : "agrees");
    json_decref(answer);
    free(theirs);
    return differs;
}

/* SimGrid 4.1 dies of zones within zones, by an assertion of its own or a segmentation fault. */
enum { DIES_OF_ZONES = SIMGRID_VERSION_MAJOR == 4 && SIMGRID_VERSION_MINOR == 1, NOT_COMPARED = 77 };

/* SimGrid loads one platform a process, and ends the process over a bad one. */
static int compare_apart(char *program, const char *path, int64_t pairs)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        start_simgrid(program);
        int differs = compare_file(path, pairs);
        fflush(stdout);
        _exit(differs);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 1;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    printf("%s: SimGrid ended with signal %d\n", path, WTERMSIG(status));
    return DIES_OF_ZONES ? NOT_COMPARED : 1;
}

int main(int argc, char **argv)
{
    int failed = 0, not_compared = 0, first = 1;
    int64_t pairs = 0;
    if (argc == 5 && strcmp(argv[1], "--answer") == 0) {
        start_simgrid(argv[0]);
        return compare_answer(argv[2], argv[3], argv[4]);
    }
    if (argc > 2 && strcmp(argv[1], "--pairs") == 0) {
        pairs = atoll(argv[2]);
        first = 3;
    }
    for (int i = first; i < argc; i++) {
        int result = compare_apart(argv[0], argv[i], pairs);
        not_compared |= result == NOT_COMPARED;
        failed |= result && result != NOT_COMPARED;
    }
    return failed ? 1 : not_compared ? NOT_COMPARED : 0;
}
