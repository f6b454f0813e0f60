# SPDX-License-Identifier: BSD-3-Clause
# The launchers of MPI programs; part of hs and of the tests' own starter.
noinst_LTLIBRARIES += %D%/liblaunch.la
%C%_liblaunch_la_SOURCES = %D%/command.c %D%/find.c %D%/hosts.c %D%/launch.h %D%/options.c
