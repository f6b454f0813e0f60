# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/backoff.c %D%/backoff.h %D%/counters.c %D%/counters.h %D%/environment.c %D%/environment.h %D%/fortran_handles.h \
	%D%/host_names.c %D%/host_names.h %D%/named_platform.c %D%/named_platform.h %D%/node_memory.c %D%/node_memory.h %D%/parked_buffer.c %D%/parked_buffer.h %D%/peers.c %D%/peers.h %D%/presence.c %D%/presence.h %D%/quota.c %D%/quota.h \
	%D%/ticks.c %D%/ticks.h %D%/waiting.c %D%/waiting.h %D%/world_handle.c %D%/world_handle.h
