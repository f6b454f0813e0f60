# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/grid.t
TESTS += %D%/grid.t
endif
%C%_grid_t_SOURCES = %D%/grid.c tests/unit.h
%C%_grid_t_LDADD = $(UNIT_LIBS)
