# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
check_PROGRAMS += %D%/peers.mpi
TESTS += %D%/peers.mpi
endif
%C%_peers_mpi_SOURCES = %D%/peers.c tests/mpi.h
%C%_peers_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_peers_mpi_LDADD = $(MPI_TEST_LIBS)
