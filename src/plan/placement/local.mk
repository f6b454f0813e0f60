# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/check.c %D%/cores.c %D%/cores.h %D%/curves.c %D%/curves.h %D%/order.c \
	%D%/placement.c %D%/placement.h %D%/rank_order.c %D%/rank_order.h
