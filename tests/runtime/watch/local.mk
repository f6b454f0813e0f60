# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/handles.t %D%/iterations.t %D%/monitor.t %D%/sites.t
TESTS += %D%/handles.t %D%/iterations.t %D%/monitor.t %D%/sites.t
endif
check_PROGRAMS += %D%/traffic.mpi
TESTS += %D%/traffic.mpi
endif
%C%_handles_t_SOURCES = %D%/handles.c tests/unit.h
%C%_handles_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_handles_t_LDADD = $(MPI_TEST_LIBS)
%C%_iterations_t_SOURCES = %D%/iterations.c tests/unit.h
%C%_iterations_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_iterations_t_LDADD = $(MPI_TEST_LIBS)
%C%_monitor_t_SOURCES = %D%/monitor.c tests/unit.h
%C%_monitor_t_LDFLAGS = -Wl,--wrap=hs__quota_queued_ns
%C%_monitor_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_monitor_t_LDADD = $(MPI_TEST_LIBS) -lpthread
%C%_sites_t_SOURCES = %D%/sites.c tests/unit.h
%C%_sites_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_sites_t_LDADD = $(MPI_TEST_LIBS) -lpthread
%C%_traffic_mpi_SOURCES = %D%/traffic.c tests/mpi.h
%C%_traffic_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_traffic_mpi_LDADD = $(MPI_TEST_LIBS)
