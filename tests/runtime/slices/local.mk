# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/transaction.sh
EXTRA_DIST += %D%/traced.sh %D%/transaction.pml %D%/transaction.sh
if HAVE_MPI
check_PROGRAMS += %D%/traced %D%/learn.mpi %D%/memory.mpi %D%/move.mpi %D%/ragged.mpi %D%/sizes.mpi %D%/storage.mpi %D%/weights.mpi
TESTS += %D%/learn.mpi %D%/memory.mpi %D%/move.mpi %D%/ragged.mpi %D%/sizes.mpi %D%/storage.mpi %D%/traced.sh \
	%D%/weights.mpi
endif
%C%_helpers = %D%/slices.h tests/clock.h tests/fail_in_turn.h tests/mpi.h
%C%_memory_mpi_SOURCES = %D%/memory.c tests/mpi.h
%C%_memory_mpi_LDFLAGS = -Wl,--wrap=hs__array_aligned -Wl,--wrap=hs__park_buffer -Wl,--wrap=hs__pages_release
%C%_memory_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_memory_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_move_mpi_SOURCES = %D%/move.c tests/mpi.h
%C%_move_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_move_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_weights_mpi_SOURCES = %D%/weights.c $(%C%_helpers)
%C%_weights_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_weights_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_weights_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_learn_mpi_SOURCES = %D%/learn.c tests/papi.h $(%C%_helpers)
%C%_learn_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_learn_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS) $(PAPI_CFLAGS)
%C%_learn_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_ragged_mpi_SOURCES = %D%/ragged.c $(%C%_helpers)
%C%_ragged_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_ragged_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_ragged_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_storage_mpi_SOURCES = %D%/storage.c $(%C%_helpers)
%C%_storage_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_storage_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_storage_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_sizes_mpi_SOURCES = %D%/sizes.c tests/said.h $(%C%_helpers)
%C%_sizes_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_sizes_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_sizes_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_traced_SOURCES = %D%/traced.c tests/mpi.h tests/runtime/moves.h
%C%_traced_LDFLAGS = -Wl,--wrap=PMPI_Iallgather,--wrap=PMPI_Isend,--wrap=PMPI_Testany \
	-Wl,--wrap=hs__transaction_begin,--wrap=hs__transaction_end,--wrap=hs__transfer_run
%C%_traced_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_traced_LDADD = $(MPI_TEST_LIBS)
