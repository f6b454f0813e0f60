# SPDX-License-Identifier: BSD-3-Clause
PRELOADED_SOURCES += %D%/lookup.c %D%/lookup.h %D%/calls.h %D%/metis.c %D%/metis_widths.c %D%/metis_widths.h %D%/partition.h %D%/scotch.c %D%/targets.c %D%/targets.h
