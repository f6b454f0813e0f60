# SPDX-License-Identifier: BSD-3-Clause
# The emulated cluster, linked into hs only.
noinst_LTLIBRARIES += %D%/liblab.la
%C%_liblab_la_SOURCES = %D%/account.c %D%/account.h %D%/cpu.c %D%/cpu.h %D%/throttle.c %D%/throttle.h %D%/enter.c %D%/throttler.c %D%/throttler.h %D%/lab.c %D%/lab.h %D%/link.c \
	%D%/members.c %D%/network.c %D%/process.c %D%/process.h %D%/run.c %D%/shape.c %D%/state.c %D%/topology.c

# Preloaded into ranks and mpirun.
pkglib_LTLIBRARIES += %D%/hs-lab-preload.la
%C%_hs_lab_preload_la_SOURCES = %D%/idle.c %D%/setpgid_shim.c src/util/backoff.c src/util/backoff.h
%C%_hs_lab_preload_la_LDFLAGS = -module -avoid-version -shared
%C%_hs_lab_preload_la_LIBADD = -ldl
