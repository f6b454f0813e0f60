# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/captured.t %D%/discover.t %D%/rounds.t %D%/tree.t
TESTS += %D%/captured.t %D%/discover.t %D%/rounds.t %D%/tree.t
endif
%C%_captured_t_SOURCES = %D%/captured.c tests/unit.h
%C%_captured_t_LDADD = $(UNIT_LIBS)
%C%_discover_t_SOURCES = %D%/discover.c %D%/truth.c %D%/truth.h tests/platform/read.h tests/unit.h
%C%_discover_t_LDADD = $(UNIT_LIBS)
%C%_rounds_t_SOURCES = %D%/rounds.c tests/unit.h
%C%_rounds_t_LDADD = $(UNIT_LIBS)
%C%_tree_t_SOURCES = %D%/tree.c tests/short_of_memory.h tests/unit.h
%C%_tree_t_LDADD = $(UNIT_LIBS)
EXTRA_DIST += %D%/captured/one-switch.csv %D%/captured/racks.csv %D%/captured/three-sites.csv %D%/captured/two-sites.csv
