# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/exact.t %D%/rebalance.t
TESTS += %D%/exact.t %D%/rebalance.t
endif
%C%_exact_t_SOURCES = %D%/exact.c %D%/check.h tests/unit.h
%C%_exact_t_LDADD = $(UNIT_LIBS)
%C%_rebalance_t_SOURCES = %D%/rebalance.c %D%/check.h tests/unit.h
%C%_rebalance_t_LDADD = $(UNIT_LIBS)
