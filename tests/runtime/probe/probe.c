/* SPDX-License-Identifier: BSD-3-Clause */
/* The probe over real messages, several "hosts" on one machine. What it finds there is whatever it is; what must hold
 * is that all ranks find the same and that it makes sense. */
#include "runtime/base/host_names.h"
#include "runtime/base/quota.h"
#include "runtime/probe/pairs.h"
#include <heteroslice/hs_probe.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks, failed;

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "rank %d: %s:%d: %s\n", rank, __FILE__, __LINE__, #condition); \
            failed = 1;                                                                    \
        }                                                                                  \
    } while (0)

static hs_probe_params params_of(const char *host_name, double budget)
{
    hs_probe_params params;
    hs_probe_params_init(&params);
    params.budget = budget;
    params.host_name = host_name;
    return params;
}

/* Rank 0's bytes must be mine. */
static int same_as_root(const void *mine, size_t size)
{
    char *root = malloc(size);
    memcpy(root, mine, size);
    MPI_Bcast(root, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
    int same = memcmp(root, mine, size) == 0;
    free(root);
    return same;
}

static void check_hosts(const hs_probe_result *result, int kernels_measured)
{
    int total = 0;
    for (int i = 0; i < hs_probe_hosts(result); i++) {
        hs_probe_host host = *hs_probe_host_at(result, i);
        int measured = 0;
        total += host.ranks;
        CHECK(hs_probe_host_of(result, host.first_rank) == i);
        CHECK(host.speed[hs_probe_kernel_used(result)] > 0);
        for (int k = 0; k < HS_PROBE_KERNELS; k++) {
            CHECK(isfinite(host.speed[k]) && host.speed[k] >= 0);
            CHECK((host.speed[k] > 0) == (host.cpu_speed[k] > 0));
            measured += host.speed[k] > 0;
        }
        CHECK(kernels_measured ? measured == kernels_measured : measured >= 2);
        CHECK(isfinite(host.cycle_rate) && host.cycle_rate >= 0);
        CHECK(host.cpus >= 1 && host.cores <= host.cpus && host.bound_cpus <= host.cpus && host.memory > 0);
        host.name = NULL;
        CHECK(same_as_root(&host, sizeof host));
    }
    CHECK(total == ranks);
}

static void check_links(const hs_probe_result *result)
{
    for (int i = 0; i < hs_probe_hosts(result); i++)
        for (int j = 0; j < hs_probe_hosts(result); j++) {
            if (i == j)
                continue;
            hs_probe_link link = *hs_probe_link_between(result, i, j);
            CHECK(hs_probe_link_between(result, j, i) == hs_probe_link_between(result, i, j));
            CHECK(isfinite(link.bandwidth) && link.bandwidth > 0);
            CHECK(isfinite(link.latency) && link.latency > 0 && link.latency < 60);
            CHECK(hs_probe_links_found(result) > 0 || (link.readings == 0) == (link.source == HS_PROBE_ESTIMATED));
            CHECK(hs_probe_source_name(link.source) != NULL);
            double words[] = {link.bandwidth, link.latency, link.readings, link.source};
            CHECK(same_as_root(words, sizeof words));
            CHECK(hs_probe_links_found(result) == 0 || link.source >= HS_PROBE_INFERRED);
        }
}

static void check_platform(const hs_probe_result *result)
{
    hs_platform *platform = NULL;
    hs_error error = {0};
    int hosts = hs_probe_hosts(result);
    CHECK(hs_probe_platform(result, &platform, &error) == HS_OK);
    if (!platform)
        return;
    CHECK(hs_platform_hosts(platform) == hosts);
    int found = hs_probe_links_found(result);
    CHECK(found == 0 || found >= hosts);
    CHECK(found ? hs_platform_links(platform) >= hosts : hs_platform_links(platform) == hosts * (hosts - 1) / 2);
    double in_platform = 0, in_result = 0;
    for (int i = 0; i < hosts; i++) {
        const hs_probe_host *host = hs_probe_host_at(result, i);
        CHECK(strcmp(hs_platform_node_id(platform, i), host->name) == 0);
        double speed = hs_platform_host_speed(platform, i), measured = host->speed[hs_probe_kernel_used(result)];
        CHECK(speed <= measured * 1.05 * (1 + 1e-12) && measured <= speed * 1.05 * (1 + 1e-12));
        in_platform += speed;
        in_result += measured;
        CHECK(hs_platform_host_cores(platform, i) == host->ranks);
        for (int j = 0; j < hosts; j++) {
            hs_route route = {0};
            if (i == j)
                continue;
            CHECK(hs_platform_route(platform, i, j, &route) == HS_OK);
            CHECK(found ? route.count >= 2 : route.count == 1);
            CHECK(route.bandwidth >= hs_probe_link_between(result, i, j)->bandwidth);
            CHECK(found || route.bandwidth == hs_probe_link_between(result, i, j)->bandwidth);
            hs_route_free(&route);
        }
    }
    CHECK(fabs(in_platform - in_result) <= 1e-9 * in_result);
    hs_platform_free(platform);
}

/* Every rank a host of its own, then two ranks a host, then all on the host the system names. */
static void hosts_of_several_sizes(void)
{
    for (int size = 1; size <= 3; size++) {
        char name[32];
        snprintf(name, sizeof name, "host<%d>", rank / size);
        hs_probe_params params = params_of(size < 3 ? name : NULL, 0.3);
        params.every_kernel = size == 1;
        params.kernel = size == 2 ? HS_PROBE_STREAM : HS_PROBE_STENCIL;
        hs_probe_result *result = NULL;
        hs_error error = {0};
        CHECK(hs_probe_run(MPI_COMM_WORLD, &params, &result, &error) == HS_OK);
        CHECK(result != NULL);
        if (!result)
            continue;
        CHECK(hs_probe_ranks(result) == ranks);
        CHECK(hs_probe_hosts(result) == (size < 3 ? (ranks + size - 1) / size : 1));
        CHECK(size == 3 || strcmp(hs_probe_host_at(result, hs_probe_host_of(result, rank))->name, name) == 0);
        CHECK(hs_probe_kernel_used(result) == params.kernel);
        check_hosts(result, size == 1 ? 0 : 1);
        check_links(result);
        check_platform(result);
        hs_probe_result_free(result);
    }
}

/* The platform has the functions at the pace of the speeds it has, also when written and read. */
static void check_sizes_in_platform(const hs_probe_result *result)
{
    hs_platform *platform = NULL, *back = NULL;
    char path[] = "/tmp/hs-probe-XXXXXX";
    int file = mkstemp(path);
    CHECK(hs_probe_platform(result, &platform, NULL) == HS_OK);
    CHECK(hs_platform_write(platform, path, NULL) == HS_OK && hs_platform_read(path, &back, NULL) == HS_OK);
    for (int i = 0; back && i < hs_probe_hosts(result); i++) {
        const hs_speed_function *measured = hs_probe_speed_by_size(result, i);
        const hs_speed_function *made = hs_platform_host_speed_function(platform, i);
        const hs_speed_function *read = hs_platform_host_speed_function(back, i);
        double faster = hs_platform_host_speed(platform, i) / hs_probe_host_at(result, i)->speed[HS_PROBE_STENCIL];
        CHECK(made->points == measured->points && read->points == measured->points);
        CHECK(made->max_size == measured->max_size && read->max_size == measured->max_size);
        for (int k = 0; k < made->points; k++) {
            CHECK(fabs(made->point[k].speed - faster * measured->point[k].speed) <= 1e-9 * made->point[k].speed);
            CHECK(memcmp(&made->point[k], &read->point[k], sizeof *made->point) == 0);
        }
    }
    hs_platform_free(platform);
    hs_platform_free(back);
    close(file);
    unlink(path);
}

/* With time for it, speeds by size: the kernel's own data, and at least some in more memory. Without, the memory alone. */
static void speeds_by_size(void)
{
    for (int timed = 0; timed < 2; timed++) {
        char name[32];
        snprintf(name, sizeof name, "host%d", rank / 2);
        hs_probe_params params = params_of(name, timed ? 1.5 : 0.1);
        params.every_kernel = 0;
        hs_probe_result *result = NULL;
        CHECK(hs_probe_run(MPI_COMM_WORLD, &params, &result, NULL) == HS_OK);
        for (int i = 0; result && i < hs_probe_hosts(result); i++) {
            const hs_probe_host *host = hs_probe_host_at(result, i);
            const hs_speed_function *f = hs_probe_speed_by_size(result, i);
            CHECK(f->max_size == fmin((double)host->memory, hs__quota_memory()));
            CHECK(hs_speed_check(f, NULL) == HS_OK);
            CHECK(timed && host->cache[1] > 0 ? f->points >= 2 && f->points <= 6 : f->points == 0);
            CHECK(f->points == 0 || f->point[0].size <= 2 * 34 * 258 * 8 * host->ranks);
            CHECK(same_as_root(f->point, (size_t)f->points * sizeof *f->point));
        }
        if (result)
            check_sizes_in_platform(result);
        hs_probe_result_free(result);
    }
}

/* A sub-communicator, no time at all, and defaults. */
static void part_of_the_ranks_without_time(void)
{
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    char name[32];
    snprintf(name, sizeof name, "h%d", rank);
    hs_probe_params params = params_of(name, 0);
    hs_probe_result *result = NULL;
    int size;
    MPI_Comm_size(half, &size);
    CHECK(hs_probe_run(half, &params, &result, NULL) == HS_OK);
    CHECK(result && hs_probe_ranks(result) == size && hs_probe_hosts(result) == size);
    hs_probe_result_free(result);
    MPI_Comm_free(&half);
}

/* An argument that only the last rank has wrong is an error on all, with the same text. */
static void bad_arguments_on_one_rank(void)
{
    char long_name[HS__HOST_NAME_SIZE + 1];
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    for (int what = 0; what < 7; what++) {
        hs_probe_params params = params_of("one", 0.1);
        hs_probe_result *result = NULL;
        hs_error error = {0};
        int last = rank == ranks - 1;
        if (last && what == 0)
            params.budget = -1;
        if (last && what == 1)
            params.budget = NAN;
        if (last && what == 2)
            params.kernel = HS_PROBE_KERNELS;
        if (last && what == 3)
            params.host_name = long_name;
        if (last && what == 4)
            params.host_name = "";
        if (last && what == 6)
            params.timeout = -1;
        hs_status status = hs_probe_run(MPI_COMM_WORLD, &params, last && what == 5 ? NULL : &result, &error);
        CHECK(status == HS_ERR_ARG);
        CHECK(result == NULL);
        CHECK(error.text[0]);
        CHECK(same_as_root(&error, sizeof error));
    }
    hs_probe_result_free(NULL);
}

/* Refused by the library, not by MPI, which would end the program. */
static void no_ranks(MPI_Comm comm, hs_status expected)
{
    hs_probe_result *result = NULL;
    CHECK(hs_probe_run(comm, NULL, &result, NULL) == expected);
    CHECK(result == NULL);
}

int main(int argc, char **argv)
{
    no_ranks(MPI_COMM_WORLD, HS_ERR_STATE);
    MPI_Init(&argc, &argv);
    no_ranks(MPI_COMM_NULL, HS_ERR_ARG);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    hosts_of_several_sizes();
    speeds_by_size();
    part_of_the_ranks_without_time();
    bad_arguments_on_one_rank();
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
