# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/clocks.c %D%/clocks.h %D%/tracing.c %D%/tracing.h
