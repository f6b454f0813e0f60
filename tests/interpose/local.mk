# SPDX-License-Identifier: BSD-3-Clause
# Preloading. The programs are not linked to the library, but for `linked`; see common.sh.
INTERPOSE_TESTS = %D%/account.sh %D%/call_sites.sh %D%/mpi4.sh %D%/same.sh %D%/collectives.sh %D%/mpi_abi.sh %D%/other_mpi.sh %D%/two_mpis.sh %D%/edges.sh %D%/traps.sh %D%/tools.sh %D%/generator.sh %D%/reorder.sh \
	%D%/binding.sh %D%/cached.sh %D%/partly.sh %D%/metrics.sh %D%/report.sh %D%/symbols.sh %D%/trace.sh %D%/waiting.sh
EXTRA_DIST += $(INTERPOSE_TESTS) %D%/check_report.py %D%/read_metrics.py %D%/read_trace.py %D%/common.sh %D%/other.sh %D%/sites.sh %D%/play_host.sh %D%/fortran_interface.h %D%/ordered.F90 %D%/edges.F90 %D%/fortran_calls.F90 %D%/fortran_collectives.F90 \
	%D%/late_part.F90 %D%/exceptions.cc
AM_TESTS_ENVIRONMENT += CC='$(CC)' MPICC='$(MPICC)' MPIABI_CC='$(MPIABI_CC)' MPI_CFLAGS='$(MPI_CFLAGS)'; export CC MPICC MPIABI_CC MPI_CFLAGS;

if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/yield.t
TESTS += %D%/yield.t
endif
%C%_yield_t_SOURCES = %D%/yield.c tests/unit.h src/interpose/yield.c
%C%_yield_t_LDFLAGS = -Wl,--wrap=dlsym,--wrap=hs__backoff_pause,--wrap=hs__elf_loaded,--wrap=hs__waiting_nap
%C%_yield_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_yield_t_LDADD = $(MPI_TEST_LIBS)
TESTS += $(INTERPOSE_TESTS)
TESTS += %D%/early_end.mpi %D%/idle.mpi
check_PROGRAMS += %D%/early_end.mpi %D%/idle.mpi %D%/account %D%/barriers %D%/bound %D%/calls %D%/direct %D%/edges %D%/late %D%/linked %D%/mpi4 %D%/ordered %D%/partly %D%/partly_linked %D%/traps %D%/truncated %D%/watched %D%/world
check_LTLIBRARIES += %D%/tool.la
endif
%C%_calls_SOURCES = %D%/calls.c %D%/calls.h %D%/calls_sum.c %D%/calls_collectives.c %D%/calls_communicators.c %D%/calls_files.c \
	%D%/calls_handlers.c %D%/calls_neighbours.c %D%/calls_one_sided.c %D%/calls_point_to_point.c %D%/calls_requests.c
%C%_calls_CPPFLAGS = $(MPI_CFLAGS)
%C%_calls_LDADD = $(MPI_LIBS)
%C%_mpi4_SOURCES = %D%/mpi4.c %D%/calls.h %D%/calls_sum.c
%C%_mpi4_CPPFLAGS = $(MPI_CFLAGS)
%C%_mpi4_LDADD = $(MPI_LIBS)
%C%_barriers_CPPFLAGS = $(MPI_CFLAGS)
%C%_barriers_LDADD = $(MPI_LIBS)
%C%_bound_SOURCES = %D%/bound.c %D%/burn.h
%C%_bound_CPPFLAGS = $(MPI_CFLAGS)
%C%_bound_LDADD = $(MPI_LIBS) -lpthread
%C%_late_LDADD =
%C%_direct_CPPFLAGS = $(MPI_CFLAGS)
%C%_direct_LDADD = $(MPI_LIBS)
%C%_edges_CPPFLAGS = $(MPI_CFLAGS)
%C%_edges_LDADD = $(MPI_LIBS) -lpthread
%C%_traps_CPPFLAGS = $(MPI_CFLAGS)
%C%_traps_LDADD = $(MPI_LIBS) -lm
%C%_ordered_CPPFLAGS = $(MPI_CFLAGS)
%C%_ordered_LDADD = $(MPI_LIBS)
%C%_truncated_CPPFLAGS = $(MPI_CFLAGS)
%C%_truncated_LDADD = $(MPI_LIBS)
%C%_world_CPPFLAGS = $(MPI_CFLAGS)
%C%_world_LDADD = $(MPI_LIBS)
%C%_account_CPPFLAGS = $(MPI_CFLAGS)
%C%_account_LDADD = $(MPI_LIBS) -lpthread
%C%_watched_CPPFLAGS = $(MPI_CFLAGS)
%C%_watched_LDADD = $(MPI_LIBS) -lpthread
%C%_partly_CPPFLAGS = $(MPI_CFLAGS)
%C%_partly_LDADD = $(MPI_LIBS)
%C%_partly_linked_SOURCES = %D%/partly.c
%C%_partly_linked_CPPFLAGS = $(MPI_CFLAGS)
%C%_partly_linked_LDFLAGS = -Wl,--no-as-needed
%C%_partly_linked_LDADD = libheteroslice.la $(MPI_LIBS)
%C%_linked_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_linked_LDADD = libheteroslice.la $(MPI_LIBS)
%C%_early_end_mpi_SOURCES = %D%/early_end.c tests/mpi.h
%C%_early_end_mpi_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_early_end_mpi_LDADD = libheteroslice.la $(MPI_LIBS)
%C%_idle_mpi_SOURCES = %D%/idle.c tests/mpi.h
%C%_idle_mpi_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_idle_mpi_LDADD = libheteroslice.la $(MPI_LIBS) -lm
%C%_tool_la_SOURCES = %D%/tool.c
%C%_tool_la_CPPFLAGS = $(MPI_CFLAGS)
%C%_tool_la_CFLAGS = -fvisibility=default
%C%_tool_la_LDFLAGS = -module -avoid-version -rpath /nowhere
%C%_tool_la_LIBADD = $(MPI_LIBS)

# Compiled by the MPI library's own wrappers: automake would want these compilers of every user. Fortran leaves module
# files where it stands.
FORTRAN = $(AM_V_GEN)rm -rf $@.d && $(MKDIR_P) $@.d && cd $@.d && $(MPIFC) $(HS_FCFLAGS) $(FCFLAGS)
FORTRAN_DONE = && mv made ../$(@F) && rm -rf ../$(@F).d
%D%/fortran_include: %D%/fortran_calls.F90 %D%/fortran_interface.h
	$(FORTRAN) -o made $(abs_srcdir)/%D%/fortran_calls.F90 $(FORTRAN_DONE)
%D%/fortran_module: %D%/fortran_calls.F90 %D%/fortran_interface.h
	$(FORTRAN) -DMODULE_MPI -o made $(abs_srcdir)/%D%/fortran_calls.F90 $(FORTRAN_DONE)
%D%/fortran_2008: %D%/fortran_calls.F90 %D%/fortran_interface.h
	$(FORTRAN) -DMODULE_F08 -o made $(abs_srcdir)/%D%/fortran_calls.F90 $(FORTRAN_DONE)
%D%/fortran_collectives_include: %D%/fortran_collectives.F90 %D%/fortran_interface.h
	$(FORTRAN) -o made $(abs_srcdir)/%D%/fortran_collectives.F90 $(FORTRAN_DONE)
%D%/fortran_collectives_module: %D%/fortran_collectives.F90 %D%/fortran_interface.h
	$(FORTRAN) -DMODULE_MPI -o made $(abs_srcdir)/%D%/fortran_collectives.F90 $(FORTRAN_DONE)
%D%/fortran_collectives_2008: %D%/fortran_collectives.F90 %D%/fortran_interface.h
	$(FORTRAN) -DMODULE_F08 -o made $(abs_srcdir)/%D%/fortran_collectives.F90 $(FORTRAN_DONE)
%D%/ordered_include: %D%/ordered.F90 %D%/fortran_interface.h
	$(FORTRAN) -o made $(abs_srcdir)/%D%/ordered.F90 $(FORTRAN_DONE)
%D%/ordered_module: %D%/ordered.F90 %D%/fortran_interface.h
	$(FORTRAN) -DMODULE_MPI -o made $(abs_srcdir)/%D%/ordered.F90 $(FORTRAN_DONE)
%D%/ordered_2008: %D%/ordered.F90 %D%/fortran_interface.h
	$(FORTRAN) -DMODULE_F08 -o made $(abs_srcdir)/%D%/ordered.F90 $(FORTRAN_DONE)
%D%/edges_include: %D%/edges.F90 %D%/fortran_interface.h
	$(FORTRAN) $(HS_OPENMP_FCFLAGS) -o made $(abs_srcdir)/%D%/edges.F90 $(FORTRAN_DONE)
%D%/edges_module: %D%/edges.F90 %D%/fortran_interface.h
	$(FORTRAN) $(HS_OPENMP_FCFLAGS) -DMODULE_MPI -o made $(abs_srcdir)/%D%/edges.F90 $(FORTRAN_DONE)
%D%/edges_2008: %D%/edges.F90 %D%/fortran_interface.h
	$(FORTRAN) $(HS_OPENMP_FCFLAGS) -DMODULE_F08 -o made $(abs_srcdir)/%D%/edges.F90 $(FORTRAN_DONE)
%D%/late_part.so: %D%/late_part.F90
	$(FORTRAN) -shared -fPIC -o made $(abs_srcdir)/%D%/late_part.F90 $(FORTRAN_DONE)
%D%/exceptions: %D%/exceptions.cc
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(MPICXX) $(CXXFLAGS) -o $@ $(srcdir)/%D%/exceptions.cc
# The programs in C are C++, too.
AS_CXX = $(AM_V_GEN)$(MKDIR_P) $(@D) && $(MPICXX) $(CXXFLAGS) -pthread -o $@ -x c++
%D%/calls_cxx: $(%C%_calls_SOURCES)
	$(AS_CXX) `for file in $(%C%_calls_SOURCES); do case $$file in *.c) echo $(srcdir)/$$file;; esac; done`
%D%/edges_cxx: %D%/edges.c
	$(AS_CXX) $(srcdir)/%D%/edges.c
if HAVE_MPIFC
check_DATA += %D%/fortran_include %D%/fortran_module %D%/late_part.so %D%/ordered_include %D%/ordered_module %D%/fortran_collectives_include \
	%D%/fortran_collectives_module %D%/edges_include %D%/edges_module
endif
if HAVE_MPI_F08
check_DATA += %D%/fortran_2008 %D%/ordered_2008 %D%/fortran_collectives_2008 %D%/edges_2008
endif
if HAVE_MPICXX
check_DATA += %D%/exceptions %D%/calls_cxx %D%/edges_cxx
endif
CLEANFILES += %D%/edges_include %D%/edges_module %D%/edges_2008 %D%/calls_cxx %D%/edges_cxx
CLEANFILES += %D%/ordered_include %D%/ordered_module %D%/ordered_2008
CLEANFILES += %D%/fortran_collectives_include %D%/fortran_collectives_module %D%/fortran_collectives_2008
CLEANFILES += %D%/fortran_include %D%/fortran_module %D%/fortran_2008 %D%/late_part.so %D%/exceptions
