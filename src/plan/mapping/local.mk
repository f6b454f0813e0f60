# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/assignment.c %D%/check.c %D%/grid.c %D%/halve.c %D%/mapping.c %D%/mapping.h %D%/problem.c \
	%D%/problem.h %D%/search.c %D%/starts.c
