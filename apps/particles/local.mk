# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
bin_PROGRAMS += hs-particles
endif
hs_particles_SOURCES = apps/arguments.c apps/arguments.h apps/common.c apps/common.h %D%/domain.c %D%/options.c %D%/particles.c \
	%D%/particles.h %D%/report.c %D%/storage.c
hs_particles_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
hs_particles_LDADD = libheteroslice.la $(MPI_LIBS) -lm
