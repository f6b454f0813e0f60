# SPDX-License-Identifier: BSD-3-Clause
# The Fortran module, built by the MPI library's own Fortran compiler, whose module files no other one reads. Its objects
# are an archive: what links it finds the runtime library as C programs do.
EXTRA_DIST += %D%/array.inc %D%/handles.c %D%/heteroslice.F90 heteroslice-fortran.pc.in
%D%/libheteroslice-fortran.a: %D%/heteroslice.F90 %D%/array.inc %D%/handles.c
	$(AM_V_GEN)$(MKDIR_P) $(@D) && top=`cd $(srcdir) && pwd` && cd $(@D) && \
	$(MPIFC) $(FCFLAGS) $(HS_MODULE_FCFLAGS) -O2 -fPIC -c $$top/%D%/heteroslice.F90 && \
	$(MPICC) $(CPPFLAGS) $(CFLAGS) -fPIC -I$$top/include -c $$top/%D%/handles.c && \
	rm -f $(@F) && $(AR) cr $(@F) heteroslice.o handles.o && rm -f heteroslice.o handles.o
%D%/heteroslice.mod: %D%/libheteroslice-fortran.a
	@test -e $@ || { rm -f %D%/libheteroslice-fortran.a; $(MAKE) %D%/libheteroslice-fortran.a; }

fortranmoddir = $(pkglibdir)/fortran
fortranlibdir = $(libdir)
if HAVE_MPIFC
nodist_fortranmod_DATA = %D%/heteroslice.mod
nodist_fortranlib_DATA = %D%/libheteroslice-fortran.a
pkgconfig_DATA += heteroslice-fortran.pc
endif
CLEANFILES += %D%/heteroslice.mod %D%/libheteroslice-fortran.a
