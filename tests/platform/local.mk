# SPDX-License-Identifier: BSD-3-Clause
if HAVE_SIMGRID
check_PROGRAMS += %D%/simgrid_routes
endif
%C%_simgrid_routes_SOURCES = %D%/simgrid_routes.c
%C%_simgrid_routes_CFLAGS = $(AM_CFLAGS) $(SIMGRID_CFLAGS)
%C%_simgrid_routes_LDADD = $(UNIT_LIBS) $(SIMGRID_LIBS)
