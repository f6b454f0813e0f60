# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/call_back.h %D%/drifts.c %D%/drifts.h %D%/handles.c %D%/handles.h %D%/iterations.c %D%/iterations.h %D%/library.h %D%/monitor.c %D%/monitor.h \
	%D%/moves.c %D%/moves.h %D%/sites.c %D%/sites.h %D%/traffic.c %D%/traffic.h %D%/watched.c %D%/watched.h
