# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/remaining.t
TESTS += %D%/remaining.t
endif
check_PROGRAMS += %D%/account.mpi %D%/farm.mpi %D%/off.mpi %D%/pieces.mpi %D%/slow_results.mpi
TESTS += %D%/account.mpi %D%/farm.mpi %D%/off.mpi %D%/pieces.mpi %D%/slow_results.mpi
endif
%C%_account_mpi_SOURCES = %D%/account.c tests/clock.h tests/mpi.h
%C%_account_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_account_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_account_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_farm_mpi_SOURCES = %D%/farm.c tests/mpi.h
%C%_farm_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_farm_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_off_mpi_SOURCES = %D%/off.c tests/mpi.h
%C%_off_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_off_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_pieces_mpi_SOURCES = %D%/pieces.c tests/mpi.h
%C%_pieces_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_pieces_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_remaining_t_SOURCES = %D%/remaining.c tests/unit.h
%C%_remaining_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_remaining_t_LDADD = $(MPI_TEST_LIBS)
%C%_slow_results_mpi_SOURCES = %D%/slow_results.c tests/clock.h tests/mpi.h
%C%_slow_results_mpi_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=PMPI_Irecv,--wrap=PMPI_Test
%C%_slow_results_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_slow_results_mpi_LDADD = $(MPI_TEST_LIBS)
