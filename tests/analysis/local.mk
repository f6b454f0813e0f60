# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/cppcheck.sh
EXTRA_DIST += %D%/cppcheck.sh %D%/cppcheck.suppressions %D%/run %D%/cc .clang-tidy

.PHONY: analyse
analyse:
	+$(srcdir)/tests/analysis/run $(abs_builddir)
