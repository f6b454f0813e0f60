# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/cores.t %D%/placement.t %D%/rank_order.t
TESTS += %D%/cores.t %D%/placement.t %D%/rank_order.t
endif
%C%_cores_t_SOURCES = %D%/cores.c tests/unit.h
%C%_cores_t_LDADD = $(UNIT_LIBS)
%C%_placement_t_SOURCES = %D%/placement.c tests/unit.h
%C%_placement_t_LDADD = $(UNIT_LIBS)
%C%_rank_order_t_SOURCES = %D%/rank_order.c tests/plan/one_switch.h tests/short_of_memory.h tests/unit.h
%C%_rank_order_t_LDADD = $(UNIT_LIBS)
