# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/borders.c %D%/check.c %D%/flow.c %D%/greedy.c %D%/levels.c %D%/operations.c %D%/plan.h \
	%D%/rebalance.c %D%/rebalance.h %D%/targets.c
