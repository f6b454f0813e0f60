# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/recorded_traffic.c %D%/reorder.c %D%/reorder.h %D%/topology.c %D%/world.c
