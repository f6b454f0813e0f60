# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/decide.t
TESTS += %D%/decide.t
endif
check_PROGRAMS += %D%/balance.mpi
TESTS += %D%/balance.mpi
endif
%C%_balance_mpi_SOURCES = %D%/balance.c tests/mpi.h
%C%_balance_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_balance_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_decide_t_SOURCES = %D%/decide.c tests/unit.h
%C%_decide_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_decide_t_LDADD = $(MPI_TEST_LIBS)
