# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/stencil.sh
if HAVE_MPI
TESTS += %D%/stencil.sh
endif
EXTRA_DIST += %D%/scatter.sh
if HAVE_MPI
TESTS += %D%/scatter.sh
endif
if HAVE_CMOCKA
check_PROGRAMS += %D%/rays.t
TESTS += %D%/rays.t
endif
%C%_rays_t_SOURCES = %D%/rays.c apps/scatter/rays.c apps/scatter/rays.h tests/unit.h
%C%_rays_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
%C%_rays_t_LDADD = $(CMOCKA_LIBS) -lm
