# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/correct.c %D%/estimate.c %D%/farm.c %D%/farm.h %D%/master.c %D%/master.h \
	%D%/pieces.c %D%/pieces.h %D%/plan.c %D%/remaining.c %D%/remaining.h %D%/run.c %D%/run.h %D%/sample.c \
	%D%/scatter.c %D%/send.c %D%/worker.c
