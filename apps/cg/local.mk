# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
bin_PROGRAMS += hs-cg
endif
hs_cg_SOURCES = apps/arguments.c apps/arguments.h apps/common.c apps/common.h %D%/cg.c %D%/cg.h %D%/market.c %D%/matrix.c %D%/matrix.h %D%/options.c \
	%D%/report.c %D%/vectors.c
hs_cg_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
hs_cg_LDADD = libheteroslice.la $(MPI_LIBS) -lm
