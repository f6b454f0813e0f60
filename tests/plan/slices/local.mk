# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/slices.t
TESTS += %D%/slices.t
endif
%C%_slices_t_SOURCES = %D%/slices.c tests/unit.h
%C%_slices_t_LDADD = $(UNIT_LIBS)
