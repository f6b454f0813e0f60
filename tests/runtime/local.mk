# SPDX-License-Identifier: BSD-3-Clause
# MPI tests link the runtime's objects, so that they reach its internals.
MPI_TEST_LIBS = src/runtime/libruntime.la $(UNIT_LIBS) $(HWLOC_LIBS) $(PAPI_LIBS) $(MPI_LIBS) -lm
MPI_TEST_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)

# The longest MPI test first, so that at the end of a run no core waits for it.
if HAVE_MPI
TESTS += %D%/faults.mpi
endif
include tests/runtime/base/local.mk
include tests/runtime/watch/local.mk
include tests/runtime/probe/local.mk
include tests/runtime/session/local.mk
include tests/runtime/balance/local.mk
include tests/runtime/slices/local.mk
include tests/runtime/blocks/local.mk
include tests/runtime/boxes/local.mk
include tests/runtime/farm/local.mk
include tests/runtime/collectives/local.mk
include tests/runtime/bind/local.mk
include tests/runtime/random/local.mk
include tests/runtime/reorder/local.mk
include tests/runtime/report/local.mk
include tests/runtime/metrics/local.mk
include tests/runtime/tracing/local.mk

EXTRA_DIST += %D%/adoption.sh %D%/killed.sh %D%/loaded.sh %D%/model.sh
if HAVE_MPI
check_PROGRAMS += %D%/killed %D%/loaded %D%/accounted.mpi %D%/checks.mpi %D%/damage.mpi %D%/errors.mpi \
	%D%/faults.mpi %D%/misuse.mpi %D%/threads.mpi %D%/traps.mpi
TESTS += %D%/accounted.mpi %D%/checks.mpi %D%/damage.mpi %D%/errors.mpi %D%/misuse.mpi %D%/threads.mpi %D%/traps.mpi \
	%D%/adoption.sh %D%/killed.sh %D%/loaded.sh
endif
%C%_accounted_mpi_SOURCES = %D%/accounted.c %D%/moves.h tests/clock.h tests/mpi.h
%C%_accounted_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_accounted_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_accounted_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_traps_mpi_SOURCES = %D%/traps.c tests/mpi.h
%C%_traps_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_traps_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_errors_mpi_SOURCES = %D%/errors.c tests/mpi.h
%C%_errors_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_errors_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_misuse_mpi_SOURCES = %D%/misuse.c tests/mpi.h tests/said.h
%C%_misuse_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_misuse_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_faults_mpi_SOURCES = %D%/faults.c %D%/moves.h tests/clock.h tests/fail_in_turn.h tests/mpi.h
%C%_faults_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_faults_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_faults_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_checks_mpi_SOURCES = %D%/checks.c tests/mpi.h
%C%_checks_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_checks_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_damage_mpi_SOURCES = %D%/damage.c %D%/moves.h tests/mpi.h tests/said.h
%C%_damage_mpi_LDFLAGS = -Wl,--wrap=PMPI_Isend
%C%_damage_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_damage_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_killed_SOURCES = %D%/killed.c tests/clock.h tests/mpi.h
%C%_killed_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=PMPI_Isend,--wrap=PMPI_Comm_idup,--wrap=hs__place \
	-Wl,--wrap=hs__stream_burst_send,--wrap=hs__stream_burst_receive
%C%_killed_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_killed_LDADD = $(MPI_TEST_LIBS)
%C%_threads_mpi_SOURCES = %D%/threads.c tests/mpi.h
%C%_threads_mpi_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_threads_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_threads_mpi_LDADD = $(MPI_TEST_LIBS) -lpthread
%C%_loaded_SOURCES = %D%/loaded.c tests/mpi.h
%C%_loaded_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_loaded_LDADD = $(MPI_LIBS) -ldl
