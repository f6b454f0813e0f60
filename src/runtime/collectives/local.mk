# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/collectives.c %D%/collectives.h %D%/comm_state.c %D%/ring.c %D%/tree.c \
	%D%/trial.c
