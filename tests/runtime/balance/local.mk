# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/links.sh %D%/membership.sh
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/length.t
TESTS += %D%/length.t
endif
check_PROGRAMS += %D%/balance.mpi %D%/links %D%/log.mpi %D%/membership %D%/world.mpi
TESTS += %D%/balance.mpi %D%/links.sh %D%/log.mpi %D%/membership.sh %D%/world.mpi
endif
%C%_length_t_SOURCES = %D%/length.c tests/unit.h
%C%_length_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_length_t_LDADD = $(MPI_TEST_LIBS)
%C%_balance_mpi_SOURCES = %D%/balance.c tests/clock.h tests/mpi.h tests/said.h
%C%_balance_mpi_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=PMPI_Iallgather,--wrap=hs__kernel_run
%C%_balance_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_balance_mpi_LDADD = $(MPI_TEST_LIBS) -lpthread
%C%_log_mpi_SOURCES = %D%/log.c tests/clock.h tests/mpi.h
%C%_log_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_log_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_log_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_world_mpi_SOURCES = %D%/world.c tests/mpi.h
%C%_world_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_world_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_membership_SOURCES = %D%/membership.c tests/clock.h tests/mpi.h
%C%_membership_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=hs__kernel_run
%C%_membership_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_membership_LDADD = $(MPI_TEST_LIBS)
%C%_links_SOURCES = %D%/links.c tests/clock.h tests/fail_in_turn.h tests/mpi.h
%C%_links_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=hs__kernel_run,--wrap=hs__stream_run
%C%_links_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_links_LDADD = $(MPI_TEST_LIBS)
