# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/ranks.sh
if HAVE_MPI
check_PROGRAMS += %D%/balance.mpi %D%/boxes.mpi %D%/layers.mpi %D%/network.mpi
TESTS += %D%/balance.mpi %D%/boxes.mpi %D%/layers.mpi %D%/network.mpi %D%/ranks.sh
endif
%C%_balance_mpi_SOURCES = %D%/balance.c tests/clock.h tests/mpi.h
%C%_balance_mpi_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=hs__boxes_create
%C%_balance_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_balance_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_boxes_mpi_SOURCES = %D%/boxes.c tests/mpi.h
%C%_boxes_mpi_LDFLAGS = -Wl,--wrap=hs__park_buffer
%C%_boxes_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_boxes_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_layers_mpi_SOURCES = %D%/layers.c tests/mpi.h
%C%_layers_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_layers_mpi_LDADD = $(MPI_TEST_LIBS)
%C%_network_mpi_SOURCES = %D%/network.c tests/mpi.h
%C%_network_mpi_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_network_mpi_LDADD = $(MPI_TEST_LIBS)
