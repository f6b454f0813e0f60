# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/areas.c %D%/blocks.c %D%/blocks.h %D%/check.c %D%/columns.c %D%/columns.h \
	%D%/dissect.c %D%/guillotine.c %D%/idle.c %D%/max.c %D%/max_search.c %D%/plan.c %D%/plan.h %D%/recursive.c \
	%D%/search.c %D%/slicing.c %D%/slicing.h %D%/slicing_blocks.c %D%/sum.c %D%/swap.c %D%/widths.c
