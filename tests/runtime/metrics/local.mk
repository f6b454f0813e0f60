# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += %D%/text.t
TESTS += %D%/text.t
endif
endif
%C%_text_t_SOURCES = %D%/text.c tests/comma_locale.h tests/unit.h
%C%_text_t_CPPFLAGS = $(MPI_TEST_CPPFLAGS)
%C%_text_t_LDADD = $(MPI_TEST_LIBS)
