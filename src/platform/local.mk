# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += %D%/libplatform.la
%C%_libplatform_la_SOURCES =

%C%_libplatform_la_SOURCES += %D%/arcs.c
%C%_libplatform_la_SOURCES += %D%/build.c
%C%_libplatform_la_SOURCES += %D%/check.c
%C%_libplatform_la_SOURCES += %D%/paths.c
%C%_libplatform_la_SOURCES += %D%/platform.c
%C%_libplatform_la_SOURCES += %D%/platform.h
%C%_libplatform_la_SOURCES += %D%/route.c
%C%_libplatform_la_SOURCES += %D%/xml_read.c
%C%_libplatform_la_SOURCES += %D%/xml_read.h
%C%_libplatform_la_SOURCES += %D%/xml_read_zone.c
%C%_libplatform_la_SOURCES += %D%/xml_read_route.c
%C%_libplatform_la_SOURCES += %D%/xml_read_cluster.c
%C%_libplatform_la_SOURCES += %D%/maxmin.c
%C%_libplatform_la_SOURCES += %D%/maxmin.h
%C%_libplatform_la_SOURCES += %D%/xml_write.c
%C%_libplatform_la_SOURCES += %D%/generate.c
%C%_libplatform_la_SOURCES += %D%/draw.c
%C%_libplatform_la_SOURCES += %D%/draw.h
%C%_libplatform_la_SOURCES += %D%/draw_dot.c
%C%_libplatform_la_SOURCES += %D%/draw_svg.c
%C%_libplatform_la_SOURCES += %D%/layout.c
%C%_libplatform_la_SOURCES += %D%/xml_text.h
