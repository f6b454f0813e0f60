# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/decide.t
TESTS += %D%/decide.t
endif
%C%_decide_t_SOURCES = %D%/decide.c tests/unit.h src/runtime/decide.c src/runtime/slices.c src/runtime/speed_window.c
%C%_decide_t_LDADD = $(UNIT_LIBS)

# Binding to cores
if HAVE_CMOCKA
check_PROGRAMS += %D%/rebind.t
TESTS += %D%/rebind.t
endif
%C%_rebind_t_SOURCES = %D%/rebind.c tests/unit.h src/runtime/rebind.c src/runtime/decide.c src/runtime/speed_window.c
%C%_rebind_t_LDADD = $(UNIT_LIBS)

if HAVE_MPI
check_PROGRAMS += %D%/move.mpi %D%/balance.mpi %D%/errors.mpi %D%/place.mpi
TESTS += %D%/move.mpi %D%/balance.mpi %D%/errors.mpi %D%/place.mpi
endif
# MPI tests link the runtime's objects, so that they reach its internals.
MPI_TEST_LIBS = src/runtime/libruntime.la $(UNIT_LIBS) $(HWLOC_LIBS) $(PAPI_LIBS) $(MPI_LIBS) -lm
MPI_TEST_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_move_mpi_SOURCES = %D%/move.c tests/mpi.h
%C%_move_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_move_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_balance_mpi_SOURCES = %D%/balance.c tests/mpi.h
%C%_balance_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_balance_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_errors_mpi_SOURCES = %D%/errors.c tests/mpi.h
%C%_errors_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_errors_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_place_mpi_SOURCES = %D%/place.c tests/mpi.h
%C%_place_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_place_mpi_LDADD = $(MPI_TEST_LIBS)

# Matrices in blocks
if HAVE_CMOCKA
check_PROGRAMS += %D%/cut.t
TESTS += %D%/cut.t
endif
%C%_cut_t_SOURCES = %D%/cut.c tests/unit.h src/runtime/cut.c
%C%_cut_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_cut_t_LDADD = $(UNIT_LIBS)
EXTRA_DIST += %D%/blocks_ranks.sh
if HAVE_MPI
check_PROGRAMS += %D%/blocks.mpi %D%/blocks_balance.mpi %D%/blocks_errors.mpi
TESTS += %D%/blocks.mpi %D%/blocks_ranks.sh %D%/blocks_balance.mpi %D%/blocks_errors.mpi
endif
%C%_blocks_mpi_SOURCES = %D%/blocks.c tests/mpi.h
%C%_blocks_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_blocks_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_blocks_balance_mpi_SOURCES = %D%/blocks_balance.c tests/mpi.h
%C%_blocks_balance_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_blocks_balance_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_blocks_errors_mpi_SOURCES = %D%/blocks_errors.c tests/mpi.h
%C%_blocks_errors_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_blocks_errors_mpi_LDADD = $(MPI_TEST_LIBS)

# Probe
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/probe_pairs.t %D%/probe_rounds.t %D%/probe_stats.t
TESTS += %D%/probe_pairs.t %D%/probe_rounds.t %D%/probe_stats.t
endif
check_PROGRAMS += %D%/probe.mpi
TESTS += %D%/probe.mpi
endif
%C%_probe_pairs_t_SOURCES = %D%/probe_pairs.c tests/unit.h
%C%_probe_pairs_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_probe_pairs_t_LDADD = $(MPI_TEST_LIBS)
%C%_probe_rounds_t_SOURCES = %D%/probe_rounds.c tests/unit.h
%C%_probe_rounds_t_LDADD = $(MPI_TEST_LIBS)
%C%_probe_stats_t_SOURCES = %D%/probe_stats.c tests/unit.h
%C%_probe_stats_t_LDADD = $(MPI_TEST_LIBS)
%C%_probe_mpi_SOURCES = %D%/probe.c
%C%_probe_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_probe_mpi_LDADD = $(MPI_TEST_LIBS)

# Farms
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/farm_rest.t
TESTS += %D%/farm_rest.t
endif
check_PROGRAMS += %D%/farm.mpi
TESTS += %D%/farm.mpi
endif
%C%_farm_rest_t_SOURCES = %D%/farm_rest.c tests/unit.h
%C%_farm_rest_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_farm_rest_t_LDADD = $(MPI_TEST_LIBS)
%C%_farm_mpi_SOURCES = %D%/farm.c tests/mpi.h
%C%_farm_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_farm_mpi_LDADD = $(MPI_TEST_LIBS)

# Reductions and broadcasts
EXTRA_DIST += %D%/collectives.sh
if HAVE_MPI
check_PROGRAMS += %D%/collectives
TESTS += %D%/collectives.sh
endif
%C%_collectives_SOURCES = %D%/collectives.c tests/mpi.h
%C%_collectives_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_collectives_LDADD = $(MPI_TEST_LIBS)

# Shares alone
EXTRA_DIST += %D%/adoption.sh
if HAVE_MPI
check_PROGRAMS += %D%/counts.mpi
TESTS += %D%/counts.mpi %D%/adoption.sh
endif
%C%_counts_mpi_SOURCES = %D%/counts.c tests/mpi.h
%C%_counts_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_counts_mpi_LDADD = $(MPI_TEST_LIBS)
