# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/check.c %D%/classes.c %D%/decide.c %D%/dual_prices.c %D%/earliest.c %D%/exact.c \
	%D%/exact.h %D%/grid.c %D%/paper.c %D%/plan.c \
	%D%/reduction.c %D%/reduction.h
