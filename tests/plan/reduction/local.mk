# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/decide.t %D%/grid.t %D%/reduction.t
TESTS += %D%/decide.t %D%/grid.t %D%/reduction.t
endif
%C%_decide_t_SOURCES = %D%/decide.c tests/unit.h
%C%_decide_t_LDADD = $(UNIT_LIBS)
%C%_grid_t_SOURCES = %D%/grid.c tests/unit.h
%C%_grid_t_LDADD = $(UNIT_LIBS)
%C%_reduction_t_SOURCES = %D%/reduction.c tests/unit.h
%C%_reduction_t_LDADD = $(UNIT_LIBS)
