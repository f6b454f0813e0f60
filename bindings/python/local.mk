# SPDX-License-Identifier: BSD-3-Clause
# The Python package is one file, which knows where the libraries are. It is pure Python: any version imports it from here.
EXTRA_DIST += %D%/heteroslice/__init__.py.in
pythondir = $(pkgdatadir)/python
pypackagedir = $(pythondir)/heteroslice
%D%/heteroslice/__init__.py: %D%/heteroslice/__init__.py.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && libraries='"$(HS_MPI_FLAVOUR)": "libheteroslice.so.0"' && \
	for name in $(OTHER_FLAVOURS); do libraries="$$libraries, \"$$name\": \"libheteroslice-$$name.so.0\""; done && \
	sed -e 's,@libdir\@,$(libdir),' -e "s/@libraries\@/$$libraries/" \
		$(srcdir)/%D%/heteroslice/__init__.py.in >$@.new && mv $@.new $@
if HAVE_MPI
nodist_pypackage_DATA = %D%/heteroslice/__init__.py
endif
CLEANFILES += %D%/heteroslice/__init__.py
