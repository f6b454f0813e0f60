# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/calls.txt %D%/gen_wrappers.py %D%/wrap_c.c.in %D%/wrap_fortran.c.in
MAINTAINERCLEANFILES += %D%/wrap_c.c %D%/wrap_fortran.c

# The generated files are shipped, so that a user needs no Python.
GENERATE_WRAPPERS = $(AM_V_GEN)$(MKDIR_P) $(@D) && \
	python3 $(srcdir)/%D%/gen_wrappers.py $(srcdir)/%D%/calls.txt $(srcdir)/%D%/$(@F).in >$@.new && mv $@.new $@
%D%/wrap_c.c: %D%/calls.txt %D%/gen_wrappers.py %D%/wrap_c.c.in
	$(GENERATE_WRAPPERS)
%D%/wrap_fortran.c: %D%/calls.txt %D%/gen_wrappers.py %D%/wrap_fortran.c.in
	$(GENERATE_WRAPPERS)

if HAVE_MPI
noinst_LTLIBRARIES += %D%/libinterpose.la
lib_LTLIBRARIES += libheteroslice.la
pkglib_LTLIBRARIES += libheteroslice-preload.la
pkgconfig_DATA += heteroslice.pc
endif
%C%_libinterpose_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_libinterpose_la_SOURCES = %D%/account.c %D%/collectives.c %D%/collectives.h %D%/collectives_fortran.c %D%/commit.c \
	%D%/forward.c %D%/forward.h %D%/hooks.c %D%/hooks.h %D%/pcontrol.c %D%/reorder.c %D%/reorder.h \
	%D%/session.c %D%/session.h %D%/unwrapped_symbols.c %D%/unwrapped_symbols.h %D%/waiting.h %D%/wrap_c.c %D%/wrap_fortran.c %D%/yield.c

# The runtime library: everything, with the wrappers of C and Fortran. Those look up what they call when they are called,
# so programs of one language need nothing of the other. It stands before the MPI library on a link line.
SHARED_LIBS = src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la \
	$(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS) $(HWLOC_LIBS) $(PAPI_LIBS)
libheteroslice_la_SOURCES =
# Never unloaded: MPI keeps pointers to its functions, as in attributes of communicators.
libheteroslice_la_LDFLAGS = -version-info $(HS_LIBRARY_VERSION) -no-undefined -Wl,-z,nodelete
libheteroslice_la_LIBADD = src/interpose/libinterpose.la src/runtime/libruntime.la $(SHARED_LIBS) $(MPI_LIBS)

# What is preloaded: the same, and that it is. It names the MPI library even where the linker sees no need, or a program
# that loads MPI late (Python) finds none behind the wrappers. It is bound when it is loaded, since it may hide its own functions.
PRELOADED_SOURCES = %D%/preloaded.c %D%/preloaded.h
include %D%/partition/local.mk
libheteroslice_preload_la_SOURCES = $(PRELOADED_SOURCES)
libheteroslice_preload_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) -DHS_LIBRARY_FLAVOUR='"$(HS_MPI_FLAVOUR)"'
libheteroslice_preload_la_LDFLAGS = -module -avoid-version -no-undefined -Wl,--no-as-needed -Wl,-z,now
libheteroslice_preload_la_LIBADD = src/interpose/libinterpose.la src/runtime/libruntime.la $(SHARED_LIBS) $(MPI_LIBS)
