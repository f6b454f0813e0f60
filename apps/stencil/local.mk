# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
bin_PROGRAMS += hs-stencil
noinst_PROGRAMS += hs-stencil-plain
endif
# What both programs have.
STENCIL = apps/arguments.c apps/arguments.h apps/common.c apps/common.h %D%/exact.c %D%/jacobi.c %D%/jacobi.h %D%/options.c %D%/report.c
hs_stencil_SOURCES = $(STENCIL) %D%/boxes.c %D%/stencil.c
hs_stencil_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
hs_stencil_LDADD = libheteroslice.la $(MPI_LIBS) -lm
hs_stencil_plain_SOURCES = $(STENCIL) %D%/plain.c
hs_stencil_plain_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
hs_stencil_plain_LDADD = $(MPI_LIBS) -lm
