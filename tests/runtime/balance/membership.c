/* SPDX-License-Identifier: BSD-3-Clause */
/* Who takes part is decided again and again, by what phases show: all hosts begin; those whose messages cost more than
 * their computing brings leave; when those that stayed become slow, others come back. The clock is put forward, also by what
 * messages take. */
#include "runtime/slices/layout.h"
#include "tests/clock.h"
#include "tests/mpi.h"

enum { UNITS = 600, PHASES = 60, HOSTS = 6 };

static const char *const hosts[HOSTS] = {"a1", "a2", "a3", "b1", "b2", "b3"};
static double speeds[HOSTS] = {8, 6, 4, 4, 3, 2}; /* as in the file */

/* Bytes of halo, so that messages of all six hosts take an hour or so: the narrowest link carries 60 Mbit/s. */
static const double HALO = 2e10;

/* What a rank without units measures its speed by: always the same. */
double __wrap_hs__kernel_run(hs__kernel *kernel);

double __wrap_hs__kernel_run(hs__kernel *kernel)
{
    (void)kernel;
    clock_pass(1);
    return 1e9;
}

/* A program on its hosts: seconds a unit takes on a host of speed 1. */
typedef struct program {
    hs_context *context;
    hs_layout *layout;
    int64_t *data;
    double unit_s;
} program;

/* Seconds of a step of slices count[], messages after computing, by the membership that holds. */
static double step_of(const program *p, const int64_t *count, int membership, int only)
{
    double longest = 0;
    int host[HOSTS], mine = world_rank(), size = p->context->size;
    MPI_Allgather(&mine, 1, MPI_INT, host, 1, MPI_INT, hs_comm(p->context));
    for (int r = 0; r < size; r++)
        if (count[r] > 0 && (only < 0 || only == r))
            longest = fmax(longest, p->unit_s * (double)count[r] / speeds[host[r]] +
                                        p->layout->slices.membership[membership].comm[r]);
    return longest;
}

static int members(const program *p)
{
    int n = 0;
    for (int r = 0; r < p->context->size; r++)
        n += hs_layout_counts(p->layout)[r] > 0;
    return n;
}

static void iterate(program *p)
{
    hs_slice slice = hs_layout_slice(p->layout);
    double step = step_of(p, hs_layout_counts(p->layout), p->layout->slices.present, p->context->rank);
    double computing = p->unit_s * (double)slice.count / speeds[world_rank()];
    hs_compute_begin(p->layout);
    clock_pass(computing);
    hs_compute_end(p->layout);
    clock_pass(fmax(0, step - computing));
    clock_meet();
    hs_status status = hs_balance(p->layout);
    REQUIRE(status == HS_OK || status == HS_UNCHANGED);
    slice = hs_layout_slice(p->layout);
    for (int64_t i = 0; i < slice.count; i++)
        REQUIRE(p->data[i] == slice.first + i);
}

/* The best that any membership has. */
static double best_step(const program *p)
{
    double best = INFINITY, cycle[HOSTS];
    int64_t count[HOSTS];
    double own = p->unit_s / speeds[world_rank()];
    MPI_Allgather(&own, 1, MPI_DOUBLE, cycle, 1, MPI_DOUBLE, hs_comm(p->context));
    for (int m = 0; m < p->layout->slices.memberships; m++)
        if (hs_slices_compute(cycle, p->layout->slices.membership[m].comm, p->context->size, UNITS, 1, HS_STEP_SERIAL,
                              count, NULL) == HS_OK)
            best = fmin(best, step_of(p, count, m, -1));
    return best;
}

/* @return seconds of a step at the end, over the best */
static double run(program *p, double unit_s)
{
    p->unit_s = unit_s;
    for (int k = 0; k < PHASES; k++)
        iterate(p);
    double step = step_of(p, hs_layout_counts(p->layout), p->layout->slices.present, -1);
    if (world_rank() == 0)
        printf("%d hosts take part, a step takes %g s\n", members(p), step);
    return step / best_step(p);
}

int main(int argc, char **argv)
{
    program p = {0};
    char path[512];
    const char *folder = getenv("HS_TEST_SRCDIR");
    MPI_Init(&argc, &argv);
    REQUIRE(world_size() == HOSTS);
    snprintf(path, sizeof path, "%s/examples/two-switches.xml", folder ? folder : ".");
    hs_params params = {
        .mode = HS_BALANCE_ON, .platform = path, .host = hosts[world_rank()], .timeout = PATIENCE, .halo = HALO};
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &p.context, NULL) == HS_OK);
    REQUIRE(hs_layout_create(p.context, UNITS, 1, HS_FIXED, &p.layout) == HS_OK);
    REQUIRE(hs_layout_add_array(p.layout, sizeof *p.data, 1, (void **)&p.data) == HS_OK);
    hs_slice slice = hs_layout_slice(p.layout);
    for (int64_t i = 0; i < slice.count; i++)
        p.data[i] = slice.first + i;
    REQUIRE(members(&p) == HOSTS);
    REQUIRE(run(&p, 20) < 1.05);
    REQUIRE(members(&p) < HOSTS);
    speeds[0] /= 20; /* the fastest host */
    int remained = members(&p);
    REQUIRE(run(&p, 20) < 1.05);
    REQUIRE(members(&p) > remained);
    REQUIRE(hs_finalize(&p.context) == HS_OK);
    MPI_Finalize();
    return 0;
}
