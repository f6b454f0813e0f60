# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/rebind.t
TESTS += %D%/rebind.t
endif
endif
%C%_rebind_t_SOURCES = %D%/rebind.c tests/unit.h
%C%_rebind_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_rebind_t_LDADD = $(MPI_TEST_LIBS)
