/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts of speed 0 in the platform file: their ranks get no items, and the others get them all. */
#include "tests/mpi.h"
#include <heteroslice/hs_scatter.h>

enum { ITEMS = 1000 };

/* Every other host is off, from the one that `off` says on. */
static void write_hosts(FILE *file, int off)
{
    fprintf(file, "<zone id='z' routing='Floyd'>\n");
    for (int h = 0; h < world_size(); h++)
        fprintf(file, "<host id='h%d' speed='%df'/>\n", h, h >= off && (h - off) % 2 == 0 ? 0 : 1000000000);
    fprintf(file, "<router id='s'/>\n");
    for (int h = 0; h < world_size(); h++)
        fprintf(
            file,
            "<link id='l%d' bandwidth='1GBps' latency='0s'/><route src='h%d' dst='s'><link_ctn id='l%d'/></route>\n", h,
            h, h);
    fprintf(file, "</zone>\n");
}

static void twice(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    *(int64_t *)context += count;
    for (int64_t i = 0; i < count; i++)
        ((double *)results)[i] = 2 * ((const double *)items)[i];
}

static int is_off(int off)
{
    return world_rank() >= off && (world_rank() - off) % 2 == 0;
}

static void there_and_back(hs_farm *farm, int off, const double *items, double *results)
{
    int64_t mine, ignored = 0, sum;
    double here[ITEMS], back[ITEMS];
    REQUIRE(hs_farm_plan(farm, ITEMS, &mine) == HS_OK);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    REQUIRE(sum == ITEMS && (!is_off(off) || mine == 0));
    REQUIRE(hs_scatter(farm, items, MPI_DOUBLE, here, MPI_DOUBLE) == HS_OK);
    twice(&ignored, 0, mine, here, back);
    REQUIRE(hs_gather(farm, back, MPI_DOUBLE, results, MPI_DOUBLE) == HS_OK);
    REQUIRE((isinf(hs_farm_cycle_times(farm)[world_rank()]) != 0) == is_off(off));
}

static void all_at_once(hs_farm *farm, int off, const double *items, double *results)
{
    int64_t computed = 0;
    hs_farm_job job = {ITEMS, items, MPI_DOUBLE, results, MPI_DOUBLE, twice, NULL, &computed};
    hs_farm_report report;
    REQUIRE(hs_farm_run(farm, &job, &report) == HS_OK);
    REQUIRE(!is_off(off) || (hs_farm_counts(farm)[world_rank()] == 0 && computed == 0));
    REQUIRE(isfinite(report.efficiency) && report.efficiency > 0);
    REQUIRE(hs_farm_sample(farm, &job, 2, 1e-3) == HS_OK);
    REQUIRE(hs_farm_run(farm, &job, NULL) == HS_OK);
    REQUIRE(!is_off(off) || hs_farm_counts(farm)[world_rank()] == 0);
}

static void some_hosts_are_off(int off, int64_t result_bytes)
{
    hs_params hosts = params_on_host(HS_BALANCE_OFF, world_rank(), write_hosts, off);
    hs_farm_params params = {.item_bytes = 8,
                             .result_bytes = result_bytes,
                             .item_work = 1e4,
                             .platform = hosts.platform,
                             .host = hosts.host,
                             .timeout = PATIENCE};
    void (*const ways[])(hs_farm *, int, const double *, double *) = {there_and_back, all_at_once};
    double items[ITEMS], results[ITEMS] = {0};
    for (int i = 0; i < ITEMS; i++)
        items[i] = i;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        hs_farm *farm;
        memset(results, 0, sizeof results);
        REQUIRE(hs_farm_create(MPI_COMM_WORLD, &params, &farm, NULL) == HS_OK);
        ways[k](farm, off, items, results);
        for (int i = 0; i < ITEMS && world_rank() == 0; i++)
            REQUIRE(results[i] == 2.0 * i);
        hs_farm_free(farm);
    }
    forget_hosts(&hosts);
}

static void all_hosts_are_off(void)
{
    hs_params hosts = params_on_host(HS_BALANCE_OFF, world_rank(), write_off_cluster, world_size());
    hs_farm_params params = {.platform = hosts.platform, .host = hosts.host, .timeout = PATIENCE};
    hs_error error = {0};
    hs_farm *farm = NULL;
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, &params, &farm, &error) == HS_ERR_INFEASIBLE && !farm);
    REQUIRE(strstr(error.text, "no rank computes") != NULL);
    forget_hosts(&hosts);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    some_hosts_are_off(1, 0);
    some_hosts_are_off(1, 8);
    if (world_size() > 1)
        some_hosts_are_off(0, 8); /* the root's, too */
    all_hosts_are_off();
    MPI_Finalize();
    return 0;
}
