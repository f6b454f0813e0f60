# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/agree.c %D%/blas.c %D%/blas.h %D%/burst.c %D%/comment.c %D%/conclude.c %D%/facts.c \
	%D%/facts.h %D%/kernels.c %D%/kernels.h %D%/links.c %D%/network.c %D%/pairs.c %D%/pairs.h %D%/ping.c %D%/platform.c \
	%D%/probe.c %D%/result.c %D%/result.h %D%/rounds.c %D%/rounds.h %D%/run.h %D%/sizes.c %D%/speed.c %D%/spot.c %D%/spot.h %D%/stats.c \
	%D%/stats.h %D%/stream.c %D%/stream.h %D%/window.c %D%/window.h
