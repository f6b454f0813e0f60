# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
check_PROGRAMS += %D%/memory.mpi
TESTS += %D%/memory.mpi
endif
%C%_memory_mpi_SOURCES = %D%/memory.c tests/fail_in_turn.h tests/mpi.h
%C%_memory_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_memory_mpi_LDADD = $(MPI_TEST_LIBS)
