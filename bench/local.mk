# SPDX-License-Identifier: BSD-3-Clause
# Benchmarks: built by "make bench", never run by "make check". One line or block a folder:
bench_programs =
bench: $(bench_programs)
.PHONY: bench

EXTRA_DIST += %D%/stencil/lab_balance.py
EXTRA_PROGRAMS += %D%/runtime/off_phase
CLEANFILES += %D%/runtime/off_phase
%C%_runtime_off_phase_SOURCES = %D%/runtime/off_phase.c
%C%_runtime_off_phase_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
%C%_runtime_off_phase_LDADD = libheteroslice.la $(MPI_LIBS)
if HAVE_MPI
bench_programs += %D%/runtime/off_phase
endif
