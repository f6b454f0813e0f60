# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/mapping.t
TESTS += %D%/mapping.t
endif
%C%_mapping_t_SOURCES = %D%/mapping.c tests/unit.h
%C%_mapping_t_LDADD = $(UNIT_LIBS)
