# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/balance.c %D%/balance.h %D%/links.c %D%/links.h %D%/log.c %D%/log.h %D%/tell.c %D%/tell.h
