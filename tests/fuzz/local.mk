# SPDX-License-Identifier: BSD-3-Clause
# Hostile input. Each target is a test on the inputs in corpus/TARGET; `make fuzz SECONDS=600` makes up others with
# clang's libFuzzer, so many seconds a target, and `make check` does it for a moment.
fuzz_targets = %D%/allocation.t %D%/decisions.t %D%/environment.t %D%/hostfile.t %D%/lab_state.t %D%/layout.t \
	%D%/platform.t %D%/report.t %D%/ring_plan.t %D%/speeds.t %D%/traffic.t %D%/units.t
check_PROGRAMS += $(fuzz_targets)
TESTS += $(fuzz_targets) %D%/fuzz.sh
EXTRA_DIST += %D%/fuzz.sh %D%/run %D%/corpus
FUZZ_MAIN = %D%/corpus.c %D%/input.c %D%/fuzz.h
FUZZ_LIBS = src/launch/liblaunch.la src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la \
	$(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS)
# Files of src/ that are part of no library stand behind FUZZ_MAIN; with flags of their own they are other objects.
%C%_allocation_t_SOURCES = %D%/allocation.c $(FUZZ_MAIN)
%C%_allocation_t_LDADD = $(FUZZ_LIBS)
%C%_decisions_t_SOURCES = %D%/decisions.c $(FUZZ_MAIN)
%C%_decisions_t_LDADD = $(FUZZ_LIBS)
%C%_environment_t_SOURCES = %D%/environment.c $(FUZZ_MAIN)
%C%_environment_t_LDADD = $(FUZZ_LIBS)
%C%_hostfile_t_SOURCES = %D%/hostfile.c $(FUZZ_MAIN)
%C%_hostfile_t_LDADD = $(FUZZ_LIBS)
%C%_lab_state_t_SOURCES = %D%/lab_state.c $(FUZZ_MAIN) src/lab/state.c
%C%_lab_state_t_CPPFLAGS = $(AM_CPPFLAGS)
%C%_lab_state_t_LDADD = $(FUZZ_LIBS)
%C%_layout_t_SOURCES = %D%/layout.c $(FUZZ_MAIN) src/cli/plan/rebalance_read.c src/cli/base/input.c
%C%_layout_t_CPPFLAGS = $(AM_CPPFLAGS)
%C%_layout_t_LDADD = $(FUZZ_LIBS)
%C%_platform_t_SOURCES = %D%/platform.c $(FUZZ_MAIN)
%C%_platform_t_LDADD = $(FUZZ_LIBS)
%C%_report_t_SOURCES = %D%/report.c $(FUZZ_MAIN) src/cli/report/calls.c src/cli/report/changes.c src/cli/report/drifts.c src/cli/report/hosts.c src/cli/report/html.c src/cli/report/messages.c src/cli/report/partitions.c src/cli/report/ranks.c src/cli/report/run.c src/cli/report/source.c src/cli/report/summary.c
if HAVE_UPLOT
nodist_%C%_report_t_SOURCES = src/cli/report/script.c
endif
%C%_report_t_CPPFLAGS = $(AM_CPPFLAGS)
%C%_report_t_LDADD = $(FUZZ_LIBS) -lm
%C%_ring_plan_t_SOURCES = %D%/ring_plan.c $(FUZZ_MAIN) src/cli/platform/show_ring.c src/cli/base/input.c
%C%_ring_plan_t_CPPFLAGS = $(AM_CPPFLAGS)
%C%_ring_plan_t_LDADD = $(FUZZ_LIBS)
%C%_speeds_t_SOURCES = %D%/speeds.c $(FUZZ_MAIN) src/cli/base/speeds.c src/cli/base/input.c src/cli/base/cli.c src/cli/base/progress.c
%C%_speeds_t_CPPFLAGS = $(AM_CPPFLAGS) -DHS_PKGLIBDIR='""'
%C%_speeds_t_LDADD = $(FUZZ_LIBS)
%C%_traffic_t_SOURCES = %D%/traffic.c $(FUZZ_MAIN) src/runtime/reorder/recorded_traffic.c
%C%_traffic_t_CPPFLAGS = $(AM_CPPFLAGS)
%C%_traffic_t_LDADD = $(FUZZ_LIBS)
%C%_units_t_SOURCES = %D%/units.c $(FUZZ_MAIN)
%C%_units_t_LDADD = $(FUZZ_LIBS)

SECONDS = 600
.PHONY: fuzz
fuzz:
	$(SHELL) $(srcdir)/tests/fuzz/run --build $(abs_builddir) --seconds $(SECONDS) $(TARGETS)
