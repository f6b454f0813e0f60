# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += hs
hs_SOURCES = %D%/cli.c %D%/cli.h %D%/help.c %D%/help.h %D%/help_pages.c %D%/hs.c %D%/input.c %D%/verbs.c %D%/verbs.h
hs_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) -DHS_PKGLIBDIR='"$(pkglibdir)"' -DHS_MANDIR='"$(mandir)"'
hs_LDADD = src/lab/liblab.la src/launch/liblaunch.la
if HAVE_MPI
hs_LDADD += src/runtime/libruntime.la
endif
hs_LDADD += src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la $(EXPAT_LIBS) $(JANSSON_LIBS) \
	$(KINSOL_LIBS)
# The pages that "hs help" prints. They are shipped, so that a user needs no Python.
EXTRA_DIST += %D%/gen_help.py
MAINTAINERCLEANFILES += %D%/help_pages.c
%D%/help_pages.c: %D%/gen_help.py $(dist_man_MANS)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && python3 $(srcdir)/%D%/gen_help.py $(dist_man_MANS:%=$(srcdir)/%) >$@.new && mv $@.new $@
# One line a verb:
hs_SOURCES += %D%/completion.c
hs_SOURCES += %D%/show.c %D%/show_flows.c %D%/show_flows.h %D%/show_groups.c %D%/show_groups.h %D%/show_ring.c %D%/show_ring.h
hs_SOURCES += %D%/generate.c
hs_SOURCES += %D%/ring.c %D%/ring_print.c %D%/ring_print.h
hs_SOURCES += %D%/env.c
hs_SOURCES += %D%/lab.c %D%/lab_run.c %D%/lab_run.h
if HAVE_MPI
hs_SOURCES += %D%/probe.c %D%/probe_check.c %D%/probe_check.h
endif
hs_SOURCES += %D%/gantt.c %D%/gantt.h
hs_SOURCES += %D%/scatter.c %D%/scatter.h %D%/scatter_draw.c
hs_SOURCES += %D%/columns.c %D%/grid.c %D%/hosts.c %D%/hosts.h %D%/speeds.c %D%/speeds.h %D%/tiles.c %D%/tiles.h
hs_SOURCES += %D%/rebalance.c %D%/rebalance.h %D%/rebalance_draw.c %D%/rebalance_read.c
hs_SOURCES += %D%/reduce.c %D%/reduce.h %D%/reduce_draw.c
hs_SOURCES += %D%/transfer_times.c %D%/transfer_times.h
hs_SOURCES += %D%/replay.c
hs_SOURCES += %D%/report.c %D%/report/changes.c %D%/report/hosts.c %D%/report/html.c %D%/report/html.h \
	%D%/report/messages.c %D%/report/ranks.c %D%/report/run.c %D%/report/run.h %D%/report/sections.h \
	%D%/report/slices.c %D%/report/summary.c
hs_SOURCES += %D%/weights.c
hs_SOURCES += %D%/program_mpi.c %D%/program_mpi.h
hs_SOURCES += %D%/cache.c %D%/cache_folder.c %D%/cache_folder.h
hs_SOURCES += %D%/run.c %D%/run.h %D%/run_launch.c %D%/run_platform.c
