# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/bounds.t %D%/decide.t %D%/drift.t %D%/gains.t %D%/lessons.t %D%/log.t %D%/move_cost.t %D%/part.t %D%/promises.t %D%/ranges.t %D%/replay.t %D%/sizes.t %D%/slices.t %D%/speeds.t %D%/steps.t %D%/weights.t
TESTS += %D%/bounds.t %D%/decide.t %D%/drift.t %D%/gains.t %D%/lessons.t %D%/log.t %D%/move_cost.t %D%/part.t %D%/promises.t %D%/ranges.t %D%/replay.t %D%/sizes.t %D%/slices.t %D%/speeds.t %D%/steps.t %D%/weights.t
endif
%C%_bounds_t_SOURCES = %D%/bounds.c %D%/traces.c %D%/traces.h %D%/wandering.c tests/unit.h
%C%_bounds_t_LDADD = $(UNIT_LIBS)
%C%_decide_t_SOURCES = %D%/cluster.c %D%/cluster.h %D%/decide.c tests/unit.h
%C%_decide_t_LDADD = $(UNIT_LIBS)
%C%_drift_t_SOURCES = %D%/drift.c tests/short_of_memory.h tests/unit.h
%C%_drift_t_LDADD = $(UNIT_LIBS)
%C%_part_t_SOURCES = %D%/part.c tests/unit.h
%C%_part_t_LDADD = $(UNIT_LIBS)
%C%_promises_t_SOURCES = %D%/cluster.c %D%/cluster.h %D%/promises.c tests/unit.h
%C%_promises_t_LDADD = $(UNIT_LIBS)
%C%_replay_t_SOURCES = %D%/replay.c tests/short_of_memory.h tests/unit.h
%C%_replay_t_LDADD = $(UNIT_LIBS)
%C%_slices_t_SOURCES = %D%/slices.c tests/unit.h
%C%_slices_t_LDADD = $(UNIT_LIBS)
%C%_speeds_t_SOURCES = %D%/speeds.c tests/unit.h
%C%_speeds_t_LDADD = $(UNIT_LIBS)
%C%_weights_t_SOURCES = %D%/weights.c tests/unit.h
%C%_weights_t_LDADD = $(UNIT_LIBS)
%C%_sizes_t_SOURCES = %D%/sizes.c tests/unit.h
%C%_sizes_t_LDADD = $(UNIT_LIBS)
%C%_lessons_t_SOURCES = %D%/lessons.c tests/unit.h
%C%_lessons_t_LDADD = $(UNIT_LIBS)
%C%_move_cost_t_SOURCES = %D%/move_cost.c tests/unit.h
%C%_move_cost_t_LDADD = $(UNIT_LIBS)
%C%_gains_t_SOURCES = %D%/gains.c tests/unit.h
%C%_gains_t_LDADD = $(UNIT_LIBS)
%C%_log_t_SOURCES = %D%/log.c tests/short_of_memory.h tests/unit.h
%C%_log_t_LDADD = $(UNIT_LIBS)
%C%_steps_t_SOURCES = %D%/steps.c tests/unit.h
%C%_steps_t_LDADD = $(UNIT_LIBS)
%C%_ranges_t_SOURCES = %D%/ranges.c tests/unit.h
%C%_ranges_t_LDADD = $(UNIT_LIBS)
