/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank without units sleeps while it waits, a rank with some does not; linked to the library with its wrappers. */
#define _GNU_SOURCE
#include "tests/mpi.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { STEPS = 20, FEWEST_NAPS = 10 };

static bool (*set_yield)(bool);

/* Whether the MPI library would yield the processor while it waits, as far as it can be asked (Open MPI). */
static int yields_as(int expected)
{
    bool now = set_yield ? set_yield(false) : expected;
    if (set_yield)
        set_yield(now);
    return now == expected;
}

static int is_mpich_on_ucx(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    return strstr(version, "ch4:ucx") != NULL;
}

static long naps(void)
{
    struct rusage used;
    getrusage(RUSAGE_THREAD, &used);
    return used.ru_nvcsw;
}

/* A rank that works takes its time, the others wait for it in a collective call of the program. */
static void steps(hs_layout *layout, MPI_Comm comm)
{
    struct timespec work = {0, 10000000};
    for (int k = 0; k < STEPS; k++) {
        double mine = 1, sum;
        if (hs_layout_slice(layout).count > 0)
            nanosleep(&work, NULL);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
        REQUIRE(sum == world_size());
        REQUIRE(hs_balance(layout) == HS_UNCHANGED);
    }
}

int main(int argc, char **argv)
{
    hs_context *context;
    hs_layout *one, *all;
    setenv("HS_WAIT", "auto", 1);
    MPI_Init(&argc, &argv);
    *(void **)&set_yield = dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle");
    if (set_yield)
        set_yield(false);
    else if (!is_mpich_on_ucx())
        return MPI_Finalize();
    hs_params params = fake_hosts(HS_BALANCE_STATIC);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    forget_hosts(&params);

    REQUIRE(hs_layout_create(context, 1, 0, HS_FIXED, &one) == HS_OK);
    int idle = hs_layout_slice(one).count == 0;
    REQUIRE(yields_as(idle));
    long before = naps();
    for (int enough = 0; !enough;) { /* on a busy machine a rank may come too late to wait */
        steps(one, hs_comm(context));
        int mine = !idle || naps() - before >= FEWEST_NAPS;
        MPI_Allreduce(&mine, &enough, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }

    REQUIRE(hs_layout_create(context, world_size(), 0, HS_FIXED, &all) == HS_OK);
    REQUIRE(hs_layout_slice(all).count == 1 && yields_as(0));
    hs_layout_free(all);
    REQUIRE(yields_as(idle));
    REQUIRE(hs_finalize(&context) == HS_OK);
    REQUIRE(yields_as(0));
    MPI_Finalize();
    return 0;
}
