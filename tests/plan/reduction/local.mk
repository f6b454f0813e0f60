# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/reduction.t
TESTS += %D%/reduction.t
endif
%C%_reduction_t_SOURCES = %D%/reduction.c tests/unit.h
%C%_reduction_t_LDADD = $(UNIT_LIBS)
