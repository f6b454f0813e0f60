# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += %D%/libplan.la
%C%_libplan_la_SOURCES =

# Slices
%C%_libplan_la_SOURCES += %D%/slices.c

# Ring
%C%_libplan_la_SOURCES += %D%/ring.c
%C%_libplan_la_SOURCES += %D%/ring_all.c
%C%_libplan_la_SOURCES += %D%/ring_blocks.c
%C%_libplan_la_SOURCES += %D%/ring_blocks.h
%C%_libplan_la_SOURCES += %D%/ring_bound.c
%C%_libplan_la_SOURCES += %D%/ring_bound.h
%C%_libplan_la_SOURCES += %D%/ring_bound_graph.c
%C%_libplan_la_SOURCES += %D%/ring_bound_routes.c
%C%_libplan_la_SOURCES += %D%/ring_crossings.c
%C%_libplan_la_SOURCES += %D%/ring_crossings.h
%C%_libplan_la_SOURCES += %D%/ring_detours.c
%C%_libplan_la_SOURCES += %D%/ring_four.c
%C%_libplan_la_SOURCES += %D%/ring_graph.c
%C%_libplan_la_SOURCES += %D%/ring_graph.h
%C%_libplan_la_SOURCES += %D%/ring_greedy.c
%C%_libplan_la_SOURCES += %D%/ring_kinsol.c
%C%_libplan_la_SOURCES += %D%/ring_maxmin.c
%C%_libplan_la_SOURCES += %D%/ring_moves.c
%C%_libplan_la_SOURCES += %D%/ring_network.c
%C%_libplan_la_SOURCES += %D%/ring_network.h
%C%_libplan_la_SOURCES += %D%/ring_optimal.c
%C%_libplan_la_SOURCES += %D%/ring_order.c
%C%_libplan_la_SOURCES += %D%/ring_order.h
%C%_libplan_la_SOURCES += %D%/ring_paths.c
%C%_libplan_la_SOURCES += %D%/ring_paths.h
%C%_libplan_la_SOURCES += %D%/ring_plan.c
%C%_libplan_la_SOURCES += %D%/ring_plan.h
%C%_libplan_la_SOURCES += %D%/ring_problem.c
%C%_libplan_la_SOURCES += %D%/ring_problem.h
%C%_libplan_la_SOURCES += %D%/ring_program.c
%C%_libplan_la_SOURCES += %D%/ring_program.h
%C%_libplan_la_SOURCES += %D%/ring_search.c
%C%_libplan_la_SOURCES += %D%/ring_search.h
%C%_libplan_la_SOURCES += %D%/ring_shake.c
%C%_libplan_la_SOURCES += %D%/ring_share.c
%C%_libplan_la_SOURCES += %D%/ring_share.h
%C%_libplan_la_SOURCES += %D%/ring_starts.c
%C%_libplan_la_SOURCES += %D%/ring_state.c
%C%_libplan_la_SOURCES += %D%/ring_state.h
%C%_libplan_la_SOURCES += %D%/ring_steps.c
%C%_libplan_la_SOURCES += %D%/ring_table.c
%C%_libplan_la_SOURCES += %D%/ring_table.h

# Columns, grid, rebalance
%C%_libplan_la_SOURCES += %D%/columns.c %D%/columns.h %D%/columns_areas.c %D%/columns_blocks.c %D%/columns_blocks.h \
	%D%/columns_check.c %D%/columns_dissect.c %D%/columns_guillotine.c %D%/columns_idle.c %D%/columns_max.c \
	%D%/columns_max_search.c %D%/columns_plan.c %D%/columns_plan.h %D%/columns_recursive.c %D%/columns_search.c \
	%D%/columns_sum.c %D%/columns_swap.c %D%/columns_widths.c %D%/slicing.c %D%/slicing.h %D%/slicing_blocks.c
%C%_libplan_la_SOURCES += %D%/grid.c %D%/grid.h %D%/grid_blocks.c %D%/grid_search.c %D%/grid_tableaux.c %D%/grid_vertex.c
%C%_libplan_la_SOURCES += %D%/rebalance.c %D%/rebalance.h %D%/rebalance_borders.c %D%/rebalance_flow.c \
	%D%/rebalance_greedy.c %D%/rebalance_levels.c %D%/rebalance_operations.c %D%/rebalance_plan.h \
	%D%/rebalance_targets.c

# Divisible loads
%C%_libplan_la_SOURCES += %D%/divisible.c
%C%_libplan_la_SOURCES += %D%/divisible.h
%C%_libplan_la_SOURCES += %D%/divisible_apportion.c
%C%_libplan_la_SOURCES += %D%/divisible_best.c
%C%_libplan_la_SOURCES += %D%/divisible_check.c
%C%_libplan_la_SOURCES += %D%/divisible_deadline.c
%C%_libplan_la_SOURCES += %D%/divisible_exact.c
%C%_libplan_la_SOURCES += %D%/divisible_fifo.c
%C%_libplan_la_SOURCES += %D%/divisible_fixed.c
%C%_libplan_la_SOURCES += %D%/divisible_improve.c
%C%_libplan_la_SOURCES += %D%/divisible_lifo.c
%C%_libplan_la_SOURCES += %D%/divisible_loads.c
%C%_libplan_la_SOURCES += %D%/divisible_master.c
%C%_libplan_la_SOURCES += %D%/divisible_packing.c
%C%_libplan_la_SOURCES += %D%/divisible_packing.h
%C%_libplan_la_SOURCES += %D%/divisible_plan.c
%C%_libplan_la_SOURCES += %D%/divisible_plan.h
%C%_libplan_la_SOURCES += %D%/divisible_rounds.c
%C%_libplan_la_SOURCES += %D%/divisible_schedule.c
%C%_libplan_la_SOURCES += %D%/divisible_send_order.c
%C%_libplan_la_SOURCES += %D%/divisible_sport.c
%C%_libplan_la_SOURCES += %D%/divisible_star.c

# Reductions
%C%_libplan_la_SOURCES += %D%/reduction.c
%C%_libplan_la_SOURCES += %D%/reduction.h
%C%_libplan_la_SOURCES += %D%/reduction_check.c
%C%_libplan_la_SOURCES += %D%/reduction_classes.c
%C%_libplan_la_SOURCES += %D%/reduction_decide.c
%C%_libplan_la_SOURCES += %D%/reduction_earliest.c
%C%_libplan_la_SOURCES += %D%/reduction_exact.c
%C%_libplan_la_SOURCES += %D%/reduction_exact.h
%C%_libplan_la_SOURCES += %D%/reduction_grid.c
%C%_libplan_la_SOURCES += %D%/reduction_paper.c
%C%_libplan_la_SOURCES += %D%/reduction_prices.c
%C%_libplan_la_SOURCES += %D%/collective.c
%C%_libplan_la_SOURCES += %D%/collective.h
%C%_libplan_la_SOURCES += %D%/collective_grow.c
%C%_libplan_la_SOURCES += %D%/collective_network.c
%C%_libplan_la_SOURCES += %D%/collective_ring.c
%C%_libplan_la_SOURCES += %D%/collective_simulate.c

# The planning library: util, platform and plan, no MPI.
lib_LTLIBRARIES += libheteroslice-plan.la
libheteroslice_plan_la_SOURCES =
libheteroslice_plan_la_LDFLAGS = -version-info 0:0:0 -no-undefined
libheteroslice_plan_la_LIBADD = src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la \
	$(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS)

# Placement of ranks
%C%_libplan_la_SOURCES += %D%/placement.c %D%/placement.h %D%/placement_order.c

# Mapping of vertices to ranks
%C%_libplan_la_SOURCES += %D%/mapping.c %D%/mapping.h %D%/mapping_grid.c %D%/mapping_halve.c %D%/mapping_problem.c \
	%D%/mapping_problem.h %D%/mapping_search.c %D%/mapping_seating.c %D%/mapping_starts.c

# Cores of a node to its ranks
%C%_libplan_la_SOURCES += %D%/binding.c %D%/binding.h %D%/binding_match.c %D%/binding_share.c %D%/binding_time.c
