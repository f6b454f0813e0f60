# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/slices.t %D%/weighted.t
TESTS += %D%/slices.t %D%/weighted.t
endif
%C%_slices_t_SOURCES = %D%/slices.c tests/unit.h
%C%_slices_t_LDADD = $(UNIT_LIBS)
%C%_weighted_t_SOURCES = %D%/weighted.c tests/unit.h
%C%_weighted_t_LDADD = $(UNIT_LIBS)
