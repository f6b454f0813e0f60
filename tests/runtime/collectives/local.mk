# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/collectives.sh
if HAVE_MPI
check_PROGRAMS += %D%/collectives %D%/memory.mpi
TESTS += %D%/collectives.sh %D%/memory.mpi
endif
%C%_collectives_SOURCES = %D%/collectives.c %D%/library.h tests/mpi.h
%C%_collectives_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_collectives_LDADD = $(MPI_TEST_LIBS)
%C%_memory_mpi_SOURCES = %D%/memory.c %D%/library.h tests/mpi.h
%C%_memory_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_memory_mpi_LDADD = $(MPI_TEST_LIBS)
