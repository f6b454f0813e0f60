# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
if HAVE_BLAS
bin_PROGRAMS += hs-matmul
endif
endif
hs_matmul_SOURCES = apps/arguments.c apps/arguments.h apps/common.c apps/common.h %D%/cuts.c %D%/matmul.c %D%/matmul.h %D%/matrices.c %D%/matrices.h %D%/options.c %D%/pivots.c %D%/pivots.h %D%/report.c
hs_matmul_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) $(BLAS_CFLAGS)
hs_matmul_LDADD = libheteroslice.la $(BLAS_LIBS) $(MPI_LIBS) -lm
