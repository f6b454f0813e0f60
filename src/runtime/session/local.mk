# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/agree.c %D%/agree.h %D%/context.c %D%/context.h %D%/counts.c %D%/kept.c %D%/kept.h %D%/link_rate.c \
	%D%/link_rate.h %D%/messages.c %D%/messages.h %D%/open.c %D%/open.h %D%/place.c %D%/place.h %D%/pointers.c %D%/pointers.h %D%/remeasure.c %D%/remeasure.h %D%/transaction.c %D%/transaction.h
