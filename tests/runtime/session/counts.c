/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares without hs_init(): on a platform file whose hosts are 1, 2, 3, ... times as fast. */
#include "tests/mpi.h"
#include "tests/said.h"

/* All hosts are off: rank 0 says so. */
static void nobody_computes(void)
{
    int64_t counts[64] = {77};
    float weights[64] = {77};
    char text[2000];
    hs_params hosts = params_on_host(HS_BALANCE_ON, world_rank(), write_off_cluster, world_size());
    setenv("HS_PLATFORM", hosts.platform, 1);
    said s = said_begin();
    hs_status first = hs_counts(MPI_COMM_WORLD, 10, counts), second = hs_weights(MPI_COMM_WORLD, weights);
    said_end(&s, text, sizeof text);
    REQUIRE(first == HS_ERR_INFEASIBLE && second == HS_ERR_INFEASIBLE && counts[0] == 77 && weights[0] == 77);
    REQUIRE(world_rank() != 0 || strstr(text, "hs_counts: no rank computes: the speeds of their hosts are 0") != NULL);
    REQUIRE(world_rank() != 0 || strstr(text, "hs_weights: no rank computes") != NULL);
    forget_hosts(&hosts);
}

int main(int argc, char **argv)
{
    char host[16], path[] = "/tmp/hs-counts-XXXXXX";
    float before[1] = {7};
    /* The variables are read when MPI is initialised, and the rank is known before only to launchers. */
    const char *launched = getenv("OMPI_COMM_WORLD_RANK");
    if (!launched && !(launched = getenv("PMI_RANK")))
        launched = "0";
    snprintf(host, sizeof host, "h%s", launched);
    setenv("HS_LAB_HOST", host, 1);
    hs_status early = hs_weights(MPI_COMM_WORLD, before);
    MPI_Init(&argc, &argv);
    REQUIRE(early == HS_ERR_STATE && before[0] == 7);
    int rank = world_rank(), size = world_size();
    if (rank == 0) {
        FILE *file = fdopen(mkstemp(path), "w");
        fprintf(file, "<?xml version='1.0'?>\n<platform version=\"4.1\"><zone id=\"z\" routing=\"Floyd\">\n");
        for (int r = 0; r < size; r++)
            fprintf(file, "<host id=\"h%d\" speed=\"%dGf\"/>\n", r, r + 1);
        fprintf(file, "<router id=\"s\"/>\n");
        for (int r = 0; r < size; r++)
            fprintf(file, "<link id=\"l%d\" bandwidth=\"1GBps\" latency=\"0s\"/>\n", r);
        for (int r = 0; r < size; r++)
            fprintf(file, "<route src=\"h%d\" dst=\"s\"><link_ctn id=\"l%d\"/></route>\n", r, r);
        fprintf(file, "</zone></platform>\n");
        fclose(file);
    }
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    setenv("HS_PLATFORM", path, 1);

    int64_t counts[64], all = size * (size + 1) / 2;
    float weights[64];
    REQUIRE(hs_counts(MPI_COMM_WORLD, 10 * all, counts) == HS_OK);
    REQUIRE(hs_weights(MPI_COMM_WORLD, weights) == HS_OK);
    for (int r = 0; r < size; r++) {
        REQUIRE(counts[r] == 10 * (r + 1));
        REQUIRE(fabs(weights[r] * (double)all - (r + 1)) < 1e-5);
    }
    /* A communicator in another order. */
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    REQUIRE(hs_counts(reversed, all, counts) == HS_OK);
    for (int r = 0; r < size; r++)
        REQUIRE(counts[r] == size - r);
    MPI_Comm_free(&reversed);
    counts[0] = 77;
    REQUIRE(hs_counts(MPI_COMM_WORLD, -1, counts) == HS_ERR_ARG && counts[0] == 77);
    REQUIRE(hs_counts(MPI_COMM_WORLD, 1, rank == 0 ? NULL : counts) == HS_ERR_ARG && counts[0] == 77);
    REQUIRE(hs_weights(MPI_COMM_WORLD, rank == size - 1 ? NULL : weights) == HS_ERR_ARG);
    REQUIRE(hs_counts(MPI_COMM_WORLD, 0, counts) == HS_OK && counts[0] == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        unlink(path);
    nobody_computes();
    MPI_Finalize();
    /* MPI would end the program. */
    int refused = hs_counts(MPI_COMM_WORLD, 5, counts) == HS_ERR_STATE && counts[0] == 0 &&
                  hs_weights(MPI_COMM_WORLD, weights) == HS_ERR_STATE;
    return refused ? 0 : 1;
}
