# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/decide.c %D%/decide.h %D%/drift.c %D%/drift.h %D%/lessons.c %D%/lessons.h %D%/move_cost.c %D%/move_cost.h %D%/planning.c %D%/planning.h %D%/promise.c %D%/promise.h %D%/readings.c %D%/readings.h %D%/replay.c %D%/replay.h %D%/sizes.c %D%/slices.c %D%/slices.h %D%/speeds.c %D%/speeds.h \
	%D%/trace.h %D%/trace_read.c %D%/trace_site.c %D%/trace_sizes.c %D%/trace_write.c
