# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/binding.c %D%/binding.h %D%/check.c %D%/match.c %D%/share.c %D%/time.c
