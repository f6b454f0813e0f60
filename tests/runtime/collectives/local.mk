# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/collectives.sh
if HAVE_MPI
check_PROGRAMS += %D%/collectives
TESTS += %D%/collectives.sh
endif
%C%_collectives_SOURCES = %D%/collectives.c tests/mpi.h
%C%_collectives_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_collectives_LDADD = $(MPI_TEST_LIBS)
