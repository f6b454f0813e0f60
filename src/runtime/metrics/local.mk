# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/metrics.c %D%/metrics.h %D%/text.c %D%/text.h
