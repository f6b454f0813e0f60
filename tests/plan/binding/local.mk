# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/binding.t
TESTS += %D%/binding.t
endif
%C%_binding_t_SOURCES = %D%/binding.c tests/unit.h
%C%_binding_t_LDADD = $(UNIT_LIBS)
