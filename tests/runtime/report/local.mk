# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/partitions.t %D%/print.t %D%/sites.t
TESTS += %D%/partitions.t %D%/print.t %D%/sites.t
endif
check_PROGRAMS += %D%/tell.mpi
TESTS += %D%/tell.mpi
endif
%C%_partitions_t_SOURCES = %D%/partitions.c %D%/told.h tests/unit.h
%C%_partitions_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_partitions_t_LDADD = $(MPI_TEST_LIBS)
%C%_print_t_SOURCES = %D%/print.c %D%/told.h tests/unit.h
%C%_print_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_print_t_LDADD = $(MPI_TEST_LIBS)
%C%_sites_t_SOURCES = %D%/sites.c tests/unit.h
%C%_sites_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_sites_t_LDADD = $(MPI_TEST_LIBS)
%C%_tell_mpi_SOURCES = %D%/tell.c tests/clock.h tests/fail_in_turn.h tests/mpi.h
%C%_tell_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_tell_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_tell_mpi_LDADD = $(MPI_TEST_LIBS)
