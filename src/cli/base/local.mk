# SPDX-License-Identifier: BSD-3-Clause
# What verbs share, as a library of its own, so that unit tests can link it.
noinst_LTLIBRARIES += %D%/libbase.la
%C%_libbase_la_SOURCES = %D%/bounds.c %D%/bounds.h %D%/cli.c %D%/cli.h %D%/gantt.c %D%/gantt.h %D%/help.c %D%/help.h \
	%D%/help_pages.c %D%/hosts.c %D%/hosts.h %D%/input.c %D%/progress.c %D%/progress.h %D%/rows.c %D%/rows.h %D%/speeds.c %D%/speeds.h %D%/tiles.c %D%/tiles.h \
	%D%/transfer_times.c %D%/transfer_times.h %D%/verbs.h
%C%_libbase_la_CPPFLAGS = $(hs_CPPFLAGS)
# They know where hs is installed, which configure may say anew.
%D%/libbase_la-cli.lo %D%/libbase_la-help.lo: Makefile
# The pages that "hs help" prints. They are shipped, so that a user needs no Python.
EXTRA_DIST += %D%/gen_help.py
MAINTAINERCLEANFILES += %D%/help_pages.c
%D%/help_pages.c: %D%/gen_help.py $(dist_man_MANS)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && python3 $(srcdir)/%D%/gen_help.py $(dist_man_MANS:%=$(srcdir)/%) >$@.new && mv $@.new $@
