# SPDX-License-Identifier: BSD-3-Clause
hs_SOURCES += %D%/cache.c
hs_SOURCES += %D%/generate.c
if HAVE_MPI
hs_SOURCES += %D%/probe.c
endif
hs_SOURCES += %D%/show.c %D%/show_flows.c %D%/show_flows.h %D%/show_groups.c %D%/show_groups.h %D%/show_ring.c %D%/show_ring.h \
	%D%/show_sizes.c %D%/show_sizes.h
