# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/transaction.sh
EXTRA_DIST += %D%/transaction.pml %D%/transaction.sh
if HAVE_MPI
check_PROGRAMS += %D%/move.mpi %D%/ragged.mpi %D%/weights.mpi
TESTS += %D%/move.mpi %D%/ragged.mpi %D%/weights.mpi
endif
%C%_move_mpi_SOURCES = %D%/move.c tests/mpi.h
%C%_move_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_move_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_weights_mpi_SOURCES = %D%/weights.c tests/clock.h tests/mpi.h
%C%_weights_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_weights_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_weights_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_ragged_mpi_SOURCES = %D%/ragged.c tests/clock.h tests/mpi.h
%C%_ragged_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_ragged_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_ragged_mpi_LDADD = $(MPI_TEST_LIBS)
