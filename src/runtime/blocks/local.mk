# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/balance.c %D%/block_partition.c %D%/block_partition.h %D%/blocks.c \
	%D%/blocks.h %D%/checksum.c %D%/move.c %D%/plan.c
