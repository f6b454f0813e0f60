# SPDX-License-Identifier: BSD-3-Clause
# Tests mirror src/. C programs (cmocka) end in .t, MPI programs in .mpi (started at 1, 2, 3, 4 and 7 ranks), scripts in .sh,
# commands with what they print in .answers.
TEST_EXTENSIONS = .t .mpi .sh .answers
# The address sanitizer's library may follow ours, and a program that is linked to our library and preloads it has hs_interposer twice.
AM_TESTS_ENVIRONMENT = HS_TEST_SRCDIR='$(abs_srcdir)' HS_TEST_BUILDDIR='$(abs_builddir)' MPIEXEC='$(MPIEXEC)' \
	HS_CHECK=1 PATH='$(abs_builddir)':"$$PATH" LSAN_OPTIONS='suppressions=$(abs_srcdir)/tests/lsan.supp:print_suppressions=0' \
	ASAN_OPTIONS='suppressions=$(abs_srcdir)/tests/asan.supp:allocator_may_return_null=1:verify_asan_link_order=0:detect_odr_violation=1' HS_TEST_SANITIZER='$(HS_SANITIZER)' \
	TSAN_OPTIONS='suppressions=$(abs_srcdir)/tests/tsan.supp:history_size=7:allocator_may_return_null=1' LAUNCH='$(LAUNCH)'; \
	export HS_TEST_SRCDIR HS_TEST_BUILDDIR MPIEXEC HS_CHECK PATH LSAN_OPTIONS ASAN_OPTIONS HS_TEST_SANITIZER TSAN_OPTIONS LAUNCH;
# Of two tests that differ in their extensions only one would run, since both have one log.
check-local:
	@twice=`printf '%s\n' $(TESTS) | sed 's/[.][a-z]*$$//' | sort | uniq -d`; \
	test -z "$$twice" || { echo "more than one test has the log of" $$twice; exit 1; }
# What starts every test, and every MPI program within: it ends what hangs and leaves no process behind.
LAUNCH = $(abs_builddir)/tests/launch/start$(EXEEXT)
T_LOG_COMPILER = $(LAUNCH)
AM_T_LOG_FLAGS = --plain
MPI_LOG_COMPILER = $(srcdir)/tests/run-ranks
SH_LOG_COMPILER = $(LAUNCH)
AM_SH_LOG_FLAGS = -t 0 --plain $(SHELL)
ANSWERS_LOG_COMPILER = $(LAUNCH)
AM_ANSWERS_LOG_FLAGS = -t 0 --plain $(srcdir)/tests/answers.py
dist_noinst_SCRIPTS += tests/run-ranks tests/answers.py
EXTRA_DIST += tests/asan.supp tests/lsan.supp tests/tsan.supp tests/valgrind.supp tests/work.sh

# Unit tests, and MPI tests on two ranks, under valgrind.
VALGRIND = $(LIBTOOL) --mode=execute valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
	--keep-debuginfo=yes --num-callers=40 --suppressions='$(abs_srcdir)/tests/valgrind.supp'
valgrind:
	HS_TEST_RANKS="$${HS_TEST_RANKS:-2}" HS_TEST_TIMEOUT="$${HS_TEST_TIMEOUT:-3000}" $(MAKE) check \
		TESTS="`printf '%s\n' $(TESTS) | grep -e '[.]t$$' -e '[.]mpi$$' | tr '\n' ' '`" \
		T_LOG_FLAGS="$(VALGRIND)" MPI_LOG_FLAGS="$(VALGRIND)"
.PHONY: valgrind

# What every unit test links: the planning library with its internals.
PLAN_LIBS = src/plan/libplan.la src/platform/libplatform.la src/util/libutil.la $(EXPAT_LIBS) $(JANSSON_LIBS) $(KINSOL_LIBS)
UNIT_LIBS = $(PLAN_LIBS) $(CMOCKA_LIBS)

ANSWERS =
include tests/util/local.mk
include tests/platform/local.mk
include tests/cache/local.mk
include tests/launch/local.mk
include tests/timeline/local.mk
include tests/fuzz/local.mk
include tests/analysis/local.mk
include tests/runtime/local.mk
include tests/interpose/local.mk
include tests/interpose/partition/local.mk
include tests/bindings/local.mk
include tests/cli/local.mk
include tests/cli/base/local.mk
include tests/apps/local.mk
include tests/lab/local.mk
include tests/slurm/local.mk
include tests/doc/local.mk
include tests/abi/local.mk
include tests/install/local.mk
include tests/distro/local.mk
include tests/coverage/local.mk
# Last, since they are short: several at a time, they leave no core idle at the end of a run.
include tests/plan/local.mk
EXTRA_DIST += tests/mutations/run tests/mutations/lines.py

# Transcripts. What their commands print today becomes what they expect: make answers.
TESTS += $(ANSWERS)
EXTRA_DIST += $(ANSWERS)
answers: hs tests/plan/told
	$(AM_TESTS_ENVIRONMENT) cd '$(srcdir)' && tests/answers.py --accept $(ANSWERS)
.PHONY: answers
