# SPDX-License-Identifier: BSD-3-Clause
hs_SOURCES += %D%/bands.c %D%/bands.h %D%/calls.c %D%/changes.c %D%/hosts.c %D%/html.c %D%/html.h %D%/messages.c %D%/partitions.c %D%/ranks.c %D%/report.c %D%/run.c \
	%D%/run.h %D%/sections.h %D%/slices.c %D%/source.c %D%/source.h %D%/summary.c
