# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/by_size.t %D%/exhaustive.t %D%/large.t %D%/order.t %D%/plan.t %D%/share.t %D%/steps.t \
	%D%/subrings.t %D%/turn.t
TESTS += %D%/by_size.t %D%/exhaustive.t %D%/large.t %D%/order.t %D%/plan.t %D%/share.t %D%/steps.t %D%/subrings.t %D%/turn.t
endif
%C%_by_size_t_SOURCES = %D%/by_size.c %D%/check.h %D%/enumerate.h tests/unit.h
%C%_by_size_t_LDADD = $(UNIT_LIBS)
%C%_exhaustive_t_SOURCES = %D%/exhaustive.c %D%/check.h %D%/enumerate.h tests/unit.h
%C%_exhaustive_t_LDADD = $(UNIT_LIBS)
%C%_large_t_SOURCES = %D%/large.c %D%/check.h tests/unit.h
%C%_large_t_LDFLAGS = -Wl,--wrap=hs__share_optimal -Wl,--wrap=hs_platform_route
%C%_large_t_LDADD = $(UNIT_LIBS)
%C%_order_t_SOURCES = %D%/order.c %D%/check.h tests/unit.h
%C%_order_t_LDADD = $(UNIT_LIBS)
%C%_plan_t_SOURCES = %D%/plan.c %D%/check.h tests/platform/read.h tests/unit.h
%C%_plan_t_LDADD = $(UNIT_LIBS)
%C%_share_t_SOURCES = %D%/share.c tests/plan/one_switch.h tests/unit.h
%C%_share_t_LDADD = $(UNIT_LIBS)
%C%_steps_t_SOURCES = %D%/steps.c %D%/check.h tests/unit.h
%C%_steps_t_LDADD = $(UNIT_LIBS)
%C%_subrings_t_SOURCES = %D%/subrings.c tests/plan/one_switch.h tests/unit.h
%C%_subrings_t_LDADD = $(UNIT_LIBS)
%C%_turn_t_SOURCES = %D%/turn.c tests/platform/read.h tests/short_of_memory.h tests/unit.h
%C%_turn_t_LDADD = $(UNIT_LIBS)
