# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
noinst_LTLIBRARIES += %D%/libruntime.la
endif
%C%_libruntime_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) $(HWLOC_CFLAGS) $(PAPI_CFLAGS) $(BLAS_CFLAGS)
%C%_libruntime_la_LIBADD = $(RUNTIME_PARTS) $(HWLOC_LIBS) $(PAPI_LIBS) $(MPI_LIBS)
%C%_libruntime_la_SOURCES =
# What knows no MPI, and is shared by the runtimes of all MPI libraries.
RUNTIME_PARTS = src/launch/librank.la src/cache/libcache.la src/timeline/libtimeline.la
include src/runtime/base/local.mk
include src/runtime/probe/local.mk
include src/runtime/watch/local.mk
include src/runtime/session/local.mk
include src/runtime/balance/local.mk
include src/runtime/slices/local.mk
include src/runtime/blocks/local.mk
include src/runtime/boxes/local.mk
include src/runtime/farm/local.mk
include src/runtime/collectives/local.mk
include src/runtime/reorder/local.mk
include src/runtime/bind/local.mk
include src/runtime/metrics/local.mk
include src/runtime/tracing/local.mk
include src/runtime/report/local.mk
