# SPDX-License-Identifier: BSD-3-Clause
# These need root, iproute2 and control groups, and are skipped without.
LAB_TESTS = %D%/usage.sh %D%/cycle.sh %D%/crash.sh %D%/run.sh %D%/rates.sh %D%/speeds.sh %D%/fallback.sh %D%/trust.sh %D%/probe.sh
TESTS += $(LAB_TESTS)
dist_noinst_SCRIPTS += $(LAB_TESTS)
dist_noinst_DATA += %D%/lab.sh %D%/two.xml %D%/full.xml
check_PROGRAMS += %D%/spin %D%/unstopped

if HAVE_CMOCKA
check_PROGRAMS += %D%/account.t %D%/topology.t %D%/cpu.t %D%/state.t
TESTS += %D%/account.t %D%/topology.t %D%/cpu.t %D%/state.t
endif
%C%_account_t_SOURCES = %D%/account.c tests/unit.h
%C%_account_t_LDADD = src/lab/liblab.la $(UNIT_LIBS)
%C%_topology_t_SOURCES = %D%/topology.c tests/unit.h
%C%_topology_t_LDADD = src/lab/liblab.la $(UNIT_LIBS)
%C%_cpu_t_SOURCES = %D%/cpu.c tests/unit.h
%C%_cpu_t_LDADD = src/lab/liblab.la $(UNIT_LIBS)
%C%_state_t_SOURCES = %D%/state.c tests/unit.h
%C%_state_t_LDADD = src/lab/liblab.la $(UNIT_LIBS)
