# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
noinst_LTLIBRARIES += %D%/libruntime.la
endif
%C%_libruntime_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) $(HWLOC_CFLAGS) $(PAPI_CFLAGS) $(BLAS_CFLAGS)
%C%_libruntime_la_SOURCES =

# Layouts and balancing
%C%_libruntime_la_SOURCES += %D%/agree.c %D%/agree.h %D%/balance.c %D%/clock.h %D%/context.c %D%/context.h %D%/decide.c %D%/decide.h \
	%D%/layout.c %D%/layout.h %D%/monitor.c %D%/monitor.h %D%/move.c %D%/move.h %D%/place.c %D%/place.h %D%/speed_window.c %D%/speed_window.h
