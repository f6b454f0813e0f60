# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/apportion.c %D%/best.c %D%/check.c %D%/params.c %D%/deadline.c %D%/divisible.c %D%/divisible.h \
	%D%/exact.c %D%/fifo.c %D%/fixed.c %D%/improve.c %D%/lifo.c %D%/loads.c %D%/master.c %D%/packing.c \
	%D%/packing.h %D%/plan.c %D%/plan.h %D%/rounds.c %D%/schedule.c %D%/send_order.c %D%/sport.c %D%/star.c
