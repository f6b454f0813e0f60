# SPDX-License-Identifier: BSD-3-Clause
# One line a header, so that branches that add headers do not meet.
heterosliceinclude_HEADERS += %D%/hs_platform.h
if HAVE_MPI
heterosliceinclude_HEADERS += %D%/hs_blocks.h
heterosliceinclude_HEADERS += %D%/hs_box_layout.h
heterosliceinclude_HEADERS += %D%/hs_probe.h
heterosliceinclude_HEADERS += %D%/hs_runtime.h
heterosliceinclude_HEADERS += %D%/hs_scatter.h
heterosliceinclude_HEADERS += %D%/hs_storage.h
endif
heterosliceinclude_HEADERS += %D%/hs_status.h
heterosliceinclude_HEADERS += %D%/hs_units.h
heterosliceinclude_HEADERS += %D%/hs_ring.h
heterosliceinclude_HEADERS += %D%/hs_slices.h
heterosliceinclude_HEADERS += %D%/hs_speed.h
heterosliceinclude_HEADERS += %D%/hs_columns.h
heterosliceinclude_HEADERS += %D%/hs_divisible.h
heterosliceinclude_HEADERS += %D%/hs_boxes.h
heterosliceinclude_HEADERS += %D%/hs_grid.h
heterosliceinclude_HEADERS += %D%/hs_rebalance.h
heterosliceinclude_HEADERS += %D%/hs_reduction.h
heterosliceinclude_HEADERS += %D%/hs_collective.h
heterosliceinclude_HEADERS += %D%/hs_mapping.h
heterosliceinclude_HEADERS += %D%/hs_version.h
