# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/blocks.c %D%/blocks.h %D%/bound.c %D%/bound.h %D%/bound_ends.c %D%/bound_graph.c %D%/bound_routes.c \
	%D%/check.c %D%/closed_form.c %D%/crossings.c %D%/crossings.h %D%/detours.c %D%/enumerate.c %D%/graph.c %D%/graph.h \
	%D%/greedy.c %D%/judge.c %D%/kinsol.c %D%/moves.c %D%/network.c %D%/network.h %D%/optimal.c %D%/order.c \
	%D%/order.h %D%/paths.c %D%/paths.h %D%/perturb.c %D%/plan.c %D%/plan.h %D%/problem.c %D%/problem.h \
	%D%/program.c %D%/program.h %D%/ring.c %D%/search.c %D%/search.h %D%/share.c %D%/share.h %D%/starts.c \
	%D%/state.c %D%/state.h %D%/steps.c %D%/subrings.c %D%/subrings.h %D%/table.c %D%/table.h %D%/turn.c %D%/turn.h
