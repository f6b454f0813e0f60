# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/deadline.t %D%/exact.t %D%/loads.t %D%/orders.t %D%/plan.t %D%/rounds.t %D%/star.t
TESTS += %D%/deadline.t %D%/exact.t %D%/loads.t %D%/orders.t %D%/plan.t %D%/rounds.t %D%/star.t
endif
%C%_deadline_t_SOURCES = %D%/deadline.c %D%/oracle.h tests/unit.h
%C%_deadline_t_LDADD = $(UNIT_LIBS)
%C%_exact_t_SOURCES = %D%/exact.c %D%/oracle.h tests/unit.h
%C%_exact_t_LDADD = $(UNIT_LIBS)
%C%_loads_t_SOURCES = %D%/loads.c %D%/oracle.h tests/unit.h
%C%_loads_t_LDADD = $(UNIT_LIBS)
%C%_orders_t_SOURCES = %D%/orders.c %D%/oracle.h tests/unit.h
%C%_orders_t_LDADD = $(UNIT_LIBS)
%C%_plan_t_SOURCES = %D%/plan.c %D%/oracle.h tests/unit.h
%C%_plan_t_LDADD = $(UNIT_LIBS)
%C%_rounds_t_SOURCES = %D%/rounds.c %D%/oracle.h tests/unit.h
%C%_rounds_t_LDADD = $(UNIT_LIBS)
%C%_star_t_SOURCES = %D%/star.c %D%/oracle.h tests/unit.h
%C%_star_t_LDADD = $(UNIT_LIBS)
