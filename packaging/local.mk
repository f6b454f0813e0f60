# SPDX-License-Identifier: BSD-3-Clause
# Where both shells look first; each file asks the installed hs for its verbs.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
dist_bashcompletion_DATA = %D%/completion/hs.bash
dist_zshcompletion_DATA = %D%/completion/_hs
# find_package(heteroslice)
cmakeconfigdir = $(libdir)/cmake/heteroslice
nodist_cmakeconfig_DATA = %D%/cmake/heteroslice-config.cmake %D%/cmake/heteroslice-config-version.cmake
# "module use PREFIX/share/heteroslice/modulefiles": the file's name is the version.
modulefiledir = $(pkgdatadir)/modulefiles/heteroslice
nodist_modulefile_DATA = %D%/$(PACKAGE_VERSION)
if HAVE_MPI
MODULE_WITHOUT =
else
MODULE_WITHOUT = -e '/HETEROSLICE_PRELOAD/d' -e '/PYTHONPATH/d'
endif
CLEANFILES += $(nodist_modulefile_DATA)
EXTRA_DIST += %D%/modulefile.in
# The folders that are this package's own, when nothing of others is in them.
uninstall-hook: uninstall_folders
uninstall_folders: uninstall_names
	rm -rf "$(DESTDIR)$(pypackagedir)/__pycache__"
	for folder in "$(DESTDIR)$(pkgdatadir)" "$(DESTDIR)$(pkglibdir)" "$(DESTDIR)$(docdir)/doc"; do \
		test ! -d "$$folder" || find "$$folder" -depth -type d -exec rmdir {} \; 2>/dev/null || :; done
	rmdir "$(DESTDIR)$(docdir)" "$(DESTDIR)$(heterosliceincludedir)" "$(DESTDIR)$(cmakeconfigdir)" 2>/dev/null || :
.PHONY: uninstall_folders
$(nodist_modulefile_DATA): %D%/modulefile.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed $(MODULE_WITHOUT) -e 's,@VERSION[@],$(PACKAGE_VERSION),g' -e 's,@prefix[@],$(prefix),g' -e 's,@bindir[@],$(bindir),g' \
		-e 's,@mandir[@],$(mandir),g' -e 's,@libdir[@],$(libdir),g' -e 's,@pkglibdir[@],$(pkglibdir),g' \
		-e 's,@pkgdatadir[@],$(pkgdatadir),g' $(srcdir)/%D%/modulefile.in >$@.new && mv $@.new $@
# Recipes of other package managers, for the tarball of "make dist".
EXTRA_DIST += %D%/easybuild/HeteroSlice-$(PACKAGE_VERSION)-foss-2023a.eb %D%/spack/package.py
# Debian's packages: tests/distro/packages makes them from the tarball.
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/rules debian/source/format debian/source/lintian-overrides debian/not-installed \
	debian/libheteroslice0.install debian/libheteroslice-dev.install debian/libheteroslice-dev.lintian-overrides debian/heteroslice-tools.install \
	debian/python3-heteroslice.install debian/heteroslice-doc.install debian/heteroslice-doc.docs debian/heteroslice-doc.links \
	debian/tests/control debian/tests/programs
dist_doc_DATA += NEWS.md CITATION.cff
