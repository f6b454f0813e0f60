# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/slices.t
TESTS += %D%/slices.t
endif
%C%_slices_t_SOURCES = %D%/slices.c tests/unit.h
%C%_slices_t_LDADD = $(UNIT_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += %D%/columns.t
TESTS += %D%/columns.t
endif
%C%_columns_t_SOURCES = %D%/columns.c tests/unit.h
%C%_columns_t_LDADD = $(UNIT_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += %D%/columns_blocks.t
TESTS += %D%/columns_blocks.t
endif
%C%_columns_blocks_t_SOURCES = %D%/columns_blocks.c tests/unit.h
%C%_columns_blocks_t_LDADD = $(UNIT_LIBS)
