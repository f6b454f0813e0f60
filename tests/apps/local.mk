# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/common.sh %D%/stencil.sh
if HAVE_MPI
TESTS += %D%/stencil.sh
endif
EXTRA_DIST += %D%/cg.sh
if HAVE_MPI
TESTS += %D%/cg.sh
endif
EXTRA_DIST += %D%/particles.sh
if HAVE_MPI
TESTS += %D%/particles.sh
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
EXTRA_DIST += %D%/matmul.sh
if HAVE_MPI
TESTS += %D%/matmul.sh
check_PROGRAMS += %D%/matrices.mpi
TESTS += %D%/matrices.mpi
endif
%C%_matrices_mpi_SOURCES = %D%/matrices.c apps/matmul/matrices.c apps/matmul/matrices.h tests/mpi.h
%C%_matrices_mpi_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(MPI_CFLAGS)
%C%_matrices_mpi_LDADD = $(MPI_LIBS) -lm
