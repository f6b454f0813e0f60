/* SPDX-License-Identifier: BSD-3-Clause */
/* A partitioner that is linked statically defines in the program what this library would define in front of it. */
#include "interpose/partition/calls.h"
#include "interpose/partition/partition.h"
#include "interpose/partition/targets.h"
#include "runtime/report/partitions.h"
#include "util/elf.h"

#define NAME(CALL, N, WORDS) #CALL,

/* The functions whose calls are changed. */
static const char *const names[] = {HS_METIS_CALLS(NAME) "SCOTCH_graphPart",
                                    "SCOTCH_graphMap",
                                    "SCOTCH_graphMapCompute",
                                    "SCOTCH_dgraphPart",
                                    "SCOTCH_dgraphMap",
                                    "SCOTCH_dgraphMapCompute",
                                    "Zoltan_LB_Partition",
                                    "Zoltan_LB_Balance",
                                    "p4est_partition_ext",
                                    "p8est_partition_ext",
                                    "PetscSplitOwnership",
                                    "PetscSplitOwnershipBlock",
                                    "DMSetUp"};
enum { NAMES = sizeof names / sizeof *names };

void hs__partition_find_linked(void)
{
    unsigned char found[NAMES] = {0};
    if (!hs__partition_acts())
        return;
    hs__elf_find_own(names, NAMES, found);
    for (int k = 0; k < NAMES; k++)
        if (found[k])
            hs__partitions_note_linked(names[k]);
}
