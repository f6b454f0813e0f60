# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/cuts.c %D%/cuts.h %D%/discover.c %D%/discover.h %D%/fit.c %D%/network.c \
	%D%/rounds.c %D%/search.c %D%/tree.c %D%/tree.h
