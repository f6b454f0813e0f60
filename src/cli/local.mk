# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += hs
hs_SOURCES = %D%/completion.c %D%/env.c %D%/hs.c %D%/verbs.c
hs_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) -DHS_PKGLIBDIR='"$(pkglibdir)"' -DHS_MANDIR='"$(mandir)"'
hs_LDADD = src/cli/base/libbase.la src/lab/liblab.la src/launch/liblaunch.la src/cache/libcache.la
if HAVE_MPI
hs_LDADD += src/runtime/libruntime.la
endif
hs_LDADD += src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la $(EXPAT_LIBS) $(JANSSON_LIBS) \
	$(KINSOL_LIBS)
include src/cli/base/local.mk
include src/cli/platform/local.mk
include src/cli/plan/local.mk
include src/cli/start/local.mk
include src/cli/report/local.mk
