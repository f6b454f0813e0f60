# SPDX-License-Identifier: BSD-3-Clause
platform_tests = %D%/build.t %D%/maxmin.t %D%/routes.t
if HAVE_CMOCKA
check_PROGRAMS += $(platform_tests)
TESTS += $(platform_tests)
endif
%C%_build_t_SOURCES = %D%/build.c tests/unit.h
%C%_build_t_LDADD = $(UNIT_LIBS)
%C%_maxmin_t_SOURCES = %D%/maxmin.c tests/unit.h
%C%_maxmin_t_LDADD = $(UNIT_LIBS)
%C%_routes_t_SOURCES = %D%/routes.c tests/unit.h
%C%_routes_t_LDADD = $(UNIT_LIBS) -lpthread

if HAVE_SIMGRID
check_PROGRAMS += %D%/simgrid_routes
endif
%C%_simgrid_routes_SOURCES = %D%/simgrid_routes.c
%C%_simgrid_routes_CFLAGS = $(AM_CFLAGS) $(SIMGRID_CFLAGS)
%C%_simgrid_routes_LDADD = $(UNIT_LIBS) $(SIMGRID_LIBS)
