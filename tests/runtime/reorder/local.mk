# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/recorded_traffic.t
TESTS += %D%/recorded_traffic.t
endif
check_PROGRAMS += %D%/memory.mpi %D%/threads.mpi
TESTS += %D%/memory.mpi %D%/threads.mpi
endif
%C%_memory_mpi_SOURCES = %D%/memory.c tests/fail_in_turn.h tests/mpi.h
%C%_memory_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_memory_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_recorded_traffic_t_SOURCES = %D%/recorded_traffic.c tests/short_of_memory.h tests/unit.h
%C%_recorded_traffic_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_recorded_traffic_t_LDADD = $(MPI_TEST_LIBS)
%C%_threads_mpi_SOURCES = %D%/threads.c tests/mpi.h
%C%_threads_mpi_LDFLAGS = -Wl,--wrap=hs_platform_read
%C%_threads_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_threads_mpi_LDADD = $(MPI_TEST_LIBS) -lpthread
