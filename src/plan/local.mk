# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += %D%/libplan.la
%C%_libplan_la_SOURCES =

# Slices
%C%_libplan_la_SOURCES += %D%/slices.c

# Ring
%C%_libplan_la_SOURCES += %D%/ring.c %D%/ring_four.c %D%/ring_greedy.c %D%/ring_maxmin.c %D%/ring_network.c \
	%D%/ring_network.h %D%/ring_paths.c %D%/ring_paths.h %D%/ring_plan.c %D%/ring_plan.h %D%/ring_problem.c \
	%D%/ring_problem.h %D%/ring_share.h %D%/ring_state.c %D%/ring_state.h

# Columns, grid, rebalance

# Divisible loads

# Reductions

# The planning library: util, platform and plan, no MPI.
lib_LTLIBRARIES += libheteroslice-plan.la
libheteroslice_plan_la_SOURCES =
libheteroslice_plan_la_LDFLAGS = -version-info 0:0:0 -no-undefined
libheteroslice_plan_la_LIBADD = src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la \
	$(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS)
