# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/by_size.t %D%/learned.t %D%/near.t %D%/sampling.t %D%/sized.t %D%/slices.t %D%/weighted.t
TESTS += %D%/by_size.t %D%/learned.t %D%/near.t %D%/sampling.t %D%/sized.t %D%/slices.t %D%/weighted.t
endif
%C%_slices_t_SOURCES = %D%/slices.c tests/unit.h
%C%_slices_t_LDADD = $(UNIT_LIBS)
%C%_weighted_t_SOURCES = %D%/weighted.c tests/unit.h
%C%_weighted_t_LDADD = $(UNIT_LIBS)
%C%_learned_t_SOURCES = %D%/learned.c tests/unit.h
%C%_learned_t_LDADD = $(UNIT_LIBS)
%C%_near_t_SOURCES = %D%/near.c tests/unit.h
%C%_near_t_LDADD = $(UNIT_LIBS)
%C%_sampling_t_SOURCES = %D%/sampling.c tests/unit.h
%C%_sampling_t_LDADD = $(UNIT_LIBS)
%C%_by_size_t_SOURCES = %D%/by_size.c tests/unit.h
%C%_by_size_t_LDADD = $(UNIT_LIBS)
%C%_sized_t_SOURCES = %D%/sized.c tests/unit.h
%C%_sized_t_LDFLAGS = -Wl,--wrap=hs__speed_time
%C%_sized_t_LDADD = $(UNIT_LIBS)
