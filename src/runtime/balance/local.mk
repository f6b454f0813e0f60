# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/balance.c %D%/balance.h %D%/decide.c %D%/decide.h
