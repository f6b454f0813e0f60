# SPDX-License-Identifier: BSD-3-Clause
include tests/plan/slices/local.mk
include tests/plan/decision/local.mk
include tests/plan/ring/local.mk
include tests/plan/columns/local.mk
include tests/plan/grid/local.mk
include tests/plan/boxes/local.mk
include tests/plan/rebalance/local.mk
include tests/plan/divisible/local.mk
include tests/plan/reduction/local.mk
include tests/plan/collective/local.mk
include tests/plan/discover/local.mk
include tests/plan/links/local.mk
include tests/plan/placement/local.mk
include tests/plan/mapping/local.mk
include tests/plan/elsewhere/local.mk
include tests/plan/binding/local.mk
include tests/plan/hierarchy/local.mk

if HAVE_CMOCKA
check_PROGRAMS += %D%/checks.t %D%/memory.t %D%/misuse.t
TESTS += %D%/checks.t %D%/memory.t %D%/misuse.t
endif
%C%_checks_t_SOURCES = %D%/checks.c %D%/divisible/oracle.h %D%/one_switch.h tests/unit.h
%C%_checks_t_LDADD = $(UNIT_LIBS)
%C%_memory_t_SOURCES = %D%/memory.c %D%/one_switch.h tests/short_of_memory.h tests/unit.h
%C%_memory_t_LDADD = $(UNIT_LIBS)
%C%_misuse_t_SOURCES = %D%/misuse.c %D%/one_switch.h tests/unit.h
%C%_misuse_t_LDADD = $(UNIT_LIBS)

check_PROGRAMS += %D%/told
%C%_told_SOURCES = %D%/told.c
%C%_told_LDADD = $(PLAN_LIBS)
ANSWERS += %D%/told.answers
