# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/agree.t %D%/kernels.t %D%/pairs.t %D%/result.t %D%/rounds.t %D%/stats.t %D%/window.t
TESTS += %D%/agree.t %D%/kernels.t %D%/pairs.t %D%/result.t %D%/rounds.t %D%/stats.t %D%/window.t
endif
check_PROGRAMS += %D%/late.mpi %D%/links.mpi %D%/network.mpi %D%/probe.mpi %D%/sizes.mpi %D%/stream.mpi
TESTS += %D%/late.mpi %D%/links.mpi %D%/network.mpi %D%/probe.mpi %D%/sizes.mpi %D%/stream.mpi
endif
%C%_agree_t_SOURCES = %D%/agree.c tests/platform/read.h tests/unit.h
%C%_agree_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_agree_t_LDADD = $(MPI_TEST_LIBS)
%C%_kernels_t_SOURCES = %D%/kernels.c tests/unit.h
%C%_kernels_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_kernels_t_LDADD = $(MPI_TEST_LIBS)
%C%_pairs_t_SOURCES = %D%/pairs.c tests/unit.h
%C%_pairs_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_pairs_t_LDADD = $(MPI_TEST_LIBS)
%C%_late_mpi_SOURCES = %D%/late.c tests/mpi.h
%C%_late_mpi_LDFLAGS = -Wl,--wrap=PMPI_Isend
%C%_late_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_late_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_links_mpi_SOURCES = %D%/links.c tests/clock.h tests/mpi.h
%C%_links_mpi_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=hs__peers_gather,--wrap=hs__stream_echo,--wrap=hs__stream_ping \
	-Wl,--wrap=hs__stream_run
%C%_links_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_links_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_network_mpi_SOURCES = %D%/network.c tests/mpi.h tests/plan/discover/truth.c tests/plan/discover/truth.h
%C%_network_mpi_LDFLAGS = -Wl,--wrap=hs__probe_network,--wrap=hs__stream_run
%C%_network_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_network_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_probe_mpi_SOURCES = %D%/probe.c
%C%_probe_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_probe_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_result_t_SOURCES = %D%/result.c tests/short_of_memory.h tests/unit.h
%C%_result_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_result_t_LDADD = $(MPI_TEST_LIBS)
%C%_rounds_t_SOURCES = %D%/rounds.c tests/unit.h
%C%_rounds_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_rounds_t_LDADD = $(MPI_TEST_LIBS)
%C%_sizes_mpi_SOURCES = %D%/sizes.c tests/mpi.h
%C%_sizes_mpi_LDFLAGS = -Wl,--wrap=hs__kernel_create_sized,--wrap=hs__kernel_time,--wrap=hs__kernel_mean_speed
%C%_sizes_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_sizes_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_stats_t_SOURCES = %D%/stats.c tests/unit.h
%C%_stats_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_stats_t_LDADD = $(MPI_TEST_LIBS)
%C%_stream_mpi_SOURCES = %D%/stream.c tests/mpi.h
%C%_stream_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_stream_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_window_t_SOURCES = %D%/window.c tests/unit.h
%C%_window_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_window_t_LDADD = $(MPI_TEST_LIBS)
