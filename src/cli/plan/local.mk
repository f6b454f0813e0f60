# SPDX-License-Identifier: BSD-3-Clause
hs_SOURCES += %D%/columns.c
hs_SOURCES += %D%/grid.c
hs_SOURCES += %D%/rebalance.c %D%/rebalance.h %D%/rebalance_draw.c %D%/rebalance_read.c
hs_SOURCES += %D%/reduce.c %D%/reduce.h %D%/reduce_draw.c
hs_SOURCES += %D%/replay.c
hs_SOURCES += %D%/ring.c %D%/ring_held.c %D%/ring_held.h %D%/ring_print.c %D%/ring_print.h
hs_SOURCES += %D%/scatter.c %D%/scatter.h %D%/scatter_draw.c
hs_SOURCES += %D%/weights.c
