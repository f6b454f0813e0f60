# SPDX-License-Identifier: BSD-3-Clause
PRELOADED_SOURCES += %D%/calls.h %D%/dmda.c %D%/integers.h %D%/linked.c %D%/links.c %D%/links.h %D%/lookup.c %D%/lookup.h %D%/measured.c %D%/measured.h \
	%D%/metis.c %D%/metis_widths.c %D%/metis_widths.h %D%/owners.c %D%/owners.h %D%/p4est.c %D%/partition.h %D%/petsc.c %D%/petsc.h \
	%D%/rank_speeds.c %D%/rank_speeds.h %D%/scotch.c %D%/scotch.h %D%/scotch_arch.c %D%/scotch_dgraph.c %D%/scotch_graph.c \
	%D%/targets.c %D%/targets.h %D%/zoltan.c %D%/zoltan_objects.c %D%/zoltan_objects.h
