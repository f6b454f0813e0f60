# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/arrange.c %D%/best.c %D%/boxes.h %D%/charge.c %D%/check.c %D%/geometry.c %D%/geometry.h %D%/lay.c \
	%D%/network.c %D%/network.h %D%/plan.c %D%/rows.c %D%/size.c %D%/step.c
