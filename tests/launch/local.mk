# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += %D%/start
%C%_start_SOURCES = %D%/start.c
%C%_start_LDADD = src/launch/liblaunch.la src/util/libutil.la
