# SPDX-License-Identifier: BSD-3-Clause
# A partitioner's function that no library of the program defines fails as its library says that a call failed.
. "$HS_TEST_SRCDIR/tests/interpose/partition/common.sh"
"$MPICC" -w -o "$work/missing" "$here/missing.c" -ldl || fail "does not compile"
cut 2 on "$work/missing"
cat >"$work/expected" <<'END'
METIS_PartGraphKway -2
METIS_PartGraphRecursive -2
ParMETIS_V3_PartKway -2
SCOTCH_archCmplt 1
SCOTCH_archCmpltw 1
SCOTCH_graphPart 1
SCOTCH_graphMap 1
SCOTCH_graphMapInit 1
SCOTCH_graphMapCompute 1
SCOTCH_dgraphPart 1
SCOTCH_dgraphInit 1
SCOTCH_dgraphBuild 1
Zoltan_Set_Param -1
Zoltan_LB_Set_Part_Sizes -1
Zoltan_Set_Num_Obj_Fn -1
Zoltan_LB_Partition -1
Zoltan_LB_Balance -1
Zoltan_Copy_To -1
PetscSplitOwnership 56
PetscSplitOwnershipBlock 56
DMSetUp 56
p4est_partition_given 0
p8est_partition_given 0
p4est_partition_ext 0
p8est_partition_ext 0
SCOTCH_archExit returns
SCOTCH_dgraphExit returns
Zoltan_Create returns
Zoltan_Destroy returns
Zoltan_Copy returns
END
diff "$work/expected" "$work/out" || { cat "$work/out.err"; fail "what nobody defines answers something else"; }
exit $failed
