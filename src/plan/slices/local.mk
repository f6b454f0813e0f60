# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/check.c %D%/slices.c %D%/slices.h %D%/weighted.c %D%/weighted.h
