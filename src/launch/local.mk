# SPDX-License-Identifier: BSD-3-Clause
# The launchers of MPI programs, and the hosts they are given; part of hs and of the tests' own starter. What a rank
# learns from its launcher is part of the runtime library, too.
noinst_LTLIBRARIES += %D%/liblaunch.la %D%/librank.la
%C%_liblaunch_la_SOURCES = %D%/command.c %D%/find.c %D%/hosts.c %D%/launch.h %D%/options.c
%C%_liblaunch_la_SOURCES += %D%/allocation.c %D%/host_list.c %D%/host_list.h %D%/hostfile.c %D%/slurm.c
%C%_liblaunch_la_LIBADD = %D%/librank.la
%C%_librank_la_SOURCES = %D%/pmix.c %D%/pmix.h %D%/rank.c %D%/rank.h
%C%_librank_la_CPPFLAGS = $(AM_CPPFLAGS) $(PMIX_CFLAGS)
