# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
check_PROGRAMS += %D%/counts.mpi %D%/exchange.mpi %D%/kept.mpi %D%/link_rate.mpi %D%/open.mpi %D%/place.mpi \
	%D%/pointers.mpi %D%/waits.mpi
TESTS += %D%/counts.mpi %D%/exchange.mpi %D%/kept.mpi %D%/link_rate.mpi %D%/open.mpi %D%/place.mpi %D%/pointers.mpi \
	%D%/waits.mpi
endif
%C%_counts_mpi_SOURCES = %D%/counts.c tests/mpi.h tests/said.h
%C%_counts_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_counts_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_exchange_mpi_SOURCES = %D%/exchange.c tests/mpi.h
%C%_exchange_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_exchange_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_kept_mpi_SOURCES = %D%/kept.c tests/fail_in_turn.h tests/mpi.h tests/said.h
%C%_kept_mpi_LDFLAGS = -Wl,--wrap=hs_probe_run,--wrap=hs__kernel_speed,--wrap=hs__line_slope,--wrap=hs__flow_rate \
	-Wl,--wrap=hs__stream_burst_receive,--wrap=hs__spot_agrees,--wrap=PMPI_Ibcast
%C%_kept_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_kept_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_link_rate_mpi_SOURCES = %D%/link_rate.c tests/mpi.h
%C%_link_rate_mpi_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=PMPI_Isend
%C%_link_rate_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_link_rate_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_open_mpi_SOURCES = %D%/open.c tests/mpi.h tests/said.h
%C%_open_mpi_LDFLAGS = -Wl,--wrap=PMPI_Comm_idup,--wrap=PMPI_Iallgather
%C%_open_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_open_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_place_mpi_SOURCES = %D%/place.c tests/mpi.h tests/said.h
%C%_place_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_place_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_pointers_mpi_SOURCES = %D%/pointers.c tests/mpi.h tests/runtime/moves.h
%C%_pointers_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_pointers_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_waits_mpi_SOURCES = %D%/waits.c tests/mpi.h
%C%_waits_mpi_LDFLAGS = -Wl,--wrap=PMPI_Testany
%C%_waits_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_waits_mpi_LDADD = $(MPI_TEST_LIBS)
