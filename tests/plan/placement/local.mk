# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/cores.t %D%/placement.t
TESTS += %D%/cores.t %D%/placement.t
endif
%C%_cores_t_SOURCES = %D%/cores.c tests/unit.h
%C%_cores_t_LDADD = $(UNIT_LIBS)
%C%_placement_t_SOURCES = %D%/placement.c tests/unit.h
%C%_placement_t_LDADD = $(UNIT_LIBS)
