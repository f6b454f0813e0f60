# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/decide.c %D%/decide.h %D%/slices.c %D%/slices.h
