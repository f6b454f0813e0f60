# SPDX-License-Identifier: BSD-3-Clause
# These need root, iproute2 and control groups, and are skipped without.
LAB_TESTS = %D%/usage.sh %D%/cycle.sh %D%/crash.sh %D%/run.sh %D%/rates.sh %D%/speeds.sh %D%/fallback.sh %D%/trust.sh %D%/probe.sh
TESTS += $(LAB_TESTS)
dist_noinst_SCRIPTS += $(LAB_TESTS)
dist_noinst_DATA += %D%/lab.sh %D%/two.xml %D%/full.xml
check_PROGRAMS += %D%/spin %D%/unstopped

if HAVE_CMOCKA
check_PROGRAMS += %D%/account.t %D%/cgroups.t %D%/up.t %D%/topology.t %D%/cpu.t %D%/state.t %D%/change.t %D%/enter.t %D%/groups.t %D%/job.t %D%/members.t %D%/network.t %D%/process.t %D%/shape.t %D%/throttler.t
TESTS += %D%/account.t %D%/cgroups.t %D%/up.t %D%/topology.t %D%/cpu.t %D%/state.t %D%/change.t %D%/enter.t %D%/groups.t %D%/job.t %D%/members.t %D%/network.t %D%/process.t %D%/shape.t %D%/throttler.t
endif
LAB_UNIT_LIBS = src/lab/liblab.la src/launch/liblaunch.la $(UNIT_LIBS)
# tests/lab/fake_groups.h
FAKE_GROUPS = -Wl,--wrap=setmntent -Wl,--wrap=mkdir -Wl,--wrap=rmdir
%C%_account_t_SOURCES = %D%/account.c tests/unit.h
%C%_account_t_LDADD = $(LAB_UNIT_LIBS)
%C%_topology_t_SOURCES = %D%/topology.c tests/short_of_memory.h tests/unit.h
%C%_topology_t_LDADD = $(LAB_UNIT_LIBS)
%C%_cpu_t_SOURCES = %D%/cpu.c tests/unit.h
%C%_cpu_t_LDADD = $(LAB_UNIT_LIBS)
%C%_state_t_SOURCES = %D%/state.c tests/short_of_memory.h tests/unit.h
%C%_state_t_LDADD = $(LAB_UNIT_LIBS)
%C%_change_t_SOURCES = %D%/change.c %D%/saved.h tests/unit.h
%C%_change_t_LDADD = $(LAB_UNIT_LIBS)
%C%_groups_t_SOURCES = %D%/groups.c %D%/saved.h %D%/waiting_child.h tests/unit.h
%C%_groups_t_LDADD = $(LAB_UNIT_LIBS)
%C%_job_t_SOURCES = %D%/job.c %D%/saved.h tests/short_of_memory.h tests/unit.h
%C%_job_t_LDADD = $(LAB_UNIT_LIBS)
%C%_network_t_SOURCES = %D%/network.c %D%/own_network.h tests/unit.h
%C%_network_t_LDADD = $(LAB_UNIT_LIBS)
%C%_members_t_SOURCES = %D%/members.c tests/short_of_memory.h tests/unit.h
%C%_members_t_LDADD = $(LAB_UNIT_LIBS)
%C%_process_t_SOURCES = %D%/process.c tests/unit.h
%C%_process_t_LDADD = $(LAB_UNIT_LIBS)
%C%_shape_t_SOURCES = %D%/shape.c tests/unit.h
%C%_shape_t_LDADD = $(LAB_UNIT_LIBS)
%C%_enter_t_SOURCES = %D%/enter.c %D%/own_network.h %D%/saved.h tests/unit.h
%C%_enter_t_LDADD = $(LAB_UNIT_LIBS)
%C%_throttler_t_SOURCES = %D%/throttler.c %D%/fake_groups.h %D%/saved.h tests/unit.h
%C%_throttler_t_LDFLAGS = $(FAKE_GROUPS) -Wl,--wrap=close -Wl,--wrap=nanosleep -Wl,--wrap=stat
%C%_throttler_t_LDADD = $(LAB_UNIT_LIBS)
%C%_up_t_SOURCES = %D%/up.c %D%/saved.h tests/unit.h
%C%_up_t_LDADD = $(LAB_UNIT_LIBS)
%C%_cgroups_t_SOURCES = %D%/cgroups.c %D%/fake_groups.h %D%/saved.h %D%/waiting_child.h tests/unit.h
%C%_cgroups_t_LDFLAGS = $(FAKE_GROUPS) -Wl,--wrap=nanosleep
%C%_cgroups_t_LDADD = $(LAB_UNIT_LIBS)
