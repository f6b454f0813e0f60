# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/arrangement.c %D%/blocks.c %D%/check.c %D%/grid.c %D%/grid.h %D%/search.c %D%/tableaux.c %D%/vertex.c
