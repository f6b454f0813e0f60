# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/placement.t
TESTS += %D%/placement.t
endif
%C%_placement_t_SOURCES = %D%/placement.c tests/unit.h
%C%_placement_t_LDADD = $(UNIT_LIBS)
