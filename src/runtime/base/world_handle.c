/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/world_handle.h"
#include "util/array.h"
#include <stdint.h>
#include <stdlib.h>

#define NO_COMM ((MPI_Comm)(intptr_t)-1)
hs__world_handles hs__world = {MPI_COMM_WORLD, NO_COMM, -1, -1, MPI_KEYVAL_INVALID}; /* -1: no communicator's integer */

hs_status hs__world_ranks(MPI_Group group, int *world)
{
    int size;
    MPI_Group all;
    PMPI_Group_size(group, &size);
    int *rank = hs__array_new((size_t)size, sizeof *rank);
    if (!rank)
        return HS_ERR_NOMEM;
    for (int r = 0; r < size; r++)
        rank[r] = r;
    PMPI_Comm_group(hs__world.comm, &all);
    PMPI_Group_translate_ranks(group, size, rank, all, world);
    PMPI_Group_free(&all);
    free(rank);
    return HS_OK;
}

int hs__world_rank(MPI_Comm comm, int rank)
{
    int world = MPI_UNDEFINED;
    MPI_Group group, all;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(hs__world.comm, &all);
    PMPI_Group_translate_ranks(group, 1, &rank, all, &world);
    PMPI_Group_free(&group);
    PMPI_Group_free(&all);
    return world == MPI_UNDEFINED ? -1 : world;
}

int hs__world_has(MPI_Group group)
{
    int size, inside;
    MPI_Group all, common;
    PMPI_Comm_group(hs__world.comm, &all);
    PMPI_Group_intersection(group, all, &common);
    PMPI_Group_size(group, &size);
    PMPI_Group_size(common, &inside);
    PMPI_Group_free(&common);
    PMPI_Group_free(&all);
    return inside == size;
}

int hs__world_is_spawned(void)
{
    int initialized = 0; /* by MPI_Init, and not by a session */
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Initialized(&initialized);
    if (initialized)
        PMPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

/* Duplicates of MPI_COMM_WORLD have its attributes, and so do those of what stands for it: one attribute says so. */
int hs__world_is_source(MPI_Comm comm)
{
    void *value;
    int found = 0;
    if (hs__world.key != MPI_KEYVAL_INVALID)
        PMPI_Comm_get_attr(comm, hs__world.key, &value, &found);
    return found;
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF, the first one last, and then those of MPI_COMM_WORLD. */
static int leave(MPI_Comm self, int key, void *value, void *extra)
{
    MPI_Comm ordered = hs__world.comm;
    PMPI_Comm_free(&ordered);
    hs__world.comm = MPI_COMM_WORLD;
    hs__world.replaced = NO_COMM;
    hs__world.given = hs__world.taken = -1;
    return MPI_SUCCESS;
}

static void set_attributes(MPI_Comm ordered)
{
    int last = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &hs__world.key, NULL);
    PMPI_Comm_set_attr(ordered, hs__world.key, &hs__world);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, leave, &last, NULL);
    PMPI_Comm_set_attr(MPI_COMM_SELF, last, NULL);
    PMPI_Comm_free_keyval(&last);
}

void hs__world_replace(MPI_Comm ordered)
{
    set_attributes(ordered);
    hs__world.given = PMPI_Comm_c2f(MPI_COMM_WORLD);
    hs__world.taken = PMPI_Comm_c2f(ordered);
    hs__world.comm = ordered;
    hs__world.replaced = MPI_COMM_WORLD;
}
