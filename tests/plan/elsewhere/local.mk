# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/elsewhere.t
TESTS += %D%/elsewhere.t
endif
%C%_elsewhere_t_SOURCES = %D%/elsewhere.c tests/plan/one_switch.h tests/short_of_memory.h tests/unit.h
%C%_elsewhere_t_LDADD = $(UNIT_LIBS)
