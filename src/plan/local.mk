# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += %D%/libplan.la
%C%_libplan_la_SOURCES =

# Slices
%C%_libplan_la_SOURCES += %D%/slices.c

# Ring

# Columns, grid, rebalance

# Divisible loads

# Reductions

# The planning library: util, platform and plan, no MPI.
lib_LTLIBRARIES += libheteroslice-plan.la
libheteroslice_plan_la_SOURCES =
libheteroslice_plan_la_LDFLAGS = -version-info 0:0:0 -no-undefined
libheteroslice_plan_la_LIBADD = src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la \
	$(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS)
