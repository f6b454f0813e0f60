# SPDX-License-Identifier: BSD-3-Clause
# "make installcheck", after "make install", does what a stranger does with the installed libraries.
EXTRA_DIST += %D%/cmake/CMakeLists.txt %D%/install.sh %D%/plan.c %D%/runtime.c %D%/uninstall.sh
TESTS += %D%/changelog.sh %D%/wrappers.sh
EXTRA_DIST += %D%/changelog.sh %D%/wrappers.sh
installcheck-local: tests/launch/start$(EXEEXT)
	CC='$(CC)' MPICC='$(MPICC)' MPIFC='$(MPIFC)' MPIEXEC='$(MPIEXEC)' LAUNCH='$(LAUNCH)' DESTDIR='$(DESTDIR)' \
		$(SHELL) $(srcdir)/%D%/install.sh $(srcdir)/%D% '$(prefix)' '$(libdir)'
	$(SHELL) $(srcdir)/%D%/uninstall.sh '$(MAKE)' '$(prefix)' '$(datadir)'
