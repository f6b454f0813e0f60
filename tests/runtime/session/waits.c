/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank waits for others in a collective call is time of the library: as computing of the program it would make a
 * rank that is waited for look as slow as those that wait. */
#include "runtime/watch/monitor.h"
#include "tests/mpi.h"
#include <heteroslice/hs_blocks.h>
#include <heteroslice/hs_box_layout.h>
#include <heteroslice/hs_probe.h>
#include <heteroslice/hs_scatter.h>

enum { UNITS = 40 };

static const char *call; /* of the library, under way */
static int waits;

int __real_PMPI_Testany(int, MPI_Request *, int *, int *, MPI_Status *);
int __wrap_PMPI_Testany(int, MPI_Request *, int *, int *, MPI_Status *);

int __wrap_PMPI_Testany(int count, MPI_Request *requests, int *index, int *done, MPI_Status *status)
{
    if (hs__monitor_self.inside == 0)
        fprintf(stderr, "%s waits outside of any account\n", call);
    REQUIRE(hs__monitor_self.inside != 0);
    waits++;
    return __real_PMPI_Testany(count, requests, index, done, status);
}

/* Whether a call succeeded, has waited, and has ended its account. */
static int has_waited(hs_status status)
{
    int waited = waits > 0;
    waits = 0;
    return status == HS_OK && waited && hs__monitor_self.inside == 0;
}

#define WAITS(function, ...) REQUIRE((call = #function, has_waited(function(__VA_ARGS__))))

static void of_slices(hs_context *context)
{
    hs_layout *layout;
    double *data, weight[UNITS];
    int64_t *offset, elements[UNITS];
    for (int u = 0; u < UNITS; u++) {
        weight[u] = 1;
        elements[u] = 2;
    }
    WAITS(hs_layout_create, context, UNITS, 0, HS_FIXED, &layout);
    WAITS(hs_layout_add_array, layout, sizeof *data, 0, (void **)&data);
    WAITS(hs_layout_add_offsets, layout, elements, &offset);
    WAITS(hs_layout_weights, layout, weight);
    hs_layout_free(layout);
}

static void of_blocks_and_boxes(hs_context *context)
{
    const hs_boxes_domain domain = {2, {UNITS, UNITS}, {0}, 1, HS_BOXES_FACES};
    hs_blocks *blocks;
    hs_box_layout *boxes;
    double *data[2];
    WAITS(hs_blocks_create, context, UNITS, NULL, &blocks);
    WAITS(hs_blocks_add_matrix, blocks, 1, 1, sizeof **data, (void **)&data[0]);
    WAITS(hs_box_create, context, &domain, NULL, &boxes);
    WAITS(hs_box_add_array, boxes, sizeof **data, (void **)&data[1]);
    hs_box_free(boxes);
    hs_blocks_free(blocks);
}

static void of_farms(const double *cycle, const double *comm)
{
    hs_farm *farm;
    hs_farm_params params = {.cycle_time = cycle, .comm_time = comm, .timeout = PATIENCE};
    WAITS(hs_farm_create, MPI_COMM_WORLD, &params, &farm, NULL);
    WAITS(hs_farm_plan, farm, UNITS, NULL);
    hs_farm_free(farm);
}

static void of_probes(void)
{
    hs_probe_params params;
    hs_probe_result *result;
    hs_probe_params_init(&params);
    params.budget = 0.05;
    WAITS(hs_probe_run, MPI_COMM_WORLD, &params, &result, NULL);
    hs_probe_result_free(result);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    hs_context *context = start_balanced();
    double *cycle = malloc((size_t)world_size() * sizeof *cycle), *comm = malloc((size_t)world_size() * sizeof *comm);
    equal_costs(cycle, 1e-3, comm, 1e-6);
    waits = 0;
    of_slices(context);
    of_blocks_and_boxes(context);
    of_farms(cycle, comm);
    of_probes();
    WAITS(hs_finalize, &context);
    free(cycle);
    free(comm);
    MPI_Finalize();
    return 0;
}
