# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/cache.t
TESTS += %D%/cache.t
endif
%C%_cache_t_SOURCES = %D%/cache.c tests/unit.h
%C%_cache_t_LDADD = src/cache/libcache.la $(UNIT_LIBS)
