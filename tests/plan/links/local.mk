# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/links.t
TESTS += %D%/links.t
endif
%C%_links_t_SOURCES = %D%/links.c tests/duplex.h tests/platform/read.h tests/short_of_memory.h tests/unit.h
%C%_links_t_LDADD = $(UNIT_LIBS)
