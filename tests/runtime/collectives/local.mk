# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/collectives.sh
if HAVE_MPI
check_PROGRAMS += %D%/collectives %D%/memory.mpi %D%/timed.mpi
TESTS += %D%/collectives.sh %D%/memory.mpi %D%/timed.mpi
if HAVE_CMOCKA
check_PROGRAMS += %D%/trial.t
TESTS += %D%/trial.t
endif
endif
%C%_collectives_SOURCES = %D%/collectives.c %D%/library.h tests/mpi.h
%C%_collectives_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_collectives_LDADD = $(MPI_TEST_LIBS)
%C%_memory_mpi_SOURCES = %D%/memory.c %D%/library.h tests/mpi.h
%C%_memory_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_memory_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_timed_mpi_SOURCES = %D%/timed.c %D%/library.h tests/mpi.h tests/said.h
%C%_timed_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_timed_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_trial_t_SOURCES = %D%/trial.c tests/unit.h
%C%_trial_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_trial_t_LDADD = $(MPI_TEST_LIBS)
