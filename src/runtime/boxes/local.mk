# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/balance.c %D%/boxes.c %D%/boxes.h %D%/exchange.c %D%/frame.c %D%/frame.h %D%/move.c \
	%D%/network.c
