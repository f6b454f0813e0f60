# SPDX-License-Identifier: BSD-3-Clause
# Six ranks: one on each host of the file.
HS_TEST_RANKS=6 exec "$HS_TEST_SRCDIR/tests/run-ranks" "$HS_TEST_BUILDDIR/tests/runtime/balance/membership"
