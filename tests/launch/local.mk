# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += %D%/start
TESTS += %D%/start.sh
EXTRA_DIST += %D%/start.sh
%C%_start_SOURCES = %D%/start.c
%C%_start_LDADD = src/launch/liblaunch.la src/util/libutil.la
if HAVE_CMOCKA
check_PROGRAMS += %D%/launch.t %D%/host_list.t
TESTS += %D%/launch.t %D%/host_list.t
endif
%C%_launch_t_SOURCES = %D%/launch.c tests/short_of_memory.h tests/unit.h
%C%_launch_t_LDADD = src/launch/liblaunch.la $(UNIT_LIBS)
%C%_host_list_t_SOURCES = %D%/host_list.c tests/short_of_memory.h tests/unit.h
%C%_host_list_t_LDADD = src/launch/liblaunch.la $(UNIT_LIBS)
