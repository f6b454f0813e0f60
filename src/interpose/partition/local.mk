# SPDX-License-Identifier: BSD-3-Clause
PRELOADED_SOURCES += %D%/lookup.c %D%/lookup.h %D%/partition.h %D%/scotch.c %D%/targets.c %D%/targets.h
