# SPDX-License-Identifier: BSD-3-Clause
# "make installcheck", after "make install", does what a stranger does with the installed libraries.
EXTRA_DIST += %D%/install.sh %D%/plan.c %D%/runtime.c
installcheck-local:
	CC='$(CC)' MPICC='$(MPICC)' MPIEXEC='$(MPIEXEC)' DESTDIR='$(DESTDIR)' $(SHELL) $(srcdir)/%D%/install.sh \
		$(srcdir)/%D% '$(prefix)' '$(libdir)'
