# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/borders.c %D%/borders.h %D%/check.c %D%/learned.c %D%/learned.h %D%/level.c %D%/level.h %D%/sampling.c %D%/sampling.h %D%/sizes.h %D%/slices.c %D%/slices.h %D%/weighted.c %D%/weighted.h
