# SPDX-License-Identifier: BSD-3-Clause
platform_tests = %D%/build.t %D%/draw.t %D%/generate.t %D%/labels.t %D%/maxmin.t %D%/memory.t %D%/mutate.t %D%/read.t %D%/routes.t \
	%D%/write.t
if HAVE_CMOCKA
check_PROGRAMS += $(platform_tests)
TESTS += $(platform_tests)
endif
%C%_build_t_SOURCES = %D%/build.c tests/unit.h
%C%_build_t_LDADD = $(UNIT_LIBS)
%C%_draw_t_SOURCES = %D%/draw.c tests/platform/read.h tests/unit.h
%C%_draw_t_LDADD = $(UNIT_LIBS)
%C%_generate_t_SOURCES = %D%/generate.c tests/unit.h
%C%_generate_t_LDADD = $(UNIT_LIBS)
%C%_labels_t_SOURCES = %D%/labels.c tests/unit.h
%C%_labels_t_LDADD = $(UNIT_LIBS)
%C%_maxmin_t_SOURCES = %D%/maxmin.c tests/unit.h
%C%_maxmin_t_LDADD = $(UNIT_LIBS)
%C%_memory_t_SOURCES = %D%/memory.c tests/platform/read.h tests/short_of_memory.h tests/unit.h
%C%_memory_t_LDADD = $(UNIT_LIBS)
%C%_mutate_t_SOURCES = %D%/mutate.c tests/unit.h
%C%_mutate_t_LDADD = $(UNIT_LIBS)
%C%_read_t_SOURCES = %D%/read.c tests/unit.h
%C%_read_t_LDADD = $(UNIT_LIBS)
%C%_routes_t_SOURCES = %D%/routes.c tests/platform/read.h tests/unit.h
%C%_routes_t_LDADD = $(UNIT_LIBS) -lpthread
%C%_write_t_SOURCES = %D%/write.c tests/comma_locale.h tests/unit.h
%C%_write_t_LDADD = $(UNIT_LIBS)

if HAVE_SIMGRID
check_PROGRAMS += %D%/simgrid_routes
endif
check_PROGRAMS += %D%/make_platform
%C%_make_platform_SOURCES = %D%/make_platform.c
TESTS += %D%/simgrid.sh
EXTRA_DIST += %D%/simgrid.sh
%C%_simgrid_routes_SOURCES = %D%/simgrid_routes.c
%C%_simgrid_routes_CFLAGS = $(AM_CFLAGS) $(SIMGRID_CFLAGS)
%C%_simgrid_routes_LDADD = $(UNIT_LIBS) $(SIMGRID_LIBS)

# One line a file:
EXTRA_DIST += tests/platforms/asymmetric.xml
EXTRA_DIST += tests/platforms/cabinets.xml
EXTRA_DIST += tests/platforms/clusters.xml
EXTRA_DIST += tests/platforms/islands.xml
EXTRA_DIST += tests/platforms/lone-host.xml
EXTRA_DIST += tests/platforms/long-edges-floyd.xml
EXTRA_DIST += tests/platforms/long-edges.xml
EXTRA_DIST += tests/platforms/old-spellings.xml
EXTRA_DIST += tests/platforms/one-cluster.xml
EXTRA_DIST += tests/platforms/speeds-by-size.xml
EXTRA_DIST += tests/platforms/star.xml
EXTRA_DIST += tests/platforms/three-levels.xml
EXTRA_DIST += tests/platforms/ties-dijkstra.xml
EXTRA_DIST += tests/platforms/ties-floyd.xml
