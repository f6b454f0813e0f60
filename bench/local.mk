# SPDX-License-Identifier: BSD-3-Clause
# Benchmarks: built by "make bench", never run by "make check". One line or block a folder:
bench_programs =
bench: $(bench_programs)
.PHONY: bench

# README's table of gains
EXTRA_DIST += %D%/gains.csv %D%/gains.py

EXTRA_DIST += %D%/platform/reading.sh
EXTRA_DIST += %D%/cg/lab_cg.py %D%/particles/lab_particles.py

# Boxes: emulated and simulated
EXTRA_DIST += %D%/boxes/lab_layouts.py %D%/boxes/three-switches.xml %D%/boxes/simulated.py %D%/boxes/step.c
EXTRA_PROGRAMS += %D%/boxes/plan
CLEANFILES += %D%/boxes/plan
%C%_boxes_plan_SOURCES = %D%/boxes/plan.c
%C%_boxes_plan_LDADD = libheteroslice-plan.la
bench_programs += %D%/boxes/plan

# Shared links: found files against true ones
EXTRA_DIST += %D%/platform/discover_lab.py
EXTRA_PROGRAMS += %D%/platform/judge %D%/platform/rings %D%/platform/trees
CLEANFILES += %D%/platform/judge %D%/platform/rings %D%/platform/trees
%C%_platform_judge_SOURCES = %D%/platform/judge.c
%C%_platform_judge_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
%C%_platform_judge_LDADD = src/platform/libplatform.la src/util/libutil.la $(EXPAT_LIBS) $(JANSSON_LIBS) -lm
%C%_platform_trees_SOURCES = %D%/platform/trees.c tests/plan/discover/truth.c tests/plan/discover/truth.h
%C%_platform_trees_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
%C%_platform_trees_LDADD = src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la $(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS) -lm
%C%_platform_rings_SOURCES = %D%/platform/rings.c tests/plan/discover/truth.c tests/plan/discover/truth.h
%C%_platform_rings_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
%C%_platform_rings_LDADD = $(%C%_platform_trees_LDADD)
bench_programs += %D%/platform/judge %D%/platform/rings %D%/platform/trees
EXTRA_DIST += %D%/stencil/lab_balance.py %D%/stencil/lab_links.py %D%/stencil/lab_pace.py
# Starts with a measurement that was kept
EXTRA_DIST += %D%/runtime/start.py %D%/platform/spot_lab.py
EXTRA_PROGRAMS += %D%/runtime/start
CLEANFILES += %D%/runtime/start
%C%_runtime_start_SOURCES = %D%/runtime/start.c
%C%_runtime_start_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_runtime_start_LDADD = libheteroslice.la $(MPI_LIBS)
if HAVE_MPI
bench_programs += %D%/runtime/start tests/launch/start
endif
EXTRA_PROGRAMS += %D%/runtime/off_phase
CLEANFILES += %D%/runtime/off_phase
%C%_runtime_off_phase_SOURCES = %D%/runtime/off_phase.c
%C%_runtime_off_phase_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_runtime_off_phase_LDADD = libheteroslice.la $(MPI_LIBS)
if HAVE_MPI
bench_programs += %D%/runtime/off_phase
endif

# The emulated cluster against its platform file
EXTRA_DIST += %D%/lab/built.py %D%/lab/cluster.py %D%/lab/halves.py %D%/lab/measure.sh %D%/lab/probe.sh %D%/lab/rates.sh %D%/lab/speeds.sh
EXTRA_PROGRAMS += %D%/lab/flow
CLEANFILES += %D%/lab/flow
bench_programs += %D%/lab/flow tests/lab/spin tests/launch/start

# Unmodified programs with targets by host speed
EXTRA_DIST += %D%/partition/lab_cores.py %D%/partition/lab_drift.py %D%/partition/lab_programs.py %D%/partition/unmodified.py

# What interposing costs: overhead.py preloads the library into these
EXTRA_DIST += %D%/interpose/binding.py %D%/interpose/clocks.py %D%/interpose/lab_run.py %D%/interpose/overhead.py %D%/interpose/reorder_lab.py \
	%D%/interpose/oversubscribed.py %D%/interpose/paired.py %D%/interpose/programs.py %D%/interpose/waiting.py
EXTRA_PROGRAMS += %D%/interpose/call_cost %D%/interpose/clocks %D%/interpose/halo %D%/interpose/init %D%/interpose/messages \
	%D%/interpose/oversubscribed %D%/interpose/waiting
CLEANFILES += %D%/interpose/call_cost %D%/interpose/clocks %D%/interpose/halo %D%/interpose/init %D%/interpose/messages %D%/interpose/oversubscribed %D%/interpose/waiting
%C%_interpose_call_cost_SOURCES = %D%/interpose/call_cost.c
%C%_interpose_call_cost_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_interpose_call_cost_LDADD = $(MPI_LIBS)
%C%_interpose_clocks_SOURCES = %D%/interpose/clocks.c
%C%_interpose_clocks_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_interpose_clocks_LDADD = $(MPI_LIBS)
%C%_interpose_halo_SOURCES = %D%/interpose/halo.c
%C%_interpose_halo_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_interpose_halo_LDADD = $(MPI_LIBS)
%C%_interpose_init_SOURCES = %D%/interpose/init.c
%C%_interpose_init_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_interpose_init_LDADD = $(MPI_LIBS)
%C%_interpose_messages_SOURCES = %D%/interpose/messages.c
%C%_interpose_messages_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_interpose_messages_LDADD = $(MPI_LIBS)
%C%_interpose_oversubscribed_SOURCES = %D%/interpose/oversubscribed.c
%C%_interpose_oversubscribed_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(MPI_CFLAGS)
%C%_interpose_oversubscribed_LDADD = $(MPI_LIBS)
%C%_interpose_waiting_SOURCES = %D%/interpose/waiting.c
%C%_interpose_waiting_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(MPI_CFLAGS)
%C%_interpose_waiting_LDADD = $(MPI_LIBS)
if HAVE_MPI
bench_programs += tests/launch/start tests/interpose/bound %D%/interpose/call_cost %D%/interpose/clocks %D%/interpose/halo %D%/interpose/init %D%/interpose/messages %D%/interpose/oversubscribed %D%/interpose/waiting
endif

# Divisible loads: the tables of sport, planning at size, whole items
EXTRA_PROGRAMS += %D%/divisible/sport_tables
CLEANFILES += %D%/divisible/sport_tables
%C%_divisible_sport_tables_SOURCES = %D%/divisible/sport_tables.c %D%/divisible/every_order.c %D%/divisible/every_order.h
%C%_divisible_sport_tables_LDADD = libheteroslice-plan.la -lm
bench_programs += %D%/divisible/sport_tables
EXTRA_PROGRAMS += %D%/divisible/sport_scale %D%/divisible/whole_items
CLEANFILES += %D%/divisible/sport_scale %D%/divisible/whole_items
%C%_divisible_sport_scale_SOURCES = %D%/divisible/sport_scale.c
%C%_divisible_sport_scale_LDADD = libheteroslice-plan.la -lm
%C%_divisible_whole_items_SOURCES = %D%/divisible/whole_items.c
%C%_divisible_whole_items_LDADD = libheteroslice-plan.la -lm
bench_programs += %D%/divisible/sport_scale %D%/divisible/whole_items
EXTRA_DIST += %D%/divisible/sport_tables.gp

# Reductions: table 1, planning at size, how good slowest-node-first is
EXTRA_PROGRAMS += %D%/reduction/efficiency %D%/reduction/planning %D%/reduction/misses
CLEANFILES += %D%/reduction/efficiency %D%/reduction/planning %D%/reduction/misses
%C%_reduction_efficiency_SOURCES = %D%/reduction/efficiency.c
%C%_reduction_efficiency_LDADD = libheteroslice-plan.la -lm
%C%_reduction_planning_SOURCES = %D%/reduction/planning.c
%C%_reduction_planning_LDADD = libheteroslice-plan.la -lm
%C%_reduction_misses_SOURCES = %D%/reduction/misses.c
%C%_reduction_misses_LDADD = libheteroslice-plan.la -lm
bench_programs += %D%/reduction/efficiency %D%/reduction/planning %D%/reduction/misses

# Rings: the paper's experiments, quality, speed
RING_BENCHES = %D%/ring/ring_suborder %D%/ring/ring_changed %D%/ring/ring_size %D%/ring/ring_curve %D%/ring/ring_refinements %D%/ring/ring_quality %D%/ring/ring_speed
EXTRA_PROGRAMS += $(RING_BENCHES)
CLEANFILES += $(RING_BENCHES)
bench_programs += $(RING_BENCHES)
EXTRA_DIST += %D%/ring/ring_bench.h %D%/ring/run %D%/ring/figures.gp %D%/ring/ring_step.c
EXTRA_DIST += %D%/ring/ring_simulated.py %D%/ring/ring_lab.py
%C%_ring_ring_suborder_SOURCES = %D%/ring/ring_suborder.c
%C%_ring_ring_suborder_LDADD = libheteroslice-plan.la -lm
%C%_ring_ring_changed_SOURCES = %D%/ring/ring_changed.c tests/duplex.h
%C%_ring_ring_changed_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
%C%_ring_ring_changed_LDADD = $(%C%_platform_trees_LDADD)
%C%_ring_ring_size_SOURCES = %D%/ring/ring_size.c
%C%_ring_ring_size_LDADD = libheteroslice-plan.la
%C%_ring_ring_curve_SOURCES = %D%/ring/ring_curve.c
%C%_ring_ring_curve_LDADD = libheteroslice-plan.la
%C%_ring_ring_refinements_SOURCES = %D%/ring/ring_refinements.c
%C%_ring_ring_refinements_LDADD = libheteroslice-plan.la
%C%_ring_ring_quality_SOURCES = %D%/ring/ring_quality.c
%C%_ring_ring_quality_LDADD = libheteroslice-plan.la
%C%_ring_ring_speed_SOURCES = %D%/ring/ring_speed.c
%C%_ring_ring_speed_LDADD = libheteroslice-plan.la

# Collectives: bare, preloaded, simulated
EXTRA_DIST += %D%/reduction/smpi.sh %D%/reduction/smpi_calls.c %D%/reduction/lab.py
EXTRA_PROGRAMS += %D%/reduction/collectives
CLEANFILES += %D%/reduction/collectives
%C%_reduction_collectives_SOURCES = %D%/reduction/collectives.c
%C%_reduction_collectives_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_reduction_collectives_LDADD = $(MPI_LIBS)
if HAVE_MPI
bench_programs += %D%/reduction/collectives
endif

# Partitions and their redistribution: quality and time of the planners
PLANNER_BENCHES = %D%/columns/quality %D%/columns/time %D%/mapping/time %D%/rebalance/cost %D%/rebalance/time
EXTRA_PROGRAMS += $(PLANNER_BENCHES)
CLEANFILES += $(PLANNER_BENCHES)
bench_programs += $(PLANNER_BENCHES)
EXTRA_DIST += %D%/columns/quality.gp %D%/rebalance/cost.gp
%C%_columns_quality_SOURCES = %D%/columns/quality.c %D%/columns/speeds.h
%C%_columns_quality_LDADD = libheteroslice-plan.la
%C%_columns_time_SOURCES = %D%/columns/time.c %D%/columns/speeds.h
%C%_columns_time_LDADD = libheteroslice-plan.la
%C%_mapping_time_SOURCES = %D%/mapping/time.c
%C%_mapping_time_LDADD = libheteroslice-plan.la
%C%_rebalance_cost_SOURCES = %D%/rebalance/cost.c %D%/columns/speeds.h
%C%_rebalance_cost_LDADD = libheteroslice-plan.la
%C%_rebalance_time_SOURCES = %D%/rebalance/time.c %D%/columns/speeds.h
%C%_rebalance_time_LDADD = libheteroslice-plan.la
EXTRA_DIST += %D%/scatter/lab_scatter.py
# Moved units against Zoltan's: make bench/rebalance/zoltan (Debian's libtrilinos-zoltan-dev, or ZOLTAN_CPPFLAGS and ZOLTAN_LIBS)
ZOLTAN_CPPFLAGS = -isystem /usr/include/trilinos
ZOLTAN_LIBS = -ltrilinos_zoltan
EXTRA_PROGRAMS += %D%/rebalance/zoltan
CLEANFILES += %D%/rebalance/zoltan
%C%_rebalance_zoltan_SOURCES = %D%/rebalance/zoltan.c %D%/rebalance/zoltan_cut.c %D%/rebalance/zoltan_cut.h %D%/columns/speeds.h
%C%_rebalance_zoltan_CPPFLAGS = $(AM_CPPFLAGS) $(ZOLTAN_CPPFLAGS) $(MPI_CFLAGS)
%C%_rebalance_zoltan_LDADD = src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la $(ZOLTAN_LIBS) $(MPI_LIBS) $(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS) -lm

# Pages of hs report: size and time for more and more ranks
EXTRA_DIST += %D%/report/pages.py

# The matrix product: ScaLAPACK's, where it is installed, as the baseline
EXTRA_DIST += %D%/matmul/lab_matmul.py
EXTRA_PROGRAMS += %D%/matmul/pdgemm
CLEANFILES += %D%/matmul/pdgemm
%C%_matmul_pdgemm_SOURCES = %D%/matmul/pdgemm.c apps/matmul/matrices.c apps/matmul/matrices.h
%C%_matmul_pdgemm_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(MPI_CFLAGS)
%C%_matmul_pdgemm_LDADD = $(SCALAPACK_LIBS) $(MPI_LIBS) -lm
if HAVE_SCALAPACK
bench_programs += %D%/matmul/pdgemm
endif

# When to move: runs on paper against hindsight; with files whose speeds are wrong; hosts and links that drift
EXTRA_DIST += %D%/decision/chain.xml %D%/decision/lab_elsewhere.py
EXTRA_PROGRAMS += %D%/decision/drifts %D%/decision/traces %D%/decision/wrong_files
CLEANFILES += %D%/decision/drifts %D%/decision/traces %D%/decision/wrong_files
%C%_decision_drifts_SOURCES = %D%/decision/drifts.c tests/duplex.h
%C%_decision_drifts_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
%C%_decision_drifts_LDADD = $(%C%_decision_wrong_files_LDADD)
%C%_decision_wrong_files_SOURCES = %D%/decision/wrong_files.c
%C%_decision_wrong_files_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
%C%_decision_wrong_files_LDADD = src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la $(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS) -lm
%C%_decision_traces_SOURCES = %D%/decision/traces.c tests/plan/decision/traces.c tests/plan/decision/traces.h tests/plan/decision/wandering.c
%C%_decision_traces_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
%C%_decision_traces_LDADD = src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la $(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS) -lm
bench_programs += %D%/decision/drifts %D%/decision/traces %D%/decision/wrong_files

# Cuts of units with weights: what planning takes
EXTRA_PROGRAMS += %D%/slices/weighted
CLEANFILES += %D%/slices/weighted
%C%_slices_weighted_SOURCES = %D%/slices/weighted.c
%C%_slices_weighted_LDADD = libheteroslice-plan.la -lm
bench_programs += %D%/slices/weighted
