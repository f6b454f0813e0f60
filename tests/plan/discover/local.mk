# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/discover.t
TESTS += %D%/discover.t
endif
%C%_discover_t_SOURCES = %D%/discover.c %D%/truth.c %D%/truth.h tests/unit.h
%C%_discover_t_LDADD = $(UNIT_LIBS)
