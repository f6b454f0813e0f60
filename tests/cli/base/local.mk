# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/draw.t %D%/hosts.t %D%/parse.t %D%/progress.t %D%/rows.t %D%/times.t
TESTS += %D%/draw.t %D%/hosts.t %D%/parse.t %D%/progress.t %D%/rows.t %D%/times.t
endif
CLI_UNIT_LIBS = src/cli/base/libbase.la $(UNIT_LIBS)
%C%_draw_t_SOURCES = %D%/draw.c tests/unit.h
%C%_draw_t_LDADD = $(CLI_UNIT_LIBS)
%C%_hosts_t_SOURCES = %D%/hosts.c %D%/capture.h tests/short_of_memory.h tests/unit.h
%C%_hosts_t_LDADD = $(CLI_UNIT_LIBS)
%C%_parse_t_SOURCES = %D%/parse.c %D%/capture.h tests/unit.h
%C%_parse_t_LDADD = $(CLI_UNIT_LIBS)
%C%_progress_t_SOURCES = %D%/progress.c tests/unit.h
%C%_progress_t_LDFLAGS = -Wl,--wrap=clock_gettime -Wl,--wrap=poll
%C%_progress_t_LDADD = $(CLI_UNIT_LIBS)
%C%_rows_t_SOURCES = %D%/rows.c %D%/capture.h tests/unit.h
%C%_rows_t_LDADD = $(CLI_UNIT_LIBS)
%C%_times_t_SOURCES = %D%/times.c %D%/capture.h tests/short_of_memory.h tests/unit.h
%C%_times_t_LDFLAGS = -Wl,--wrap=hs_platform_route
%C%_times_t_LDADD = $(CLI_UNIT_LIBS)
