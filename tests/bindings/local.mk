# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/boxes.F90 %D%/boxes.py %D%/closed.py %D%/common.sh %D%/cxx.sh %D%/fortran.sh %D%/plain.F90 %D%/plain.py %D%/python.sh %D%/require.inc %D%/weights.F90 %D%/weights.py
AM_TESTS_ENVIRONMENT += MPICXX='$(MPICXX)' MPIFC='$(MPIFC)' HS_TEST_FCFLAGS='$(HS_FCFLAGS)' HS_TEST_F08='$(HS_MODULE_FCFLAGS)' HS_TEST_FLAVOUR='$(HS_MPI_FLAVOUR)'; \
	export MPICXX MPIFC HS_TEST_FCFLAGS HS_TEST_F08 HS_TEST_FLAVOUR;
if HAVE_MPI
TESTS += %D%/cxx.sh %D%/fortran.sh %D%/python.sh
endif
