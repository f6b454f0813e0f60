# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/waiting.sh
EXTRA_DIST += %D%/waiting.pml %D%/waiting.sh
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/mode.t %D%/nap.t %D%/quota.t
TESTS += %D%/mode.t %D%/nap.t %D%/quota.t
endif
check_PROGRAMS += %D%/node_memory.mpi %D%/peers.mpi %D%/presence.mpi
TESTS += %D%/node_memory.mpi %D%/peers.mpi %D%/presence.mpi
endif
%C%_node_memory_mpi_SOURCES = %D%/node_memory.c tests/mpi.h
%C%_node_memory_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_node_memory_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_peers_mpi_SOURCES = %D%/peers.c tests/mpi.h
%C%_peers_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_peers_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_presence_mpi_SOURCES = %D%/presence.c tests/mpi.h
%C%_presence_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_presence_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_mode_t_SOURCES = %D%/mode.c tests/unit.h
%C%_mode_t_LDFLAGS = -Wl,--wrap=dlsym,--wrap=hs__environment_log,--wrap=hs__launch_this_rank,--wrap=hs__quota_group \
	-Wl,--wrap=PMPI_Comm_rank,--wrap=sched_getaffinity
%C%_mode_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_mode_t_LDADD = $(MPI_TEST_LIBS)
%C%_nap_t_SOURCES = %D%/nap.c tests/clock.h tests/unit.h
%C%_nap_t_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=nanosleep,--wrap=PMPI_Test
%C%_nap_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_nap_t_LDADD = $(MPI_TEST_LIBS)
%C%_quota_t_SOURCES = %D%/quota.c tests/unit.h
%C%_quota_t_LDFLAGS = -Wl,--wrap=fopen,--wrap=setmntent
%C%_quota_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_quota_t_LDADD = $(MPI_TEST_LIBS)
