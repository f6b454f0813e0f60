# SPDX-License-Identifier: BSD-3-Clause
# Used by hs and by the runtimes of all MPI libraries.
noinst_LTLIBRARIES += %D%/libcache.la
%C%_libcache_la_SOURCES = %D%/cache.c %D%/cache.h
