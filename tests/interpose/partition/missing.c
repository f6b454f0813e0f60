/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of partitioners that the preloaded library has and no other one: each says on rank 0 what it answers. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

typedef int function();

int main(int argc, char **argv)
{
    static const char *const names[] = {"METIS_PartGraphKway",   "METIS_PartGraphRecursive", "ParMETIS_V3_PartKway",
                                        "SCOTCH_archCmplt",      "SCOTCH_archCmpltw",        "SCOTCH_graphPart",
                                        "SCOTCH_graphMap",       "SCOTCH_graphMapInit",      "SCOTCH_graphMapCompute",
                                        "SCOTCH_dgraphPart",     "SCOTCH_dgraphInit",        "SCOTCH_dgraphBuild",
                                        "Zoltan_Set_Param",      "Zoltan_LB_Set_Part_Sizes", "Zoltan_Set_Num_Obj_Fn",
                                        "Zoltan_LB_Partition",   "Zoltan_LB_Balance",        "Zoltan_Copy_To",
                                        "PetscSplitOwnership",   "PetscSplitOwnershipBlock", "DMSetUp",
                                        "p4est_partition_given", "p8est_partition_given",    "p4est_partition_ext",
                                        "p8est_partition_ext"};
    static const char *const without_answer[] = {"SCOTCH_archExit", "SCOTCH_dgraphExit", "Zoltan_Create",
                                                 "Zoltan_Destroy", "Zoltan_Copy"};
    int rank;
    void *none = NULL, *place = &none, *word = "A";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        function *f = (function *)dlsym(RTLD_DEFAULT, names[k]);
        int answer =
            f ? f(none, word, word, none, none, none, none, none, none, none, none, none, none, none, none) : 77;
        if (rank == 0)
            printf("%s %d\n", names[k], answer);
    }
    for (size_t k = 0; k < sizeof without_answer / sizeof *without_answer; k++) {
        function *f = (function *)dlsym(RTLD_DEFAULT, without_answer[k]);
        if (f)
            f(place, none);
        if (rank == 0)
            printf("%s %s\n", without_answer[k], !f ? "is not there" : none ? "has changed its argument" : "returns");
    }
    MPI_Finalize();
    return 0;
}
