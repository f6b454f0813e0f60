# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
check_PROGRAMS += %D%/balance.mpi
TESTS += %D%/balance.mpi
endif
%C%_balance_mpi_SOURCES = %D%/balance.c tests/clock.h tests/mpi.h
%C%_balance_mpi_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=PMPI_Iallgather
%C%_balance_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_balance_mpi_LDADD = $(MPI_TEST_LIBS)
