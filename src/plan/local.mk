# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += %D%/libplan.la
%C%_libplan_la_SOURCES =
include src/plan/slices/local.mk
include src/plan/by_size/local.mk
include src/plan/decision/local.mk
include src/plan/ring/local.mk
include src/plan/columns/local.mk
include src/plan/grid/local.mk
include src/plan/boxes/local.mk
include src/plan/rebalance/local.mk
include src/plan/divisible/local.mk
include src/plan/reduction/local.mk
include src/plan/collective/local.mk
include src/plan/discover/local.mk
include src/plan/links/local.mk
include src/plan/placement/local.mk
include src/plan/mapping/local.mk
include src/plan/elsewhere/local.mk
include src/plan/binding/local.mk
include src/plan/hierarchy/local.mk

# The planning library: util, platform and plan, no MPI.
lib_LTLIBRARIES += libheteroslice-plan.la
libheteroslice_plan_la_SOURCES =
libheteroslice_plan_la_LDFLAGS = -version-info $(HS_LIBRARY_VERSION) -no-undefined
libheteroslice_plan_la_LIBADD = src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la \
	$(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS)
