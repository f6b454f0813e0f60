# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/run %D%/exit.h

.PHONY: coverage
coverage:
	+$(srcdir)/tests/coverage/run $(abs_builddir)
