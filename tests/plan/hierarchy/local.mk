# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/hierarchy.t
TESTS += %D%/hierarchy.t
endif
%C%_hierarchy_t_SOURCES = %D%/hierarchy.c tests/short_of_memory.h tests/unit.h
%C%_hierarchy_t_LDADD = $(UNIT_LIBS)
