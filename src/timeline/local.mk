# SPDX-License-Identifier: BSD-3-Clause
# Timelines of runs, and their files. Without protobuf-c there are none.
noinst_LTLIBRARIES += %D%/libtimeline.la
EXTRA_DIST += %D%/perfetto.proto
%C%_libtimeline_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_builddir)/src $(PROTOBUF_CFLAGS)
%C%_libtimeline_la_SOURCES = %D%/events.c %D%/events.h %D%/write.c %D%/write.h
%C%_libtimeline_la_LIBADD = $(PROTOBUF_LIBS)
if HAVE_PROTOBUF
nodist_%C%_libtimeline_la_SOURCES = %D%/perfetto.pb-c.c %D%/perfetto.pb-c.h
CLEANFILES += %D%/perfetto.pb-c.c %D%/perfetto.pb-c.h
BUILT_SOURCES += %D%/perfetto.pb-c.h
endif
%D%/perfetto.pb-c.h: %D%/perfetto.proto
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(PROTOC_C) --c_out=$(@D) -I$(srcdir)/%D% $(srcdir)/%D%/perfetto.proto
%D%/perfetto.pb-c.c: %D%/perfetto.pb-c.h
