# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/balance.c %D%/first_cut.c %D%/layout.c %D%/layout.h %D%/learn.c %D%/learn.h %D%/move.c %D%/move.h %D%/ragged.c %D%/ragged.h %D%/spans.c %D%/spans.h %D%/storage.c %D%/storage.h %D%/transfer.c %D%/transfer.h %D%/weights.c
