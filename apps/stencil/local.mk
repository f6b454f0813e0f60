# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
bin_PROGRAMS += hs-stencil
noinst_PROGRAMS += hs-stencil-plain
endif
hs_stencil_SOURCES = apps/arguments.c apps/arguments.h %D%/boxes.c %D%/jacobi.c %D%/jacobi.h %D%/options.c %D%/stencil.c
hs_stencil_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
hs_stencil_LDADD = libheteroslice.la $(MPI_LIBS) -lm
hs_stencil_plain_SOURCES = apps/arguments.c apps/arguments.h %D%/jacobi.c %D%/jacobi.h %D%/options.c %D%/plain.c
hs_stencil_plain_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
hs_stencil_plain_LDADD = $(MPI_LIBS) -lm
