# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += %D%/start
TESTS += %D%/start.sh
EXTRA_DIST += %D%/start.sh
%C%_start_SOURCES = %D%/start.c
%C%_start_LDADD = src/launch/liblaunch.la src/util/libutil.la
if HAVE_MPI
if HAVE_PMIX
check_PROGRAMS += %D%/pmix.mpi
TESTS += %D%/pmix.mpi
endif
endif
%C%_pmix_mpi_SOURCES = %D%/pmix.c tests/mpi.h
%C%_pmix_mpi_LDFLAGS = -export-dynamic
%C%_pmix_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_pmix_mpi_LDADD = $(MPI_TEST_LIBS)
if HAVE_CMOCKA
check_PROGRAMS += %D%/launch.t %D%/host_list.t
TESTS += %D%/launch.t %D%/host_list.t
endif
%C%_launch_t_SOURCES = %D%/launch.c tests/short_of_memory.h tests/unit.h
%C%_launch_t_LDADD = src/launch/liblaunch.la $(UNIT_LIBS)
%C%_host_list_t_SOURCES = %D%/host_list.c tests/short_of_memory.h tests/unit.h
%C%_host_list_t_LDADD = src/launch/liblaunch.la $(UNIT_LIBS)
