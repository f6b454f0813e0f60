# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/balance.c %D%/balance.h %D%/log.c %D%/log.h
