# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/check.c %D%/choose.c %D%/collective.c %D%/collective.h %D%/grow.c \
	%D%/network.c %D%/plan.c %D%/ring.c %D%/simulate.c
