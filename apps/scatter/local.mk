# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
bin_PROGRAMS += hs-scatter
endif
hs_scatter_SOURCES = apps/arguments.c apps/arguments.h apps/common.c apps/common.h %D%/baselines.c %D%/catalogue.c %D%/catalogue.h %D%/options.c %D%/rays.c %D%/rays.h %D%/scatter.c %D%/scatter.h %D%/terminal.c
hs_scatter_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
hs_scatter_LDADD = libheteroslice.la src/util/libutil.la $(MPI_LIBS) -lm
