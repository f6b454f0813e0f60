# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/blocks.t %D%/columns.t
TESTS += %D%/blocks.t %D%/columns.t
endif
%C%_blocks_t_SOURCES = %D%/blocks.c tests/unit.h
%C%_blocks_t_LDADD = $(UNIT_LIBS)
%C%_columns_t_SOURCES = %D%/columns.c tests/unit.h
%C%_columns_t_LDADD = $(UNIT_LIBS)
