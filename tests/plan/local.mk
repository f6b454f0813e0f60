# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/slices.t
TESTS += %D%/slices.t
endif
%C%_slices_t_SOURCES = %D%/slices.c tests/unit.h
%C%_slices_t_LDADD = $(UNIT_LIBS)

# Columns, grid, rebalance
COLUMNS_TESTS = %D%/columns.t %D%/columns_blocks.t %D%/grid.t %D%/rebalance.t %D%/rebalance_exact.t
if HAVE_CMOCKA
check_PROGRAMS += $(COLUMNS_TESTS)
TESTS += $(COLUMNS_TESTS)
endif
%C%_columns_t_SOURCES = %D%/columns.c tests/unit.h
%C%_columns_t_LDADD = $(UNIT_LIBS)
%C%_columns_blocks_t_SOURCES = %D%/columns_blocks.c tests/unit.h
%C%_columns_blocks_t_LDADD = $(UNIT_LIBS)
%C%_grid_t_SOURCES = %D%/grid.c tests/unit.h
%C%_grid_t_LDADD = $(UNIT_LIBS)
%C%_rebalance_t_SOURCES = %D%/rebalance.c %D%/rebalance_check.h tests/unit.h
%C%_rebalance_t_LDADD = $(UNIT_LIBS)
%C%_rebalance_exact_t_SOURCES = %D%/rebalance_exact.c %D%/rebalance_check.h tests/unit.h
%C%_rebalance_exact_t_LDADD = $(UNIT_LIBS)

# Divisible loads
DIVISIBLE_TESTS = %D%/divisible_star.t %D%/divisible_deadline.t %D%/divisible_orders.t %D%/divisible_exact.t \
	%D%/divisible_rounds.t %D%/divisible_plan.t
if HAVE_CMOCKA
check_PROGRAMS += $(DIVISIBLE_TESTS)
TESTS += $(DIVISIBLE_TESTS)
endif
%C%_divisible_star_t_SOURCES = %D%/divisible_star.c %D%/divisible_oracle.h tests/unit.h
%C%_divisible_star_t_LDADD = $(UNIT_LIBS)
%C%_divisible_deadline_t_SOURCES = %D%/divisible_deadline.c %D%/divisible_oracle.h tests/unit.h
%C%_divisible_deadline_t_LDADD = $(UNIT_LIBS)
%C%_divisible_orders_t_SOURCES = %D%/divisible_orders.c %D%/divisible_oracle.h tests/unit.h
%C%_divisible_orders_t_LDADD = $(UNIT_LIBS)
%C%_divisible_exact_t_SOURCES = %D%/divisible_exact.c %D%/divisible_oracle.h tests/unit.h
%C%_divisible_exact_t_LDADD = $(UNIT_LIBS)
%C%_divisible_rounds_t_SOURCES = %D%/divisible_rounds.c %D%/divisible_oracle.h tests/unit.h
%C%_divisible_rounds_t_LDADD = $(UNIT_LIBS)
%C%_divisible_plan_t_SOURCES = %D%/divisible_plan.c %D%/divisible_oracle.h tests/unit.h
%C%_divisible_plan_t_LDADD = $(UNIT_LIBS)

ring_tests = %D%/ring_share.t %D%/ring_plan.t %D%/ring_steps.t %D%/ring_order.t %D%/ring_exhaustive.t
if HAVE_CMOCKA
check_PROGRAMS += $(ring_tests)
TESTS += $(ring_tests)
endif
%C%_ring_share_t_SOURCES = %D%/ring_share.c tests/unit.h
%C%_ring_share_t_LDADD = $(UNIT_LIBS)
%C%_ring_plan_t_SOURCES = %D%/ring_plan.c %D%/ring_check.h tests/unit.h
%C%_ring_plan_t_LDADD = $(UNIT_LIBS)
%C%_ring_steps_t_SOURCES = %D%/ring_steps.c %D%/ring_check.h tests/unit.h
%C%_ring_steps_t_LDADD = $(UNIT_LIBS)
%C%_ring_order_t_SOURCES = %D%/ring_order.c %D%/ring_check.h tests/unit.h
%C%_ring_order_t_LDADD = $(UNIT_LIBS)
%C%_ring_exhaustive_t_SOURCES = %D%/ring_exhaustive.c %D%/ring_check.h %D%/ring_enumerate.h tests/unit.h
%C%_ring_exhaustive_t_LDADD = $(UNIT_LIBS)

# Reductions
reduction_tests = %D%/reduction.t %D%/collective.t
if HAVE_CMOCKA
check_PROGRAMS += $(reduction_tests)
TESTS += $(reduction_tests)
endif
%C%_reduction_t_SOURCES = %D%/reduction.c tests/unit.h
%C%_reduction_t_LDADD = $(UNIT_LIBS)
%C%_collective_t_SOURCES = %D%/collective.c tests/unit.h
%C%_collective_t_LDADD = $(UNIT_LIBS)

# Placement of ranks
if HAVE_CMOCKA
check_PROGRAMS += %D%/placement.t
TESTS += %D%/placement.t
endif
%C%_placement_t_SOURCES = %D%/placement.c tests/unit.h
%C%_placement_t_LDADD = $(UNIT_LIBS)

# Mapping of vertices to ranks
if HAVE_CMOCKA
check_PROGRAMS += %D%/mapping.t
TESTS += %D%/mapping.t
endif
%C%_mapping_t_SOURCES = %D%/mapping.c tests/unit.h
%C%_mapping_t_LDADD = $(UNIT_LIBS)

# Cores of a node to its ranks
if HAVE_CMOCKA
check_PROGRAMS += %D%/binding.t
TESTS += %D%/binding.t
endif
%C%_binding_t_SOURCES = %D%/binding.c tests/unit.h
%C%_binding_t_LDADD = $(UNIT_LIBS)
