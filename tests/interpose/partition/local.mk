# SPDX-License-Identifier: BSD-3-Clause
# Partitioners of the system, each test skipped where its library is missing; see common.sh.
PARTITION_TESTS = %D%/cores.sh %D%/metis.sh %D%/missing.sh %D%/nulls.sh %D%/p4est.sh %D%/petsc.sh %D%/repartition.sh %D%/scotch.sh %D%/zoltan.sh
EXTRA_DIST += $(PARTITION_TESTS) %D%/common.sh %D%/cores.c %D%/loads.c %D%/metis.c %D%/missing.c %D%/nulls.c %D%/p4est.c %D%/path_metis.c %D%/petsc.c %D%/repartition.c \
	%D%/repartition.h %D%/repartition_p4est.c %D%/repartition_parmetis.c %D%/repartition_scotch.c %D%/repartition_zoltan.c \
	%D%/scotch.c %D%/stand_ins.c %D%/zoltan.c %D%/zoltan_points.h
if HAVE_MPI
TESTS += $(PARTITION_TESTS)
endif
