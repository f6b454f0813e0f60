# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/random.sh
if HAVE_MPI
check_PROGRAMS += %D%/random
TESTS += %D%/random.sh
endif
%C%_random_SOURCES = %D%/random.c %D%/blocks.c %D%/boxes.c %D%/cells.c %D%/random.h %D%/slices.c tests/clock.h tests/mpi.h
%C%_random_LDFLAGS = -Wl,--wrap=clock_gettime
%C%_random_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_random_LDADD = $(MPI_TEST_LIBS)

# A thousand random runs, then half an hour of them: memory and descriptors may not grow
random: tests/runtime/random/random tests/launch/start
	HS_CHECK=1 HS_TEST_SRCDIR='$(abs_srcdir)' MPIEXEC='$(MPIEXEC)' $(LAUNCH) -t 7200 -n 13 $(builddir)/tests/runtime/random/random 1 1000
soak: tests/runtime/random/random tests/launch/start
	HS_CHECK=1 HS_TEST_SRCDIR='$(abs_srcdir)' MPIEXEC='$(MPIEXEC)' $(LAUNCH) -t 7200 -n 4 $(builddir)/tests/runtime/random/random --minutes 30
.PHONY: random soak
