# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/recorded_traffic.c %D%/recorded_traffic.h %D%/reorder.c %D%/reorder.h %D%/topology.c %D%/world.c
