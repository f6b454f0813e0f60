# SPDX-License-Identifier: BSD-3-Clause
# The Fortran module, built by the MPI library's own Fortran compiler, whose module files no other one reads. Its objects
# are an archive: what links it finds the runtime library as C programs do. The other MPI libraries have theirs in folders.
FORTRAN_MODULE = %D%/array.inc %D%/build.sh %D%/handles.c %D%/heteroslice.F90
EXTRA_DIST += $(FORTRAN_MODULE) heteroslice-fortran.pc.in
%D%/libheteroslice-fortran.a: $(FORTRAN_MODULE)
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/build.sh $(srcdir)/%D% $(@D) '$(MPICC)' '$(MPIFC)' $(FCFLAGS) $(HS_MODULE_FCFLAGS)
%D%/heteroslice.mod: %D%/libheteroslice-fortran.a
	@test -e $@ || { rm -f %D%/libheteroslice-fortran.a; $(MAKE) %D%/libheteroslice-fortran.a; }
%D%/others: $(FORTRAN_MODULE)
	$(AM_V_GEN)for mpi in $(OTHER_FLAVOURS); do \
		case $$mpi in openmpi) cc='$(OPENMPI_CC)';; mpich) cc='$(MPICH_CC)';; *) cc='$(MPIABI_CC)';; esac; \
		$(SHELL) $(srcdir)/%D%/build.sh $(srcdir)/%D% $(@D)/$$mpi "$$cc" find $(FCFLAGS) || exit 1; done; echo $(OTHER_FLAVOURS) >$@

fortranmoddir = $(pkglibdir)/fortran
fortranlibdir = $(libdir)
if HAVE_MPIFC
nodist_fortranmod_DATA = %D%/heteroslice.mod
nodist_fortranlib_DATA = %D%/libheteroslice-fortran.a
pkgconfig_DATA += heteroslice-fortran.pc
noinst_DATA += %D%/others
install-exec-local: %D%/others
	for mpi in $(OTHER_FLAVOURS); do \
		test -e %D%/$$mpi/heteroslice.mod || continue; \
		$(MKDIR_P) "$(DESTDIR)$(pkglibdir)/fortran-$$mpi" "$(DESTDIR)$(pkgconfigdir)" && \
		$(INSTALL_DATA) %D%/$$mpi/heteroslice.mod "$(DESTDIR)$(pkglibdir)/fortran-$$mpi" && \
		$(INSTALL_DATA) %D%/$$mpi/libheteroslice-fortran.a "$(DESTDIR)$(libdir)/libheteroslice-fortran-$$mpi.a" && \
		sed -e "s,^\(Name:.*\|Requires:.*\|moduledir=.*\),&-$$mpi," -e "s/ -lheteroslice-fortran/&-$$mpi/" heteroslice-fortran.pc \
			>%D%/$$mpi/heteroslice-fortran-$$mpi.pc && \
		$(INSTALL_DATA) %D%/$$mpi/heteroslice-fortran-$$mpi.pc "$(DESTDIR)$(pkgconfigdir)" || exit 1; done
uninstall-local:
	for mpi in $(OTHER_FLAVOURS); do \
		rm -rf "$(DESTDIR)$(pkglibdir)/fortran-$$mpi" "$(DESTDIR)$(libdir)/libheteroslice-fortran-$$mpi.a" \
			"$(DESTDIR)$(pkgconfigdir)/heteroslice-fortran-$$mpi.pc"; done
endif
clean-local:
	rm -rf %D%/openmpi %D%/mpich %D%/mpiabi
CLEANFILES += %D%/heteroslice.mod %D%/libheteroslice-fortran.a %D%/others
