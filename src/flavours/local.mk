# SPDX-License-Identifier: BSD-3-Clause
# The runtime and the preload library of the other MPI libraries of this machine, from the same sources. What knows no MPI is
# shared. The first MPI library has no suffix, and one as a second name: see flavour_names.
OTHER_FLAVOURS =
FLAVOUR_SOURCES = $(src_runtime_libruntime_la_SOURCES) $(src_interpose_libinterpose_la_SOURCES)
FLAVOUR_CPPFLAGS = $(AM_CPPFLAGS) $(HWLOC_CFLAGS) $(PAPI_CFLAGS) $(BLAS_CFLAGS)

if OTHER_OPENMPI
noinst_LTLIBRARIES += %D%/libopenmpi.la
lib_LTLIBRARIES += libheteroslice-openmpi.la
pkglib_LTLIBRARIES += libheteroslice-preload-openmpi.la
OTHER_FLAVOURS += openmpi
endif
%C%_libopenmpi_la_SOURCES = $(FLAVOUR_SOURCES)
%C%_libopenmpi_la_CPPFLAGS = $(FLAVOUR_CPPFLAGS) $(OPENMPI_CFLAGS)
libheteroslice_openmpi_la_SOURCES =
libheteroslice_openmpi_la_LDFLAGS = $(libheteroslice_la_LDFLAGS)
libheteroslice_openmpi_la_LIBADD = %D%/libopenmpi.la $(RUNTIME_PARTS) $(SHARED_LIBS) $(OPENMPI_LIBS)
libheteroslice_preload_openmpi_la_SOURCES = $(PRELOADED_SOURCES)
libheteroslice_preload_openmpi_la_CPPFLAGS = $(FLAVOUR_CPPFLAGS) $(OPENMPI_CFLAGS) -DHS_LIBRARY_FLAVOUR='"openmpi"'
libheteroslice_preload_openmpi_la_LDFLAGS = $(libheteroslice_preload_la_LDFLAGS)
libheteroslice_preload_openmpi_la_LIBADD = $(libheteroslice_openmpi_la_LIBADD)

if OTHER_MPICH
noinst_LTLIBRARIES += %D%/libmpich.la
lib_LTLIBRARIES += libheteroslice-mpich.la
pkglib_LTLIBRARIES += libheteroslice-preload-mpich.la
OTHER_FLAVOURS += mpich
endif
%C%_libmpich_la_SOURCES = $(FLAVOUR_SOURCES)
%C%_libmpich_la_CPPFLAGS = $(FLAVOUR_CPPFLAGS) $(MPICH_CFLAGS)
libheteroslice_mpich_la_SOURCES =
libheteroslice_mpich_la_LDFLAGS = $(libheteroslice_la_LDFLAGS)
libheteroslice_mpich_la_LIBADD = %D%/libmpich.la $(RUNTIME_PARTS) $(SHARED_LIBS) $(MPICH_LIBS)
libheteroslice_preload_mpich_la_SOURCES = $(PRELOADED_SOURCES)
libheteroslice_preload_mpich_la_CPPFLAGS = $(FLAVOUR_CPPFLAGS) $(MPICH_CFLAGS) -DHS_LIBRARY_FLAVOUR='"mpich"'
libheteroslice_preload_mpich_la_LDFLAGS = $(libheteroslice_preload_la_LDFLAGS)
libheteroslice_preload_mpich_la_LIBADD = $(libheteroslice_mpich_la_LIBADD)

if OTHER_MPIABI
noinst_LTLIBRARIES += %D%/libmpiabi.la
lib_LTLIBRARIES += libheteroslice-mpiabi.la
pkglib_LTLIBRARIES += libheteroslice-preload-mpiabi.la
OTHER_FLAVOURS += mpiabi
endif
%C%_libmpiabi_la_SOURCES = $(FLAVOUR_SOURCES)
%C%_libmpiabi_la_CPPFLAGS = $(FLAVOUR_CPPFLAGS) $(MPIABI_CFLAGS)
libheteroslice_mpiabi_la_SOURCES =
libheteroslice_mpiabi_la_LDFLAGS = $(libheteroslice_la_LDFLAGS)
libheteroslice_mpiabi_la_LIBADD = %D%/libmpiabi.la $(RUNTIME_PARTS) $(SHARED_LIBS) $(MPIABI_LIBS)
libheteroslice_preload_mpiabi_la_SOURCES = $(PRELOADED_SOURCES)
libheteroslice_preload_mpiabi_la_CPPFLAGS = $(FLAVOUR_CPPFLAGS) $(MPIABI_CFLAGS) -DHS_LIBRARY_FLAVOUR='"mpiabi"'
libheteroslice_preload_mpiabi_la_LDFLAGS = $(libheteroslice_preload_la_LDFLAGS)
libheteroslice_preload_mpiabi_la_LIBADD = $(libheteroslice_mpiabi_la_LIBADD)

# A file for pkg-config and a name with a suffix for each, also for the first.
if HAVE_MPI
pkgconfig_DATA += $(FLAVOUR_PCS)
install-exec-hook: flavour_names
endif
FLAVOUR_PCS = $(HS_FLAVOUR_PCS)
$(FLAVOUR_PCS): heteroslice.pc
	$(AM_V_GEN)name=$@ && name=$${name%.pc} && \
	sed -e "s/^Name: heteroslice$$/Name: $$name/" -e "s/ -lheteroslice$$/ -l$$name/" \
		-e "s/-preload.so$$/-preload$${name#heteroslice}.so/" heteroslice.pc >$@.new && mv $@.new $@
CLEANFILES += $(FLAVOUR_PCS)
FIRST_NAMES = $(DESTDIR)$(libdir)/libheteroslice-$(HS_MPI_FLAVOUR).so \
	$(DESTDIR)$(pkglibdir)/libheteroslice-preload-$(HS_MPI_FLAVOUR).so
flavour_names:
	for name in $(FIRST_NAMES); do \
		first=`basename $$name -$(HS_MPI_FLAVOUR).so`; rm -f $$name && $(LN_S) $$first.so $$name || exit 1; done
uninstall-hook: uninstall_names
uninstall_names:
	rm -f $(FIRST_NAMES)
.PHONY: flavour_names uninstall_names
