# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/calls.txt %D%/gen_wrappers.py

# The generated file is shipped, so that a user needs no Python.
%D%/wrap_c.c: %D%/calls.txt %D%/gen_wrappers.py
	$(AM_V_GEN)$(MKDIR_P) $(@D) && python3 $(srcdir)/%D%/gen_wrappers.py $(srcdir)/%D%/calls.txt >$@.new && mv $@.new $@

if HAVE_MPI
noinst_LTLIBRARIES += %D%/libinterpose.la
lib_LTLIBRARIES += libheteroslice.la
pkgconfig_DATA += heteroslice.pc
endif
%C%_libinterpose_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_libinterpose_la_SOURCES = %D%/wrap_c.c

# The runtime library: everything, with the C wrappers. It stands before the MPI library on a link line.
libheteroslice_la_SOURCES =
libheteroslice_la_LDFLAGS = -version-info 0:0:0 -no-undefined
libheteroslice_la_LIBADD = src/interpose/libinterpose.la src/runtime/libruntime.la src/plan/libplan.la \
	src/platform/libplatform.la src/util/libutil.la $(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS) $(HWLOC_LIBS) \
	$(PAPI_LIBS) $(BLAS_LIBS) $(MPI_LIBS)
