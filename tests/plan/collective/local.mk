# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/collective.t
TESTS += %D%/collective.t
endif
%C%_collective_t_SOURCES = %D%/collective.c tests/short_of_memory.h tests/unit.h
%C%_collective_t_LDADD = $(UNIT_LIBS)
