# SPDX-License-Identifier: BSD-3-Clause
# Nine ranks: the program makes communicators of every size of them.
HS_TEST_RANKS=9 exec "$HS_TEST_SRCDIR/tests/run-ranks" "$HS_TEST_BUILDDIR/tests/runtime/collectives/collectives"
