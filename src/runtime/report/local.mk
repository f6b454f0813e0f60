# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/drifts.c %D%/drifts.h %D%/efficiency.c %D%/efficiency.h %D%/json.c %D%/partitions.c %D%/partitions.h %D%/print.c %D%/report.c \
	%D%/report.h %D%/sites.c %D%/sites.h %D%/start.c
