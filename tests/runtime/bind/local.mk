# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/cores.t %D%/rebind.t
TESTS += %D%/cores.t %D%/rebind.t
endif
check_PROGRAMS += %D%/memory.mpi
TESTS += %D%/memory.mpi
endif
%C%_cores_t_SOURCES = %D%/cores.c tests/unit.h
%C%_cores_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS) $(HWLOC_CFLAGS)
%C%_cores_t_LDADD = $(MPI_TEST_LIBS)
%C%_memory_mpi_SOURCES = %D%/memory.c tests/fail_in_turn.h tests/mpi.h
%C%_memory_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_memory_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_rebind_t_SOURCES = %D%/rebind.c tests/unit.h
%C%_rebind_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_rebind_t_LDADD = $(MPI_TEST_LIBS)
