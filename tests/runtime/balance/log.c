/* SPDX-License-Identifier: BSD-3-Clause */
/* HS_LOG_DECISIONS with a relative path, in a program that goes to another folder before its first layout: the log is in the
 * folder where the program began. */
#include "tests/mpi.h"
#include <sys/stat.h>

static void make_layout(hs_context *context)
{
    hs_layout *layout;
    REQUIRE(hs_layout_create(context, 100, 0, HS_FIXED, &layout) == HS_OK);
    hs_layout_free(layout);
}

/* The file that this rank writes in a folder. */
static const char *log_in(const char *folder)
{
    static char path[128];
    if (world_rank() == 0)
        snprintf(path, sizeof path, "%s/log", folder);
    else
        snprintf(path, sizeof path, "%s/log.%d", folder, world_rank());
    return path;
}

static void check(hs_context *context, const char *start, const char *other)
{
    struct stat facts;
    int rank;
    MPI_Comm_rank(hs_comm(context), &rank);
    int writes = rank == 0 && world_size() > 1; /* the first of several ranks: one alone decides nothing */
    REQUIRE((stat(log_in(start), &facts) == 0 && facts.st_size > 0) == writes);
    REQUIRE(stat(log_in(other), &facts) != 0);
    if (writes)
        REQUIRE(unlink(log_in(start)) == 0);
}

int main(int argc, char **argv)
{
    hs_context *context;
    char start[] = "/tmp/hs-log-XXXXXX", other[64]; /* a rank has its own */
    REQUIRE(mkdtemp(start) && chdir(start) == 0);
    snprintf(other, sizeof other, "%s/other", start);
    REQUIRE(mkdir(other, 0700) == 0 && setenv("HS_LOG_DECISIONS", "log", 1) == 0);
    MPI_Init(&argc, &argv);
    hs_params params = fake_hosts(HS_BALANCE_ON);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    forget_hosts(&params);
    REQUIRE(chdir(other) == 0);
    make_layout(context);
    check(context, start, other);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return chdir("/") != 0 || rmdir(other) != 0 || rmdir(start) != 0;
}
