# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/balance.c %D%/balance.h %D%/computing.c %D%/computing.h %D%/idle.c %D%/idle.h
src_runtime_libruntime_la_SOURCES += %D%/length.c %D%/length.h %D%/links.c %D%/links.h %D%/log.c %D%/log.h %D%/tell.c %D%/tell.h
