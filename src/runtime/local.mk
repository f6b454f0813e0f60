# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
noinst_LTLIBRARIES += %D%/libruntime.la
endif
%C%_libruntime_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) $(HWLOC_CFLAGS) $(PAPI_CFLAGS) $(BLAS_CFLAGS)
%C%_libruntime_la_LIBADD = $(HWLOC_LIBS) $(PAPI_LIBS) $(MPI_LIBS)
%C%_libruntime_la_SOURCES =

# Layouts and balancing
%C%_libruntime_la_SOURCES += %D%/agree.c %D%/agree.h %D%/balance.c %D%/balance.h %D%/clock.h %D%/context.c %D%/context.h %D%/counts.c %D%/decide.c %D%/decide.h \
	%D%/layout.c %D%/layout.h %D%/layout_balance.c %D%/left.c %D%/left.h %D%/messages.c %D%/messages.h %D%/move.c %D%/move.h %D%/place.c %D%/place.h %D%/slices.c %D%/slices.h %D%/speed_window.c %D%/speed_window.h

# Matrices in blocks
%C%_libruntime_la_SOURCES += %D%/blocks.c %D%/blocks.h %D%/blocks_balance.c %D%/blocks_move.c %D%/blocks_plan.c %D%/cut.c %D%/cut.h %D%/pace.c %D%/pace.h

# Probe
%C%_libruntime_la_SOURCES += %D%/blas.c %D%/blas.h %D%/kernels.c %D%/kernels.h %D%/polite.c %D%/polite.h %D%/probe.c \
	%D%/probe_counters.c %D%/probe_facts.c %D%/probe_facts.h %D%/probe_links.c %D%/probe_pairs.c %D%/probe_pairs.h \
	%D%/probe_platform.c %D%/probe_result.c %D%/probe_result.h %D%/probe_rounds.c %D%/probe_rounds.h %D%/probe_run.h %D%/probe_speed.c \
	%D%/probe_stats.c %D%/probe_stats.h %D%/probe_stream.c %D%/probe_stream.h

# Binding to cores
%C%_libruntime_la_SOURCES += %D%/binding.c %D%/binding.h %D%/cores.c %D%/cores.h %D%/load.c %D%/load.h %D%/rebind.c %D%/rebind.h

# Clock, monitor, environment: what the wrappers need
%C%_libruntime_la_SOURCES += %D%/environment.c %D%/environment.h %D%/host_names.c %D%/host_names.h %D%/hot.h %D%/hurry.c %D%/monitor.c %D%/monitor.h %D%/repeat.c %D%/repeat.h %D%/ticks.c %D%/ticks.h \
	%D%/waiting.c %D%/waiting.h

# Farms: scatter, gather, master and workers
%C%_libruntime_la_SOURCES += %D%/farm.c %D%/farm.h %D%/farm_correct.c %D%/farm_estimate.c %D%/farm_master.c %D%/farm_master.h \
	%D%/farm_plan.c %D%/farm_rest.c %D%/farm_rest.h %D%/farm_run.c %D%/farm_run.h %D%/farm_sample.c \
	%D%/farm_send.c %D%/farm_worker.c %D%/pieces.c %D%/pieces.h \
	%D%/scatter.c

# What is seen of a program, and told
%C%_libruntime_la_SOURCES += %D%/efficiency.c %D%/efficiency.h %D%/iterations.c %D%/iterations.h %D%/quota.c %D%/quota.h \
	%D%/report.c %D%/report.h %D%/report_json.c %D%/report_print.c %D%/volumes.c %D%/volumes.h

# Reductions and broadcasts
%C%_libruntime_la_SOURCES += %D%/collectives.c %D%/collectives.h %D%/collectives_crew.c %D%/collectives_ring.c %D%/collectives_tree.c %D%/collectives_turns.c

# Ranks in another order
%C%_libruntime_la_SOURCES += %D%/reorder.c %D%/reorder.h %D%/reorder_topology.c %D%/traffic.c %D%/world.c %D%/world.h
