# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/ranks.sh
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/block_partition.t
TESTS += %D%/block_partition.t
endif
check_PROGRAMS += %D%/balance.mpi %D%/blocks.mpi %D%/errors.mpi
TESTS += %D%/balance.mpi %D%/blocks.mpi %D%/errors.mpi %D%/ranks.sh
endif
%C%_balance_mpi_SOURCES = %D%/balance.c tests/clock.h tests/mpi.h
%C%_balance_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_balance_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_balance_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_block_partition_t_SOURCES = %D%/block_partition.c tests/unit.h
%C%_block_partition_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_block_partition_t_LDADD = $(MPI_TEST_LIBS)
%C%_blocks_mpi_SOURCES = %D%/blocks.c tests/mpi.h
%C%_blocks_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_blocks_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_errors_mpi_SOURCES = %D%/errors.c tests/mpi.h
%C%_errors_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_errors_mpi_LDADD = $(MPI_TEST_LIBS)
