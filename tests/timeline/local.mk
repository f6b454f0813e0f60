# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/events.t
TESTS += %D%/events.t
endif
%C%_events_t_SOURCES = %D%/events.c tests/unit.h
%C%_events_t_LDFLAGS = -Wl,--wrap=malloc
%C%_events_t_LDADD = src/timeline/libtimeline.la $(UNIT_LIBS)
