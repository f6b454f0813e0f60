# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/cppcheck.sh
EXTRA_DIST += %D%/cppcheck.sh %D%/cppcheck.suppressions
